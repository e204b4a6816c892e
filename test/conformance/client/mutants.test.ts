import { expect, jest, test } from '@jest/globals';
import { clientChecks, runClientChecks } from '../../../src/conformance/client/index.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { fakeAdapter } from './fake/fake-adapter.ts';
import { type Broken, type Fault, mutants } from './fake/mutants.ts';

// Each mutant is a run of all checks, which take long on a busy machine.
jest.setTimeout(600_000);

const AT_ONCE = 4;

/** Waits are scaled; the order of them is that of the standard. */
const TIMES = {
  silenceMs: 1_000,
  heartbeatMs: 400,
  patienceMs: 15_000,
  retryAfterMs: 1_000,
  packetMs: 5,
  commandMs: 30_000,
  startMs: 10_000,
  graceMs: 1_000,
};

test('the healthy client is noticed by no check, and every check can be made of it', async () => {
  const results = await hold(() => false);

  expect(results.filter(({ state }) => state !== 'pass').map(brief)).toEqual([]);
  expect(results).toHaveLength(clientChecks.length);
});

test('every mutant is noticed by exactly the checks that it declares', async () => {
  const queue = Object.entries(mutants) as [Fault, readonly string[]][];
  const wrong: unknown[] = [];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const [fault, declared] = mutant;
      const unclean = (await hold((each) => each === fault)).filter(({ state }) => state !== 'pass');
      const noticedBy = unclean.filter(({ violated }) => violated).map(({ check }) => check);
      const isRight = [...noticedBy].sort().join() === [...declared].sort().join();
      const isBroken = unclean.some(({ state }) => state === 'harness-error');
      if (!isRight || isBroken) wrong.push({ fault, declared, noticedBy, all: unclean.map(brief) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  expect(wrong).toEqual([]);
});

test('every check is noticed by a mutant, and no mutant declares more than four', () => {
  const declared = new Set<string>(Object.values(mutants).flat());

  expect(clientChecks.map(({ id }) => id).filter((id) => !declared.has(id))).toEqual([]);
  expect(Object.values(mutants).filter((checks) => checks.length > 4)).toEqual([]);
});

async function hold(broken: Broken): Promise<readonly Result[]> {
  const launch = fakeAdapter(broken, TIMES);
  const run = await runClientChecks({ times: TIMES, concurrency: 12 }, { checks: clientChecks, launch, suite: 'test' });
  return run.results;
}

const brief = ({ check, state, message }: Result) => `${state} ${check}: ${message}`;
