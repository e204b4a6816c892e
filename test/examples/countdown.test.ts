import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { play } from 'ors-kit/testing';
import { type Expression, evaluate, format, numbersIn, parse } from '../../examples/countdown/arithmetic.ts';
import environment from '../../examples/countdown/environment.ts';
import { createPuzzle, solvePuzzle } from '../../examples/countdown/puzzle.ts';
import fc, { runs } from '../support/fast-check.ts';

const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: 1, max: 100 }),
    fc.record({ operator: fc.constantFrom('+', '-', '*', '/'), left: tie('tree'), right: tie('tree') }),
  ),
}));
const seeds = fc.integer({ min: 0, max: 1_000_000 });
const amounts = fc.constantFrom(4, 6);

test.each([
  ['1 + 2 * 3', 7, 1],
  ['(1 + 2) * 3', 9, 1],
  ['10 - 4 - 3', 3, 1],
  ['10 - (4 - 3)', 9, 1],
  ['100 / 10 / 5', 2, 1],
  ['7 / 2', 7, 2],
  ['1 / 3 * 3', 1, 1],
  ['2 - 5', -3, 1],
  ['1 / (2 - 4)', -1, 2],
  ['3 × 4 − 6 ÷ 2', 9, 1],
  [' ( ( 8 ) ) ', 8, 1],
])('%s is %i/%i', (text, top, bottom) => {
  expect(evaluate(parse(text))).toEqual({ top, bottom });
});

test.each([
  ['', "Expected a whole number or '(' at character 1, found the end."],
  ['3 +', "Expected a whole number or '(' at character 4, found the end."],
  ['(3 + 4', "Expected an operator or ')' at character 7, found the end."],
  ['3 4', "Expected an operator or the end at character 3, found '4'."],
  ['3 + 4)', "Expected an operator or the end at character 6, found ')'."],
  ['-3', "Expected a whole number or '(' at character 1, found '-'."],
  ['2 ** 3', "Expected a whole number or '(' at character 4, found '*'."],
  ['process.exit()', "Expected a whole number or '(' at character 1, found 'p'."],
  ['1.5', "Expected an operator or the end at character 2, found '.'."],
  ['('.repeat(201), 'An expression has at most 200 characters.'],
])('rejects %j as arithmetic', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('reports which division is by zero', () => {
  expect(() => evaluate(parse('1 + 8 / (2 - 2)'))).toThrow("'8 / (2 - 2)' divides by zero.");
});

test('parses a formatted expression back with the same value and the same numbers', () => {
  fc.assert(
    fc.property(
      tree.filter((expression) => format(expression).length <= 200),
      (expression) => {
        const again = parse(format(expression));

        expect(numbersIn(again)).toEqual(numbersIn(expression));
        expect(valueIn(again)).toEqual(valueIn(expression));
      },
    ),
    { numRuns: runs(300) },
  );
});

test('every solution reaches its target and uses each number once at most', () => {
  fc.assert(
    fc.property(seeds, amounts, (index, amount) => {
      const { numbers, target, solution } = createPuzzle(1, index, amount);

      const expression = parse(solution);

      expect(evaluate(expression)).toEqual({ top: target, bottom: 1 });
      expect(isPartOf(numbersIn(expression), numbers)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

test('the solver finds a solution for every solvable puzzle', () => {
  fc.assert(
    fc.property(seeds, amounts, (index, amount) => {
      const { numbers, target } = createPuzzle(2, index, amount);

      const expression = parse(solvePuzzle(numbers, target) ?? '');

      expect(evaluate(expression)).toEqual({ top: target, bottom: 1 });
      expect(isPartOf(numbersIn(expression), numbers)).toBe(true);
    }),
    { numRuns: runs(60) },
  );
});

test('the solver returns undefined for an unsolvable puzzle', () => {
  expect(solvePuzzle([1, 1, 2, 2, 3, 3], 999)).toBeUndefined();
});

test.each([
  ['without a solution', { numbers: [1, 2], target: 999 }],
  ['too large to search', { numbers: Array(30).fill(7), target: 999 }],
  ['of another shape', { numbers: 'many' }],
])('rejects a task %s', async (_name, task) => {
  await expect(play(environment, { task })).rejects.toThrow("task_spec is not a task of 'countdown'");
});

test.each([
  ['3 * 4', 'Wrong: 3 * 4 = 12, not 100.', 0],
  ['3 * 4 *', "Wrong: Expected a whole number or '(' at character 8, found the end.", 0],
  ['99 + 1', 'Wrong: 99 is not one of the numbers: the numbers are 25, 4, 3, 1.', 0],
  ['25 * 4 * (3 - 3)', 'Wrong: 3 is used too often: the numbers are 25, 4, 3, 1.', 0],
  ['25 * 4 + 3 / (1 - 1)', 'Wrong: 1 is used too often: the numbers are 25, 4, 3, 1.', 0],
  ['4 / (1 / 25)', 'Correct: 4 / (1 / 25) = 100, the target.', 1],
])('submitting %s ends the episode with a reason', async (expression, text, reward) => {
  await using episode = await play(environment, { task: { numbers: [25, 4, 3, 1], target: 100 } });

  expect(await episode.call('submit', { expression })).toMatchObject({ text, reward, finished: true });
});

test('a puzzle depends on its seed and index alone', () => {
  expect(createPuzzle(3, 777_777, 6)).toEqual(createPuzzle(3, 777_777, 6));
  expect(createPuzzle(3, 777_777, 6)).not.toEqual(createPuzzle(3, 777_778, 6));
  expect(createPuzzle(3, 777_777, 6)).not.toEqual(createPuzzle(4, 777_777, 6));
});

function valueIn(expression: Expression) {
  try {
    return evaluate(expression);
  } catch {
    return 'no value';
  }
}

function isPartOf(used: readonly number[], given: readonly number[]): boolean {
  return used.every((number) => count(used, number) <= count(given, number));
}

const count = (list: readonly number[], item: number) => list.filter((other) => other === item).length;

test.each(['scripts/start.ts', 'src/cli/commands/call.ts'])(
  'the command that %s suggests solves the task',
  async (file) => {
    const [, expression = ''] = readFileSync(file, 'utf8').match(/--split test --index 0 expression='(.+?)'/) ?? [];
    await using episode = await play(environment, { split: 'test', index: 0 });

    const { reward } = await episode.call('submit', { expression });

    expect(reward).toBe(1);
  },
);
