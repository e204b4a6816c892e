import { type ClientCheck, type ClientTimes, runClientChecks } from '../../../../src/conformance/client/index.ts';
import type { CheckRunResult } from '../../../../src/conformance/result.ts';
import { fakeAdapter } from './fake-adapter.ts';
import type { Broken } from './mutants.ts';

/** Scaled times, in the same order as those of the standard. */
const TIMES = {
  silenceMs: 1_000,
  heartbeatMs: 400,
  giveUpMs: 15_000,
  retryAfterMs: 1_000,
  packetMs: 5,
  commandMs: 30_000,
  startMs: 10_000,
  graceMs: 1_000,
};

/** Times for clients that are expected to fail: a healthy one may need longer on a busy machine. */
export const IMPATIENT = { giveUpMs: 5_000, commandMs: 4_000 };

/** Runs checks against the fake client. */
export async function holdClient(
  broken: Broken,
  checks: readonly ClientCheck[],
  changed: Partial<ClientTimes> = {},
): Promise<readonly CheckRunResult[]> {
  const times = { ...TIMES, ...changed };
  const launch = fakeAdapter(broken, times);
  const run = await runClientChecks({ times, concurrency: 12 }, { checks, launch, suite: 'test' });
  return run.results;
}

/** Calls a function for each item, a few at a time. */
export async function eachOf<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export const brief = ({ check, state, message }: CheckRunResult) => `${state} ${check}: ${message}`;
