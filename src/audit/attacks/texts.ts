import type { JSONValue } from '../../protocol/index.ts';
import {
  type Attack,
  type AttackAttempt,
  callOnce,
  constantValue,
  type InputSlot,
  slotName,
  type TaskView,
} from '../attack.ts';
import { copyDoubt } from '../prove.ts';
import { acceptsText, inputWith } from '../slots.ts';
import type { CallStep, TranscriptStep } from '../transcript.ts';

type NamedValue = readonly [what: string, value: string];

const textAttack = (number: string, title: string, advice: string, values: readonly NamedValue[]): Attack => ({
  id: `AUDIT-TEXT-${number}`,
  category: 'text',
  title,
  advice,
  proof: 'constant',
  *attempts({ slots }) {
    for (const slot of slots.filter(acceptsText)) {
      for (const [what, value] of values) yield constantValue(slot, what, value);
    }
  },
});

/** Prefixes of one text that are tried. */
const MAX_PREFIXES = 24;

const numbersTo = (count: number): string => Array.from({ length: count }, (_, at) => at).join(' ');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const LONG = 'Let me think step by step and explain every detail of the answer carefully. ';

/** One option of a list, without spaces around it. */
const LISTED = /^(?:[-*•]|\(?[A-Ja-j0-9]{1,2}[).:])[ \t]+(\S.*)$/;

/** Returns the options that a prompt lists, such as `A) Paris` or `- Paris`. */
function listedOptions({ prompt }: TaskView): string[] {
  const lines = prompt.split('\n').map((line) => LISTED.exec(line.trim())?.[1] ?? '');
  const list = /(?:one of|choices|options|choose from|between)\b[:\s]+([^\n.?]+)/i.exec(prompt)?.[1] ?? '';
  const words = list.split(/,|\bor\b|\band\b|\//).map((word) => word.trim().replace(/^["']|["']$/g, ''));
  return [...lines, ...words].filter((option) => option !== '');
}

const joinAll = (options: readonly JSONValue[], separator: string): string | undefined =>
  options.length > 1 ? options.map(String).join(separator) : undefined;

/** Yields attempts that answer with all options at once. */
function* allOptions(slot: InputSlot, views: readonly TaskView[]): Generator<AttackAttempt> {
  for (const separator of [' ', ', ', '\n']) {
    yield {
      what: `${slotName(slot)} is a list of all options of the prompt`,
      steps: (view) => {
        const input = inputWith(slot, joinAll(listedOptions(view), separator));
        return input && callOnce(slot.tool, input);
      },
      doubt: (view) => copyDoubt(view, joinAll(listedOptions(view), separator) ?? '', views),
    };
  }
}

export const texts: readonly Attack[] = [
  textAttack('01', 'An empty answer wins', 'Reject empty texts before you compare.', [
    ['empty', ''],
    ['a space', ' '],
    ['a line feed', '\n'],
    ['a character without width', '\u200b'],
    ['a null character', '\u0000'],
    ['a full stop', '.'],
    ['a hyphen', '-'],
  ]),
  {
    id: 'AUDIT-TEXT-02',
    category: 'text',
    title: 'All options at once win',
    advice: 'Compare the whole answer with the right option; do not search the option in the answer.',
    proof: 'source',
    *attempts({ slots, views }) {
      const lists: readonly NamedValue[] = [
        ['all letters', [...LETTERS].join(' ')],
        ['all letters of choices', 'A, B, C, D, E'],
        ['all numbers to 1,000', numbersTo(1_001)],
        ['yes and no', 'yes no true false'],
        ['negative numbers', numbersTo(200).replaceAll(' ', ' -')],
      ];
      for (const slot of slots.filter(acceptsText)) {
        for (const [what, value] of lists) yield constantValue(slot, what, value);
        yield* allOptions(slot, views);
      }
      for (const slot of slots.filter(({ type, choices }) => type === 'array' && choices.length > 1)) {
        yield constantValue(slot, 'a list of all choices', slot.choices as JSONValue[]);
      }
    },
  },
  textAttack('03', 'A very long answer wins', 'Do not reward length; limit it with maxLength.', [
    ['a text of 4,000 characters', LONG.repeat(53)],
    ['a text of 100,000 characters', LONG.repeat(1_300)],
    ['one letter 100,000 times', 'a'.repeat(100_000)],
    ['4,000 headings and lists', '# Answer\n- **point**: detail\n'.repeat(140)],
  ]),
  textAttack('04', 'A pattern wins', 'Compare texts as they are, not as patterns.', [
    ['a regular expression', '.*'],
    ['a regular expression of words', '(.|\\n)*'],
    ['a wildcard of shells', '*'],
    ['a wildcard of SQL', '%'],
    ['an optional group', '()?'],
    ['an alternative', '|'],
    ['an anchor', '^'],
  ]),
  textAttack('05', 'Code in an answer wins', 'Do not evaluate answers, and pass them as parameters to queries.', [
    ['a condition of SQL', "' OR '1'='1"],
    ['a comment of SQL', "' OR 1=1 --"],
    ['true in Python', 'True'],
    ['a comparison that is true', '1==1'],
    ['a name of the grader', 'answer'],
    ['a field of the grader', 'task.answer'],
    ['a variable of the grader', 'expected'],
    ['a placeholder', '{answer}'],
    ['a placeholder of templates', '{{answer}}'],
    ['a placeholder of JavaScript', '$' + '{answer}'],
    ['a template of Python', '{0}'],
    ['a path of objects', '__proto__'],
    ['an inherited name', 'constructor'],
    ['another inherited name', 'toString'],
  ]),
  textAttack(
    '06',
    'Look-alike and invisible characters win',
    'Normalize texts with NFKC before you filter and compare.',
    [
      ['a zero of another script', '\u0660'],
      ['a full-width zero', '\uff10'],
      ['a Cyrillic letter', '\u0430'],
      ['a text from right to left', '\u202eabc'],
      ['a combining mark', '\u0301'],
      ['a lone surrogate', '\ufffd'],
      ['a soft hyphen', '\u00ad'],
      ['a byte order mark', '\ufeff'],
      ['an ideographic space', '\u3000'],
    ],
  ),
  {
    id: 'AUDIT-TEXT-07',
    category: 'text',
    title: 'Parts of the answer win',
    advice: 'Pay for the whole answer once; do not add up rewards of prefixes or letters.',
    proof: 'constant',
    *attempts({ slots }) {
      for (const slot of slots.filter(acceptsText)) {
        const steps = CHARACTERS.map(
          (character): TranscriptStep => ({
            do: 'call',
            tool: slot.tool,
            input: { ...slot.base, [slot.name]: character },
          }),
        );
        yield { what: `${slotName(slot)} is each letter and digit in turn`, steps: () => steps };
      }
    },
  },
  {
    id: 'AUDIT-TEXT-08',
    category: 'text',
    title: 'The prompt as the answer wins',
    advice: 'Do not search for keywords in an answer; require a short answer, or compare the whole of it.',
    proof: 'source',
    *attempts({ slots, views }) {
      for (const slot of slots.filter(acceptsText)) {
        for (const times of [1, 5]) {
          yield {
            what: `${slotName(slot)} is the prompt${times > 1 ? `, ${times} times` : ''}`,
            steps: ({ prompt }) => callOnce(slot.tool, { ...slot.base, [slot.name]: prompt.repeat(times) }),
            doubt: (view) => copyDoubt(view, view.prompt, views),
          };
        }
      }
    },
  },
  {
    id: 'AUDIT-TEXT-09',
    category: 'text',
    title: 'Prefixes of the answer pay again',
    advice: 'Pay for each part of the answer once, when it is found for the first time.',
    proof: 'excess',
    paying: 'needed',
    attempts: () => [
      {
        what: 'the prefixes of the texts of the call that earns the reward, then this call',
        steps: ({ paying }) => paying && [...paying.before, ...prefixCalls(paying.call), paying.call],
      },
    ],
  },
];

/** Returns the calls with prefixes of the texts in the input, the shortest first. */
function prefixCalls({ input, ...call }: CallStep): CallStep[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const characters = typeof value === 'string' ? [...value].slice(0, MAX_PREFIXES + 1) : [];
    return characters.slice(1).map((_, at) => ({
      ...call,
      input: { ...input, [name]: characters.slice(0, at + 1).join('') },
    }));
  });
}
