import { performance } from 'node:perf_hooks';
import { isLoadAlone } from '../process/pinning.ts';

/**
 * Works without ever sleeping: the event loop asks for what has come again and again instead of waiting for it. A server
 * pays for waking a process that sleeps, on a virtual machine some 15 us a write, and a slow one more often than a fast
 * one, whose next reply is there before the load would sleep: its CPU would tell about the load, not about the server.
 * A load that has no core to itself sleeps: awake, it would take from the server.
 *
 * @returns whether the load had more to do than it could: then each look found something.
 */
export async function awake(work: () => Promise<void>): Promise<{ isFull: boolean }> {
  if (!isLoadAlone()) {
    await work();
    return { isFull: false };
  }
  const before = { ...performance.nodeTiming.uvMetricsInfo };
  let isOver = false;
  const look = () => void (isOver || setImmediate(look));
  look();
  try {
    await work();
  } finally {
    isOver = true;
  }
  const { events, loopCount } = performance.nodeTiming.uvMetricsInfo;
  return { isFull: events - before.events >= loopCount - before.loopCount };
}
