import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { appendAll, fromBase64, largest, smallest, toBase64 } from '../../src/core/index.ts';
import { resolveTask } from '../../src/environment/index.ts';
import { summarizeShownRewards } from '../../src/viewer/page/parts/rewards.ts';
import { compareTexts } from '../../src/viewer/page/payload/diff-lines.ts';

/** More than any engine takes as arguments of one call. */
const MANY = 300_000;

/** Runs something where the stack has room for 8,000 arguments, and not for many more. */
function nearEndOfStack<T>(run: () => T): T {
  const descend = <R>(left: number, end: () => R): R => (left <= 0 ? end() : descend(left - 1, end));
  const probe = () => String.fromCharCode.apply(undefined, new Array(8_000).fill(97)).length;
  const fits = (depth: number): boolean => {
    try {
      return descend(depth, probe) === 8_000;
    } catch {
      return false;
    }
  };
  let depth = 0;
  while (fits(depth + 100)) depth += 100;
  return descend(depth, run);
}

test('encodes five megabytes as base64 when little of the stack is left', () => {
  const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => index * 7);

  const text = nearEndOfStack(() => toBase64(bytes));

  expect(text).toBe(Buffer.from(bytes).toString('base64'));
  expect(Buffer.compare(Buffer.from(fromBase64(text)), Buffer.from(bytes))).toBe(0);
});

test.each([0, 1, 2, 3, 1_023, 1_024, 1_025, 4_097])('encodes %s bytes as base64', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => 255 - index);

  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});

test('appends and compares more values than a call takes arguments', () => {
  const values = Array.from({ length: MANY }, (_, index) => index);
  const all = [-1];

  appendAll(all, values);

  expect(all).toHaveLength(MANY + 1);
  expect([smallest(all), largest(all), smallest([]), largest([])]).toEqual([-1, MANY - 1, Infinity, -Infinity]);
});

test('summarizes the rewards of a very large group', () => {
  const rewards = Array.from({ length: MANY }, (_, index) => index % 2);

  expect(summarizeShownRewards(rewards)).toMatchObject({ count: MANY, mean: 0.5, min: 0, max: 1 });
});

test('finds a task among very many that are shown alike', async () => {
  const environment = defineEnvironment({
    name: 'alike',
    splits: { train: Array.from({ length: MANY }, () => ({ n: 1, answer: 1 })) },
    publicTask: ({ n }) => ({ n }),
    prompt: () => '',
    tools: { look: { description: 'Look.', run: () => ({ text: 'seen' }) } },
  });

  await expect(resolveTask(environment, { n: 1 })).resolves.toEqual({ n: 1, answer: 1 });
});

test('shows the differences of very long texts', () => {
  const lines = (word: string) => Array.from({ length: MANY }, (_, at) => `${word} ${at}`).join('\n');

  expect(compareTexts('', lines('one'))).toHaveLength(MANY);
});
