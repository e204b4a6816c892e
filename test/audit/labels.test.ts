import { describe, expect, test } from '@jest/globals';
import type { AuditContext, TaskView } from '../../src/audit/attack.ts';
import { attacks } from '../../src/audit/index.ts';
import {
  asksForCopy,
  containsValue,
  describesIrreversible,
  LABELLED_VALUES,
  labelledValue,
  ONLY_LINE,
  textsBetween,
} from '../../src/audit/labels.ts';
import { findPayingCalls } from '../../src/audit/paying-calls.ts';
import { NOT_PLAYED } from '../../src/audit/play-transcript.ts';
import { copyDoubt } from '../../src/audit/prove.ts';
import type { JSONObject } from '../../src/protocol/index.ts';

const valuesIn = (text: string) => LABELLED_VALUES.map((pattern) => labelledValue(text, pattern));

test.each([
  ['The answer is 42.', '42'],
  ['Wrong. The correct answer was "red fox".', 'red fox'],
  ['{"id": 1, "expected": "amber"}', 'amber'],
  ['expected 42, got 7', '42'],
  ['Submit the answer.\nThe word; expected: hmsgjsd', 'hmsgjsd'],
  ['Answer: New York', 'New York'],
  ['First add them.\n#### 1,234', '1,234'],
  ['so it is \\boxed{x^2}', 'x^2'],
  ['The right one was: north!', 'north'],
  ['<!-- answer=amber -->', 'amber'],
])('reads the value that %j calls the answer', (text, value) => {
  expect(valuesIn(text)).toContain(value);
});

test.each(['Submit the word.', 'What is 3 + 4?'])('reads no value from %j', (text) => {
  expect(valuesIn(text).filter((value) => value !== undefined)).toEqual([]);
});

test('recognizes prompts that ask for a copy', () => {
  expect(['Repeat this: amber', 'Reply with exactly: yes'].map(asksForCopy)).toEqual([true, true]);
  expect(asksForCopy('What is 3 + 4? Submit the answer.')).toBe(false);
});

test('looks for values as whole words', () => {
  expect([containsValue('a 42 b', '42'), containsValue('a 421 b', '42'), containsValue('a', '')]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ['amber\n', 'amber'],
  ['  two words  ', 'two words'],
  ['one\ntwo', undefined],
  ['  \n ', undefined],
])('reads the only line of %j', (text, line) => {
  expect(labelledValue(text, ONLY_LINE)).toBe(line);
});

test('returns the texts between marks, without one that does not end', () => {
  expect([...textsBetween('a <!--b--> c <!-- d --> <!-- e', '<!--', '-->')]).toEqual(['b', ' d ']);
});

describe('descriptions of irreversible tools', () => {
  test.each([
    'Pays out. This cannot be undone.',
    'Closes the case. You can\u2019t undo this.',
    'Irreversibly removes the row.',
    'Once sent, it can never be reverted.',
    'Resets the machine; there is no way back.',
    'Deletes the customer record.',
    'Use this tool to delete an account.',
    'Permanently removes the item.',
    'Wipes the disk.',
    'Drop the table of users.',
    'Sends an e-mail to the customer.',
    'Send a reminder.',
    'Send a message to the user.',
    'Purchase an item from the shop.',
    'Buys shares at the market price.',
    'Places an order.',
    'Pay an invoice.',
    'Pays the supplier with the company card.',
    'Transfer money between accounts.',
    'Transfers an amount to another account.',
    'Deploys the service.',
    'Builds the app, then deploys it to production.',
    'Publish the package.',
    'Push the branch to origin.',
    'Cancel a reservation.',
    'Charge the customer.',
    'Looks up the user and emails the customer.',
    'Sign the contract.',
    'Not only permanently deletes the file, but also its copies.',
    'Not permanent for you, but it cannot be undone for others.',
    'Can this be undone? No.',
    'Notes:\n- Deletes all files\n- Reports the count',
  ])('contain %j', (description) => {
    expect(describesIrreversible(description)).toBe(true);
  });

  test.each([
    '',
    'Cannot be undone? Use undo.',
    'Deletes the file. This can be undone.',
    'Moves the piece. Use undo to take it back.',
    'A non-destructive preview.',
    'This is not irreversible.',
    'Nothing here is permanent.',
    'No real money is moved.',
    'Does not delete anything.',
    'It never sends e-mails.',
    'Look up a purchase.',
    'List orders, transfers and payments.',
    'Returns the status of the deployment.',
    'Simulates a purchase of an item.',
    'Transfers money between accounts in the sandbox.',
    'Delete the last character.',
    'Submit the answer. Pays 1 if it is right, else 0.',
    'Send the answer.',
    'Send your final answer to finish the episode.',
    'Transfer the disc from one peg to another.',
    'Drop a disc into a column.',
    'Format the answer.',
    'Pay attention to the clue.',
    'Submit the order of the words.',
    'Undo the last move.',
    'Book an amount on an account.',
    'Close the day.',
    'Cannot be used to recover a password.',
    'Write with a pen; the text stays readable.',
  ])('do not contain %j', (description) => {
    expect(describesIrreversible(description)).toBe(false);
  });
});

/** Repeats a part up to a length. */
const longText = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

const HOSTILE: readonly (readonly [name: string, part: string, end: string])[] = [
  ['spaces', ' ', 'x'],
  ['tabs and line feeds', '\t\n', 'x'],
  ['digits', '1', 'x'],
  ['dots', '.', '"'],
  ['brackets', '[', ''],
  ['braces', '\\boxed{', ''],
  ['comments without an end', '<!--', ''],
  ['marks of options', '- ', ''],
  ['labels', 'answer ', ''],
  ['labels with signs', 'the key: ', '.'],
  ['labels with quotes', 'answer\u201c', ''],
  ['labels with spaces', `answer${' '.repeat(400)}`, '"'],
  ['words with hyphens', 'key-', '"'],
  ['letters', 'a', '\n\nb'],
  ['words of descriptions', 'to send a ', ''],
  ['denials', 'not cannot be ', ''],
];

describe('copyDoubt', () => {
  /** Returns the doubts about the value of each of three tasks. */
  const doubtsOf = (field: string, tasks: readonly JSONObject[], prompt: (task: JSONObject) => string) => {
    const views = tasks.map((task, index): TaskView => {
      const seen = { prompt: prompt(task), hiddenTexts: [], tools: [], neighbour: () => undefined, paying: undefined };
      return { split: 'train', index, task, listed: task, ...seen };
    });
    return views.map((view) => copyDoubt(view, String(view.task[field]), views));
  };
  const people = [
    { name: 'Bob', from: 'Rome', home: 'Paris' },
    { name: 'Ann', from: 'Oslo', home: 'Lima' },
    { name: 'Cem', from: 'Bonn', home: 'Cairo' },
  ];
  const reading = ({ name, from, home }: JSONObject) =>
    `${name} moved from ${from} to ${home}. Where does ${name} live?`;
  const choices = ['Paris', 'Lima', 'Cairo'];
  const withAnswer = people.map((task) => ({ ...task, answer: task.home }));

  test('doubts a value in a template of several fields', () => {
    expect(doubtsOf('home', people, reading)).toEqual(Array(3).fill(expect.stringContaining('template of the fields')));
  });

  test.each<[string, string, readonly JSONObject[], (task: JSONObject) => string]>([
    ['that another field repeats', 'answer', withAnswer, reading],
    [
      'that is one of the choices of the task',
      'home',
      people.map((task) => ({ ...task, choices })),
      ({ name }) => `Where does ${name} live? ${choices.join(', ')}`,
    ],
    ['that is one of the choices of the prompt', 'home', people, ({ name }) => `${name}? ${choices.join(', ')}`],
    [
      'in a text of the task',
      'home',
      people.map((task) => ({ text: reading(task), home: task.home })),
      ({ text }) => `Read this: ${text}`,
    ],
    ['that the prompt calls the answer', 'home', people, ({ name, home }) => `${name}? (Answer: ${home})`],
    [
      'in a field called answer',
      'answer',
      people.map(({ name, home }) => ({ name, answer: home })),
      ({ name, answer }) => `${name}? <!-- ${answer} -->`,
    ],
  ])('does not doubt a value %s', (_title, field, tasks, prompt) => {
    expect(doubtsOf(field, tasks, prompt)).toEqual(Array(3).fill(undefined));
  });
});

/** Time on the processor, which other processes do not lengthen: quadratic time would be above 20 s. */
const cpuMsSince = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1_000;

describe('hostile texts', () => {
  test.each(HOSTILE)('of %s are searched in linear time', (_name, part, end) => {
    const text = `answer ${longText(part, 200_000)}${end}`;
    const before = process.cpuUsage();

    for (const pattern of [...LABELLED_VALUES, ONLY_LINE]) new RegExp(pattern, 'iu').exec(text);

    expect(cpuMsSince(before)).toBeLessThan(2_000);
  });

  test.each(HOSTILE)('of %s do not block an attack', async (_name, part, end) => {
    const text = `options: ${longText(part, 200_000)}${end}`;
    const schema = { type: 'object', properties: { answer: { type: 'string', description: text } } };
    const tool = { name: 'submit', description: text, input_schema: schema };
    const view: TaskView = {
      ...{ split: 'train', index: 1, task: { text }, listed: { text }, prompt: text, hiddenTexts: [text] },
      ...{ tools: [tool], neighbour: () => ({ text }), paying: undefined },
    };
    const views = [view, { ...view, index: 2 }];
    const base = { answer: '' };
    const slots = [{ tool: 'submit', name: 'answer', type: 'string' as const, choices: [], base }];
    const context: AuditContext = { tools: [tool], terminal: null, slots, inputsOf: () => [base], views, seed: 1 };
    const before = process.cpuUsage();

    describesIrreversible(text);
    await findPayingCalls(context, view, async () => NOT_PLAYED, undefined);
    for (const attack of attacks) {
      for (const attempt of attack.attempts(context)) {
        if (attempt.steps(view)) attempt.doubt?.(view);
      }
    }

    expect(cpuMsSince(before)).toBeLessThan(3_000);
  });
});
