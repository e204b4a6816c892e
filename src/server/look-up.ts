import { type Awaitable, isPromiseLike, startTimer } from '../core/index.ts';
import { LazyAbortController } from '../hosting/index.ts';
import { OrsError } from '../protocol/index.ts';

/**
 * Asks an environment for something that it should have soon: tasks, a prompt. One that takes longer than it may is told
 * to stop, and not waited for.
 *
 * @throws OrsError author_error if it takes too long.
 */
export function withLookupTimeout<T>(
  timeoutMs: number,
  ask: (wait: LazyAbortController) => Awaitable<T>,
  wait = new LazyAbortController(),
): Awaitable<T> {
  const since = performance.now();
  const response = ask(wait);
  return isPromiseLike(response) ? inTime(timeoutMs, since, response, wait) : response;
}

async function inTime<T>(
  timeoutMs: number,
  since: number,
  response: Promise<T>,
  wait: LazyAbortController,
): Promise<T> {
  let tooLong: Error | undefined;
  const giveUp = () => {
    tooLong = new Error(`it took longer than ${timeoutMs} ms`);
    wait.abort(tooLong);
  };
  const cancelTimer = startTimer(since + timeoutMs - performance.now(), giveUp);
  try {
    return await response;
  } catch (error) {
    if (!tooLong || error !== tooLong) throw error;
    throw new OrsError('author_error', `the environment was stopped: ${tooLong.message}`, { cause: tooLong });
  } finally {
    cancelTimer();
  }
}
