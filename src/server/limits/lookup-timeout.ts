import { type Awaitable, isPromiseLike, startTimer } from '../../core/index.ts';
import { LazyAbortController } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';

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
