import { expect, test } from '@jest/globals';
import { minimizeSteps } from '../../src/audit/transcript.ts';

/** Minimizes a list of 12 steps, of which these are needed. */
async function minimal(needed: readonly number[], maxTests = 200) {
  let tests = 0;
  const kept = await minimizeSteps(12, maxTests, async (positions) => {
    tests++;
    return needed.every((each) => positions.includes(each));
  });
  return { kept, tests };
}

test.each([[[0]], [[11]], [[3, 4]], [[0, 5, 11]], [[1, 3, 5, 7, 9]]])(
  'keeps the needed steps %j only',
  async (needed) => {
    expect((await minimal(needed)).kept).toEqual(needed);
  },
);

test('keeps all steps if each is needed', async () => {
  const all = Array.from({ length: 12 }, (_, at) => at);

  expect((await minimal(all)).kept).toEqual(all);
});

test('keeps one step if none is needed', async () => {
  expect((await minimal([])).kept).toHaveLength(1);
});

test('stops after the maximum number of tests', async () => {
  const { kept, tests } = await minimal([1, 3, 5, 7, 9], 4);

  expect(tests).toBeLessThanOrEqual(4);
  expect(kept).toEqual(expect.arrayContaining([1, 3, 5, 7, 9]));
});
