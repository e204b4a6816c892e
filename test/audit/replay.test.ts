import { afterAll, describe, expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import {
  type AuditFinding,
  audit,
  parseFinding,
  type ReplayFindingOptions,
  replayFinding,
} from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { isRight, type QuizChange, type QuizTask, quiz, type Turn, words } from './corpus/kinds.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const log = pino({ level: 'silent' });
const LEAK: QuizChange = { publicTask: (task: QuizTask) => ({ ...task }) };
const paidAgain = (turn: Turn) => ({ text: 'Noted.', reward: isRight(turn) ? 1 : 0 });
const PAID_AGAIN: QuizChange = { grade: paidAgain };

/** Findings by quiz. */
const findings = new Map<QuizChange, Promise<AuditFinding>>();

/** Returns the finding of an attack on a quiz, as it is written to a file; searches it once per quiz. */
function findingOf(change: QuizChange, attack: string): Promise<AuditFinding> {
  const known = findings.get(change) ?? findIn(change, attack);
  findings.set(change, known);
  return known;
}

async function findIn(change: QuizChange, attack: string): Promise<AuditFinding> {
  const { findings } = await audit(
    { environments: [quiz('quiz', words, change)] },
    { inputs, tasks: 3, attacks: [attack] },
  );
  return parseFinding(JSON.parse(JSON.stringify(findings[0])));
}

async function replayOn(change: QuizChange, finding: AuditFinding, options: ReplayFindingOptions = {}) {
  await using server = await serve([quiz('quiz', words, change)], { port: 0, log });
  await using client = new OrsClient(server.url);
  const results = await replayFinding(client, finding, options);
  return results.map(({ isReproduced, reward, unmet }) => [isReproduced, reward, unmet?.claim]);
}

describe('judges a replay by the claim of the attack:', () => {
  test('a leak is fixed if players cannot read the value any more, although it still wins', async () => {
    const finding = await findingOf(LEAK, 'AUDIT-LEAK-01');

    expect(await replayOn(LEAK, finding)).toEqual(Array(3).fill([true, 1, undefined]));
    expect(await replayOn({}, finding)).toEqual(Array(3).fill([false, 0, 'readable']));
    expect(await replayOn({}, finding, { isLiteral: true })).toEqual(Array(3).fill([true, 1, undefined]));
  });

  test('a leak of other answers is read again', async () => {
    const finding = await findingOf(LEAK, 'AUDIT-LEAK-01');
    const other = (task: QuizTask) => ({ ...task, answer: `${task.answer}s` });

    expect(await replayOn({ ...LEAK, tasks: other }, finding)).toEqual(Array(3).fill([true, 1, undefined]));
  });

  test('a call that is paid twice is fixed if it is paid once', async () => {
    const finding = await findingOf(PAID_AGAIN, 'AUDIT-REPEAT-01');
    const paidOnce = (turn: Turn) => {
      const isFirst = !turn.state.paid.has('paid');
      turn.state.paid.add('paid');
      return { text: 'Noted.', reward: isRight(turn) && isFirst ? 1 : 0 };
    };

    expect(await replayOn(PAID_AGAIN, finding)).toEqual(Array(3).fill([true, 2, undefined]));
    expect(await replayOn({ grade: paidOnce }, finding)).toEqual(Array(3).fill([false, 1, 'above-maximum']));
    expect(await replayOn(PAID_AGAIN, finding, { maxReward: 2 })).toEqual(Array(3).fill([false, 2, 'above-maximum']));
  });

  test('an answer that wins must win, and earn more than the floor', async () => {
    const graded = (reward: number) => ({
      grade: (turn: Turn) => ({ text: 'Noted.', reward: turn.input.answer === '' ? reward : 0, finished: true }),
    });
    const finding = await findingOf(graded(1), 'AUDIT-TEXT-01');

    expect(await replayOn(graded(1), finding)).toEqual(Array(3).fill([true, 1, undefined]));
    expect(await replayOn(graded(0.4), finding)).toEqual(Array(3).fill([false, 0.4, 'wins']));
    expect(await replayOn(graded(0.6), { ...finding, floor: 0.5 })).toEqual(Array(3).fill([false, 0.6, 'above-floor']));
  });
});

test('says that a transcript could not be played', async () => {
  const finding = await findingOf(PAID_AGAIN, 'AUDIT-REPEAT-01');
  const refuse = () => {
    throw new Error('no licence');
  };
  await using server = await serve([quiz('quiz', words, { setup: refuse })], { port: 0, log });
  await using client = new OrsClient(server.url);

  const [first] = await replayFinding(client, finding, { isLiteral: true });

  expect([first?.isReproduced, first?.unmet?.claim ?? first?.failure]).toEqual([false, expect.any(String)]);
});

test('calls no tool whose effects cannot be undone, unless the user owns the environment', async () => {
  const finding = await findingOf(PAID_AGAIN, 'AUDIT-REPEAT-01');
  const changed: QuizChange = { grade: paidAgain, description: 'Submit the answer. This cannot be undone.' };

  await expect(replayOn(changed, finding)).rejects.toThrow('--i-own-this');
  expect(await replayOn(changed, finding, { ownsEnvironment: true })).toEqual(Array(3).fill([true, 2, undefined]));
});

describe('parseFinding', () => {
  const call = { do: 'call', tool: 'submit', input: {} };
  const valid = {
    ...{ environment: 'quiz', attack: 'AUDIT-LEAK-01', split: 'train', what: '', floor: 0, maxReward: null },
    replays: [{ split: 'train', index: 0, reward: null, steps: [call, { do: 'together', calls: [call] }] }],
  };
  const withStep = (step: object) => ({ ...valid, replays: [{ ...valid.replays[0], steps: [step] }] });

  test('accepts a finding with an infinite reward', () => {
    expect(parseFinding(valid)).toBe(valid);
  });

  test.each([
    null,
    {},
    { ...valid, floor: '0' },
    { ...valid, replays: [{}] },
    { ...valid, attack: 'AUDIT-LEAK-99' },
    withStep({ do: 'run' }),
    withStep({ ...call, tool: 1 }),
    withStep({ ...call, read: { at: '/answer' } }),
    withStep({ do: 'wait', ms: 1e9 }),
    withStep({ do: 'open', index: -1 }),
  ])('rejects %j', (value) => {
    expect(() => parseFinding(value)).toThrow('invalid finding');
  });
});
