import { pointerKeys, tryParseJson, valueAt } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import {
  type Attack,
  type AttackAttempt,
  type AuditContext,
  callOnce,
  fieldsIn,
  slotName,
  type TaskView,
} from '../attack.ts';
import { LABELLED_VALUES, labelledValue } from '../labels.ts';
import { copyDoubt } from '../prove.ts';
import { inputWith } from '../slots.ts';

/** Fields of a task that are tried, and items of each list. */
const MAX_FIELDS = 24;
const MAX_ITEMS = 4;
const LETTERS = 'ABCDEFGHIJ';

/** Returns an attempt per parameter that submits a value which each task has. */
export function* submitValue(
  { slots, views }: AuditContext,
  what: string,
  pickValue: (view: TaskView) => JSONValue | undefined,
): Generator<AttackAttempt> {
  const values = new Map<TaskView, JSONValue | undefined>();
  const valueIn = (view: TaskView) => {
    if (!values.has(view)) values.set(view, pickValue(view));
    return values.get(view);
  };
  for (const slot of slots) {
    yield {
      what: `${slotName(slot)} is ${what}`,
      steps: (view) => {
        const input = inputWith(slot, valueIn(view));
        return input && callOnce(slot.tool, input);
      },
      doubt: (view) => copyDoubt(view, String(valueIn(view) ?? ''), views),
    };
  }
}

const pointersOf = ({ views }: AuditContext, taskOf: (view: TaskView) => JSONObject | undefined): string[] => {
  const pointers = views.slice(0, 3).flatMap((view) => fieldsIn(taskOf(view), MAX_ITEMS).map(({ pointer }) => pointer));
  return [...new Set(pointers)].slice(0, MAX_FIELDS);
};

const publicTask = ({ listed, task }: TaskView): JSONObject => listed ?? task;

const fieldAt = (task: JSONObject | undefined, pointer: string): JSONValue | undefined =>
  valueAt(task, pointer) as JSONValue | undefined;

/** Common ways to hide a text without a key. */
const DECODERS: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ['in base64', (text) => printable(Buffer.from(text, 'base64').toString('utf8'))],
  [
    'in hexadecimal',
    (text) =>
      text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text)
        ? printable(Buffer.from(text, 'hex').toString('utf8'))
        : undefined,
  ],
  ['reversed', (text) => [...text].reverse().join('')],
  ['in ROT13', (text) => text.replace(/[a-z]/gi, rotate)],
  ['percent-encoded', (text) => (text.includes('%') ? decodeURIComponent(text) : undefined)],
  ['as JSON', (text) => answerInJson(text)],
];

const printable = (text: string): string | undefined => (/^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(text) ? text : undefined);

const rotate = (letter: string): string => {
  const first = letter <= 'Z' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
};

function answerInJson(text: string): string | undefined {
  const [first] = fieldsIn(tryParseJson(text) as JSONValue | undefined, MAX_ITEMS);
  return first && first.pointer !== '' ? String(first.value) : undefined;
}

function decoded(value: JSONValue | undefined, decode: (text: string) => string | undefined): string | undefined {
  try {
    const plain = typeof value === 'string' ? decode(value) : undefined;
    return plain === value ? undefined : plain;
  } catch {
    return undefined;
  }
}

export const taskLeaks: readonly Attack[] = [
  {
    id: 'AUDIT-LEAK-01',
    category: 'leak',
    title: 'The answer is a field of the public task',
    advice: 'Omit the field with publicTask, since players can list tasks.',
    proof: 'source',
    *attempts(context) {
      for (const pointer of pointersOf(context, publicTask)) {
        const what = `the field ${pointer} of the public task`;
        yield* submitValue(context, what, (view) => fieldAt(publicTask(view), pointer));
      }
    },
  },
  {
    id: 'AUDIT-LEAK-02',
    category: 'leak',
    title: 'A text of the public task contains the answer',
    advice: 'Remove worked solutions from the public task with publicTask.',
    proof: 'source',
    *attempts(context) {
      for (const pointer of pointersOf(context, publicTask)) {
        for (const pattern of LABELLED_VALUES) {
          yield* submitValue(context, `what the field ${pointer} of the public task calls the answer`, (view) =>
            labelledValue(String(fieldAt(publicTask(view), pointer) ?? ''), pattern),
          );
        }
      }
    },
  },
  {
    id: 'AUDIT-LEAK-03',
    category: 'leak',
    title: 'The public task contains the answer in another encoding',
    advice: 'Omit the field with publicTask; an encoding without a key hides nothing.',
    proof: 'source',
    *attempts(context) {
      for (const pointer of pointersOf(context, publicTask)) {
        for (const [how, decode] of DECODERS) {
          yield* submitValue(context, `the field ${pointer} of the public task, decoded: it is ${how}`, (view) =>
            decoded(fieldAt(publicTask(view), pointer), decode),
          );
        }
      }
    },
  },
  {
    id: 'AUDIT-LEAK-04',
    category: 'leak',
    title: 'The public task contains the position of the answer among its choices',
    advice: 'Omit the position with publicTask, and keep the choices.',
    proof: 'source',
    *attempts(context) {
      const [first] = context.views;
      const lists = Object.entries(first ? publicTask(first) : {}).filter(([, value]) => Array.isArray(value));
      for (const pointer of pointersOf(context, publicTask).filter((each) => pointerKeys(each)?.length === 1)) {
        const position = (view: TaskView) => Number(fieldAt(publicTask(view), pointer) ?? Number.NaN);
        for (const [key] of lists) {
          const what = `the item of /${key} at the position ${pointer}`;
          yield* submitValue(context, what, (view) => fieldAt(publicTask(view), `/${key}/${position(view)}`));
        }
        yield* submitValue(context, `the letter of the position ${pointer}`, (view) => LETTERS[position(view)]);
      }
    },
  },
  {
    id: 'AUDIT-LEAK-05',
    category: 'leak',
    title: 'Another task of the split contains the answer',
    advice: 'Omit fields about other tasks with publicTask.',
    proof: 'source',
    *attempts(context) {
      for (const distance of [-1, 1]) {
        for (const pointer of pointersOf(context, publicTask)) {
          const what = `the field ${pointer} of the ${distance < 0 ? 'previous' : 'next'} task`;
          yield* submitValue(context, what, (view) => fieldAt(view.neighbour(distance), pointer));
        }
      }
    },
  },
  {
    id: 'AUDIT-LEAK-06',
    category: 'leak',
    title: 'A task that is requested by its index has the answer, unlike the list of tasks',
    advice: 'Return the same public form of a task by its index and in the list.',
    proof: 'source',
    *attempts(context) {
      for (const pointer of pointersOf(context, ({ task }) => task)) {
        const isListed = context.views.some(
          ({ listed }) => listed === undefined || fieldAt(listed, pointer) !== undefined,
        );
        if (isListed) continue;
        yield* submitValue(context, `the field ${pointer} of the task by its index`, ({ task }) =>
          fieldAt(task, pointer),
        );
      }
    },
  },
  {
    id: 'AUDIT-LEAK-07',
    category: 'leak',
    title: 'The answer follows from the index of the task',
    advice: 'Shuffle the tasks, or the choices of each task, with a secret seed.',
    proof: 'source',
    *attempts(context) {
      const formulas: readonly (readonly [string, (index: number) => number])[] = [
        ['the index', (index) => index],
        ['the index plus 1', (index) => index + 1],
        ['twice the index', (index) => 2 * index],
        ['the square of the index', (index) => index * index],
        ['the parity of the index', (index) => index % 2],
      ];
      for (const [what, formula] of formulas) yield* submitValue(context, what, ({ index }) => formula(index));
      const cycles = context.slots.filter(({ choices }) => choices.length > 1);
      for (const slot of cycles) {
        for (const shift of slot.choices.keys()) {
          const { choices } = slot;
          yield* submitValue(
            { ...context, slots: [slot] },
            `each choice in turn, from number ${shift + 1}`,
            ({ index }) => choices[(index + shift) % choices.length],
          );
        }
      }
      for (const count of [2, 3, 4, 5]) {
        const what = `each of the first ${count} letters in turn`;
        yield* submitValue(context, what, ({ index }) => LETTERS[index % count]);
      }
    },
  },
];
