import { type Awaitable, isPromiseLike, onAbort, type Semaphore, startTimer } from '../../core/index.ts';
import { LazyAbortController } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';

export interface PermitOptions {
  /** Aborts when the result is no longer wanted. */
  readonly signal: AbortSignal;
  /** How long the permit is kept after that for work that continues, in ms. */
  readonly graceMs: number;
  /** Called when the work has to wait; calls what it returns when the wait is over. */
  readonly waiting: () => () => void;
}

/**
 * Runs work with a permit of a semaphore, and waits for the permit if necessary. Work that is cancelled while it waits runs
 * without a permit, since it only has to notice that.
 */
export async function withPermit<T>(
  semaphore: Semaphore,
  { signal, graceMs, waiting }: PermitOptions,
  work: () => Awaitable<T>,
): Promise<T> {
  if (!semaphore.tryAcquire()) {
    const done = waiting();
    const isAcquired = await semaphore.acquire({ signal });
    done();
    if (!isAcquired) return work();
  }
  let isReleased = false;
  const release = () => {
    if (!isReleased) semaphore.release();
    isReleased = true;
  };
  let cancelTimer = () => {};
  // Work that never ends must not keep its permit for ever.
  const stopListening = onAbort(signal, () => {
    cancelTimer = startTimer(graceMs, release, { unref: true });
  });
  try {
    return await work();
  } finally {
    stopListening();
    cancelTimer();
    release();
  }
}

/**
 * Runs a lookup, such as finding a task or creating a prompt, with a time limit. A lookup that exceeds the limit is
 * cancelled and no longer awaited. A synchronous result is returned without a promise.
 *
 * @throws OrsError author_error if the lookup takes too long.
 */
export function withLookupTimeout<T>(
  timeoutMs: number,
  lookUp: (wait: LazyAbortController) => Awaitable<T>,
  wait = new LazyAbortController(),
): Awaitable<T> {
  const since = performance.now();
  const result = lookUp(wait);
  if (!isPromiseLike(result)) return result;
  const cancelTimer = startTimer(since + timeoutMs - performance.now(), () => {
    const cause = new Error(`it took longer than ${timeoutMs} ms`);
    wait.abort(new OrsError('author_error', `the environment was stopped: ${cause.message}`, { cause }));
  });
  return Promise.resolve(result).finally(cancelTimer);
}
