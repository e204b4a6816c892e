import { performance } from 'node:perf_hooks';
import { hasOwnCore } from '../process/pinning.ts';

/**
 * Runs work while the event loop polls for I/O instead of sleeping. Waking a process that sleeps costs the server about
 * 15 us per write on a virtual machine, and a slow server pays it more often than a fast one, whose next response
 * arrives before the load generator falls asleep: the server's CPU time would depend on the load generator. A load
 * generator that shares its core with the server sleeps, because polling would take CPU time from the server.
 *
 * @returns whether the load generator was saturated: it had I/O to process in every turn of the event loop.
 */
export async function busyPoll(work: () => Promise<void>): Promise<{ isSaturated: boolean }> {
  if (!hasOwnCore()) {
    await work();
    return { isSaturated: false };
  }
  const before = { ...performance.nodeTiming.uvMetricsInfo };
  let isDone = false;
  const poll = () => void (isDone || setImmediate(poll));
  poll();
  try {
    await work();
  } finally {
    isDone = true;
  }
  const { events, loopCount } = performance.nodeTiming.uvMetricsInfo;
  return { isSaturated: events - before.events >= loopCount - before.loopCount };
}
