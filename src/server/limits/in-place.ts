import type { Awaitable } from '../../core/index.ts';
import type { Places } from './places.ts';

interface Stay {
  /** Aborts when the work is not wanted any more. */
  readonly signal: AbortSignal;
  /** How long after that the place is kept for work that goes on nevertheless. */
  readonly graceMs: number;
  /** Told that the work has to wait; what comes back is told that it waits no more. */
  readonly waiting: () => () => void;
}

/**
 * Runs work in a place, for which it may have to wait. Work that is not wanted any more before it has a place runs
 * without one, to find that out.
 */
export async function inPlace<T>(
  places: Places,
  { signal, graceMs, waiting }: Stay,
  work: () => Awaitable<T>,
): Promise<T> {
  if (!places.take() && !(await waitFor(places, signal, waiting))) return work();
  let isLeft = false;
  const leave = () => {
    if (!isLeft) places.leave();
    isLeft = true;
  };
  // Work that never ends must not keep its place for ever.
  const abandon = () => void setTimeout(leave, graceMs).unref();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', abandon);
    leave();
  }
}

async function waitFor(places: Places, signal: AbortSignal, waiting: Stay['waiting']): Promise<boolean> {
  const done = waiting();
  const isAdmitted = await places.wait(signal);
  done();
  return isAdmitted;
}
