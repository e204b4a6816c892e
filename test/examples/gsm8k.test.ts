import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { parseNumber, sameNumber } from '../../examples/gsm8k/number.ts';
import { builtInProblems, readProblems } from '../../examples/gsm8k/problems.ts';
import { ORS, startCommand } from '../support/command.ts';

test.each([
  ['18', '18.'],
  ['18', ' 18 \n'],
  ['-3', '−3'],
  ['3', '+3'],
  ['2.5', '2.50'],
  ['0.5', '.5'],
  ['1/2', '0.5'],
  ['-1/4', '-0.25'],
  ['1000', '$1,000.00'],
  ['1000.5', '1 000.50'],
  ['-5', '-$5'],
  ['-5', '$-5'],
  ['72', '72%'],
  ['72', '72 %'],
  ['1234567', '1,234,567'],
  ['12345678901234567890', '12,345,678,901,234,567,890.0'],
])('%j and %j are the same number', (one, other) => {
  expect(sameNumber(one, other)).toBe(true);
  expect(sameNumber(other, one)).toBe(true);
});

test.each([
  ['18', '81'],
  ['3', '-3'],
  ['1/3', '0.3333'],
  ['12345678901234567890', '12345678901234567891'],
])('%j and %j differ', (one, other) => {
  expect(sameNumber(one, other)).toBe(false);
});

test.each([
  '',
  'banana',
  '18 apples',
  '9*2',
  '1e3',
  '2,5',
  '10,00',
  '1 00',
  '1/0',
  '--5',
  '-$-5',
  '.',
  '0x10',
  'NaN',
  '1'.repeat(101),
])('%j is not a number alone', (text) => {
  expect(parseNumber(text)).toBeUndefined();
  expect(sameNumber(text, text)).toBe(false);
});

/** The way to each answer, in the order of the problems. */
const workings = [
  5 * 38 + 38 / 2,
  5 + (140 - (5 * 12 - 16)) / 12,
  3 * 2.1 + 2 * 0.4,
  (900 - 900 / 3) / (25 - 5),
  21 + (21 / 3) * 4 + (21 + 9),
  (40 / 60) * 18 + (20 / 60) * 24,
  160 * 0.75 * 0.9,
  7 * 24 - (7 * 24) / 3 - 50,
  (27 / (4 + 5)) * 5,
  500 - 15 * (4 + 10),
  6 - 5 * 2 - 3 * 1,
  280 / 14 + (280 / 70 - 1) * 0.5,
  4 * ((2.5 * 6 - 6) / (4 - 2.5)),
  (347 - 19) % 10,
  250 * 0.6 * 12 + ((250 * 0.4) / 2) * 15,
  Math.floor(Math.min((12 / 3) * 8, (900 / 250) * 8)),
  1480 / 4 - (1480 + 120) / 5,
  Math.ceil((500 - 120) / (120 - 40)) + 1,
  [30, 70, 120, 180, 250, 330, 420].indexOf(420) + 1,
  65 * 16 + (80 - 65) * 8 - 80 * 9,
];

test('computes the answer of every built-in problem from its solution', () => {
  const answers = builtInProblems.map(({ answer }) => Number(answer.replace(',', '')));

  expect(answers).toHaveLength(20);
  for (const [index, answer] of answers.entries()) expect(answer).toBeCloseTo(workings[index] ?? Number.NaN, 9);
});

test('a file of JSON lines is read with the answers after the mark', async () => {
  await using file = await fileOf(
    '{"question": "Six pairs?", "answer": "6 * 2 = <<6*2=12>>12\\n#### 12"}\n\n{"question": "Much?", "answer": "#### 1,000"}\n',
  );

  expect(await readProblems(file.path)).toEqual([
    { question: 'Six pairs?', answer: '12' },
    { question: 'Much?', answer: '1,000' },
  ]);
});

test.each([
  ['{"question": "a", "answer": "#### 1"}\nnot json', 'line 2: invalid JSON'],
  ['{"question": "a"}', "line 1: 'question' and 'answer' must be strings"],
  ['{"question": "a", "answer": "twelve"}', "line 1: the answer must end in '####' and a number, found ''"],
  ['{"question": "a", "answer": "#### twelve"}', "line 1: the answer must end in '####' and a number, found 'twelve'"],
])('a file with %j is refused with the place of the mistake', async (content, message) => {
  await using file = await fileOf(content);

  await expect(readProblems(file.path)).rejects.toThrow(message);
});

test('the environment serves the file that GSM8K_FILE names, and grades without showing the answer', async () => {
  await using file = await fileOf('{"question": "How many is a gross?", "answer": "12 * 12\\n#### 144"}');
  // An environment reads its tasks once: in this process, other suites are to see the built-in problems.
  const serve = [...ORS, 'serve', 'examples/gsm8k/environment.ts', '--port', '0'];
  await using server = startCommand(serve, { GSM8K_FILE: file.path });
  const [url] = await server.says(/http:\/\/[\d.:]+/);
  await using session = await new OrsClient(url)
    .environment('gsm8k')
    .session({ task: { question: 'How many is a gross?' } });

  expect(JSON.stringify([await session.prompt(), await session.tools()])).not.toContain('144');
  expect(await session.call('submit', { answer: '144.0' })).toMatchObject({ reward: 1, finished: true });
});

async function fileOf(content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gsm8k-'));
  const path = join(folder, 'test.jsonl');
  await writeFile(path, content);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
