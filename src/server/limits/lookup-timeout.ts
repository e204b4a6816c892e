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
  return isPromiseLike(result) ? limitTime(timeoutMs, since, result, wait) : result;
}

async function limitTime<T>(
  timeoutMs: number,
  since: number,
  result: Promise<T>,
  wait: LazyAbortController,
): Promise<T> {
  let timeoutError: Error | undefined;
  const onTimeout = () => {
    timeoutError = new Error(`it took longer than ${timeoutMs} ms`);
    wait.abort(timeoutError);
  };
  const cancelTimer = startTimer(since + timeoutMs - performance.now(), onTimeout);
  try {
    return await result;
  } catch (error) {
    if (!timeoutError || error !== timeoutError) throw error;
    throw new OrsError('author_error', `the environment was stopped: ${timeoutError.message}`, { cause: timeoutError });
  } finally {
    cancelTimer();
  }
}
