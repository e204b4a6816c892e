import { expect, test } from '@jest/globals';
import type { Attack, TaskView } from '../../src/audit/attack.ts';
import { createMinimizer } from '../../src/audit/minimize.ts';
import { minimizeSteps, type TranscriptRun, type TranscriptStep } from '../../src/audit/transcript.ts';

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

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const letterCalls = LETTERS.map((letter): TranscriptStep => ({ do: 'call', tool: 'submit', input: { letter } }));

/** Minimizes a call per letter on a task, in which each letter of a word is paid, and all of them are needed. */
async function minimizeLetters(word: string, isShown: boolean) {
  let plays = 0;
  const lettersOf = (steps: readonly TranscriptStep[]) =>
    steps.map((step) => (step.do === 'call' ? String(step.input.letter) : ''));
  // The other fields of an attack, a task and a run are not read.
  const { minimize } = createMinimizer({ proof: 'source' } as Attack, async (_view, steps) => {
    plays++;
    const letters = lettersOf(steps);
    const calls = letters.map((letter) => ({ reward: word.includes(letter) ? 0.2 : 0 }));
    return [...word].every((letter) => letters.includes(letter)) ? ({ calls } as unknown as TranscriptRun) : undefined;
  });
  const kept = await minimize({} as TaskView, letterCalls, isShown);
  return { kept: lettersOf(kept).join(''), plays };
}

test('tries the calls that earned a reward before it halves a transcript', async () => {
  const { kept, plays } = await minimizeLetters('birdy', true);

  expect(kept).toBe('bdiry');
  expect(plays).toBeLessThan(16);
});

test('does not minimize the steps of tasks that are not shown', async () => {
  const { kept, plays } = await minimizeLetters('birdy', false);

  expect([kept, plays]).toEqual([LETTERS.join(''), 0]);
});
