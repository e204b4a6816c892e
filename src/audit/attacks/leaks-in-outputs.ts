import { pointerSegment } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { type Attack, type AttackAttempt, type AuditContext, type InputSlot, slotName } from '../attack.ts';
import { LABELLED_VALUES } from '../labels.ts';
import { fitValue } from '../slots.ts';
import { type CallStep, MAIN, type TranscriptStep } from '../transcript.ts';

/** Returns values that are hardly ever right, by the type of a parameter. */
function wrongValues(slot: InputSlot): readonly JSONValue[] {
  const values: readonly JSONValue[] = slot.choices.length > 0 ? slot.choices.slice(0, 2) : ['zqx', -987_654, ['zqx']];
  return values.filter((value) => fitValue(slot, value) !== undefined).slice(0, 2);
}

/** Inputs that do not match the schema, or only just. */
const invalidInputs = ({ base, name }: InputSlot): readonly JSONObject[] => [{ ...base, [name]: null }, {}];

const submitRead = (slot: InputSlot, pattern: string): CallStep => ({
  do: 'call',
  tool: slot.tool,
  input: slot.base,
  read: { at: pointerSegment(slot.name), pattern, ...(slot.type === 'number' && { isNumber: true }) },
});

const readable = ({ slots }: AuditContext): readonly InputSlot[] =>
  slots.filter(({ type }) => type === 'string' || type === 'number' || type === 'other');

/** Yields attempts that provoke a text with a call, and submit what the text calls the answer. */
function* provoke(
  context: AuditContext,
  inputsOf: (slot: InputSlot) => readonly JSONObject[],
  describe: (slot: InputSlot) => string,
  before: (call: CallStep) => readonly TranscriptStep[] = (call) => [call],
): Generator<AttackAttempt> {
  for (const slot of readable(context)) {
    for (const input of inputsOf(slot)) {
      for (const pattern of LABELLED_VALUES) {
        const steps = [...before({ do: 'call', tool: slot.tool, input }), submitRead(slot, pattern)];
        yield { what: describe(slot), steps: () => steps };
      }
    }
  }
}

const wrongInputs = (slot: InputSlot): readonly JSONObject[] =>
  wrongValues(slot).map((value) => ({ ...slot.base, [slot.name]: fitValue(slot, value) ?? value }));

export const outputLeaks: readonly Attack[] = [
  {
    id: 'AUDIT-LEAK-12',
    category: 'leak',
    title: 'The error of a tool contains the answer',
    advice: 'Write errors without expected values.',
    proof: 'source',
    attempts: (context) =>
      provoke(
        context,
        invalidInputs,
        (slot) => `${slotName(slot)} is what the error of an invalid call calls the answer`,
      ),
  },
  {
    id: 'AUDIT-LEAK-13',
    category: 'leak',
    title: 'A tool says the answer after a wrong one, and accepts another answer',
    advice: 'Say the answer only when the episode is finished.',
    proof: 'source',
    attempts: (context) =>
      provoke(
        context,
        wrongInputs,
        (slot) => `${slotName(slot)} is what the response to a wrong answer calls the answer`,
      ),
  },
  {
    id: 'AUDIT-LEAK-14',
    category: 'leak',
    title: 'A session of another task says the answer',
    advice: 'Let the outputs of a session depend on its own task only.',
    proof: 'source',
    keepsSteps: true,
    *attempts(context) {
      const [first, second] = context.views;
      if (!first || !second) return;
      for (const distance of [1, -1]) {
        for (const slot of readable(context)) {
          for (const input of wrongInputs(slot)) {
            for (const pattern of LABELLED_VALUES) {
              yield {
                what: `${slotName(slot)} is what a session of the ${distance > 0 ? 'next' : 'previous'} task calls the answer`,
                steps: ({ index, neighbour }) =>
                  neighbour(distance) && [
                    { do: 'open', session: 'other', index: index + distance },
                    { do: 'call', session: 'other', tool: slot.tool, input },
                    { do: 'close', session: 'other' },
                    submitRead(slot, pattern),
                  ],
              };
            }
          }
        }
      }
    },
  },
  {
    id: 'AUDIT-LEAK-15',
    category: 'leak',
    title: 'An earlier session of the same task says the answer',
    advice: 'Do not say the answer at the end if agents remember earlier episodes.',
    proof: 'source',
    onlySuspicion: 'an agent needs a memory of earlier episodes to use it',
    attempts: (context) =>
      provoke(
        context,
        wrongInputs,
        (slot) => `${slotName(slot)} is what an earlier session of the task calls the answer`,
        (call) => [
          { ...call, session: 'earlier' },
          { do: 'close', session: 'earlier' },
          { do: 'open', session: MAIN },
        ],
      ),
  },
];
