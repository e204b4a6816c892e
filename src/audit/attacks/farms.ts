import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import {
  type Attack,
  type AttackAttempt,
  type AuditContext,
  type InputSlot,
  pairsOf,
  showCall,
  simpleCalls,
  slotName,
} from '../attack.ts';
import type { CallStep, TranscriptStep } from '../transcript.ts';

const REPETITIONS = 24;
/** Pairs of calls that are alternated. */
const MAX_PAIRS = 24;
const MAX_OPTIONS = 40;

const repeated = (step: CallStep): readonly TranscriptStep[] => Array.from({ length: REPETITIONS }, () => step);

const repeatInput = (what: string, tool: string, input: JSONObject): AttackAttempt => ({
  what: `${what}, ${REPETITIONS} times`,
  steps: () => repeated({ do: 'call', tool, input }),
});

const numberSlots = ({ slots }: AuditContext): readonly InputSlot[] => slots.filter(({ type }) => type === 'number');

/** Returns spellings of a text that people take for the same. */
function spellings(text: string): readonly string[] {
  const number = /^-?\d+(?:\.\d+)?$/.test(text) ? [`0${text}`, `${text}.0`, `+${text}`, `${text}e0`, ` ${text}`] : [];
  const wide = text.replace(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0));
  const alike = text.replaceAll('a', '\u0430').replaceAll('e', '\u0435').replaceAll('o', '\u043e');
  const cases = [text.toUpperCase(), text.toLowerCase(), text.slice(0, 1).toUpperCase() + text.slice(1)];
  const spaced = [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `\t${text}`,
    `${text}.`,
    `"${text}"`,
    `${text}\u200b`,
    `${text}\u00a0`,
  ];
  return [...new Set([text, ...cases, ...spaced, ...number, wide, alike])];
}

/** Returns the calls with other spellings of the texts in the input. */
function respelled({ tool, input, ...rest }: CallStep): CallStep[] {
  return Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string'
      ? spellings(value).map((text) => ({ ...rest, tool, input: { ...input, [name]: text } }))
      : [],
  );
}

export const farms: readonly Attack[] = [
  {
    id: 'AUDIT-FARM-01',
    category: 'farm',
    title: 'Repeating a call earns more than the maximum',
    advice: 'Pay for a state once, when it is reached for the first time.',
    proof: 'excess',
    *attempts(context) {
      for (const call of simpleCalls(context)) yield repeatInput(showCall(call), call.tool, call.input);
      for (const { name } of context.tools) {
        for (const input of context.inputsOf(name).slice(1, 4))
          yield repeatInput(showCall({ do: 'call', tool: name, input }), name, input);
      }
    },
  },
  {
    id: 'AUDIT-FARM-02',
    category: 'farm',
    title: 'Doing and undoing earns more than the maximum',
    advice: 'Take back the reward of what is undone, or pay only for new states.',
    proof: 'excess',
    *attempts(context) {
      for (const [one, other] of pairsOf(simpleCalls(context), MAX_PAIRS)) {
        const steps = Array.from({ length: REPETITIONS / 2 }, () => [one, other]).flat();
        yield { what: `${showCall(one)} and ${showCall(other)} in turn`, steps: () => steps };
      }
    },
  },
  {
    id: 'AUDIT-FARM-03',
    category: 'farm',
    title: 'Negative amounts earn a reward',
    advice: 'Set minimum: 0 in the schema of amounts.',
    proof: 'constant',
    *attempts(context) {
      for (const { tool, name, base } of numberSlots(context)) {
        for (const value of [-1, -100, -1_000_000]) {
          const call: CallStep = { do: 'call', tool, input: { ...base, [name]: value } };
          yield { what: `${tool}.${name} is ${value}`, steps: () => [call] };
          const others = context.tools.filter((each) => each.name !== tool);
          for (const other of others) {
            const end: CallStep = { do: 'call', tool: other.name, input: context.inputsOf(other.name)[0] ?? {} };
            yield { what: `${tool}.${name} is ${value}, then ${other.name}`, steps: () => [call, end] };
          }
        }
      }
    },
  },
  {
    id: 'AUDIT-FARM-04',
    category: 'farm',
    title: 'Calls that change nothing earn more than the maximum',
    advice: 'Pay for changes only, and reject an amount of 0.',
    proof: 'excess',
    *attempts(context) {
      for (const slot of numberSlots(context)) {
        for (const value of [0, 1e-9, -0.001]) {
          yield repeatInput(`${slotName(slot)} is ${value}`, slot.tool, { ...slot.base, [slot.name]: value });
        }
      }
      for (const slot of context.slots.filter(({ type, choices }) => type === 'string' && choices.length === 0)) {
        yield repeatInput(`${slotName(slot)} is empty`, slot.tool, { ...slot.base, [slot.name]: '' });
      }
    },
  },
  {
    id: 'AUDIT-FARM-05',
    category: 'farm',
    title: 'Other spellings of one answer pay again',
    advice: 'Normalize case, white space, numbers and look-alikes (NFKC) before you look for answers that were given.',
    proof: 'excess',
    paying: 'needed',
    attempts: () => [
      {
        what: 'the call that earns the reward, then with other spellings of its texts',
        steps: ({ paying }) => paying && [...paying.before, paying.call, ...respelled(paying.call)],
      },
    ],
  },
  {
    id: 'AUDIT-FARM-06',
    category: 'farm',
    title: 'Trying all answers one after the other wins',
    advice: 'Limit the number of wrong answers, or pay less after each.',
    proof: 'source',
    *attempts({ slots }) {
      for (const slot of slots) {
        const values = optionsOf(slot);
        const steps = values.map(
          (value): TranscriptStep => ({ do: 'call', tool: slot.tool, input: { ...slot.base, [slot.name]: value } }),
        );
        if (steps.length > 1) yield { what: `${slotName(slot)} is each option in turn`, steps: () => steps };
      }
    },
  },
];

function optionsOf({ choices, type }: InputSlot): readonly JSONValue[] {
  if (choices.length > 0) return choices.slice(0, MAX_OPTIONS);
  if (type === 'boolean') return [true, false];
  return type === 'number'
    ? Array.from({ length: MAX_OPTIONS }, (_, value) => value)
    : ['A', 'B', 'C', 'D', 'E', 'yes', 'no'];
}
