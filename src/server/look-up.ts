import { type Awaitable, isPromiseLike, startTimer } from '../core/index.ts';
import { Wait } from '../hosting/index.ts';
import { OrsError } from '../protocol/index.ts';

/**
 * Asks an environment for something that it should have soon: tasks, a prompt. One that takes longer than it may is told
 * to stop, and not waited for.
 *
 * @throws OrsError author_error if it takes too long.
 */
export function lookUp<T>(timeoutMs: number, ask: (wait: Wait) => Awaitable<T>, wait = new Wait()): Awaitable<T> {
  const since = performance.now();
  const answer = ask(wait);
  return isPromiseLike(answer) ? inTime(timeoutMs, since, answer, wait) : answer;
}

async function inTime<T>(timeoutMs: number, since: number, answer: Promise<T>, wait: Wait): Promise<T> {
  let tooLong: Error | undefined;
  const giveUp = () => {
    tooLong = new Error(`it took longer than ${timeoutMs} ms`);
    wait.end(tooLong);
  };
  const cancelTimer = startTimer(since + timeoutMs - performance.now(), giveUp);
  try {
    return await answer;
  } catch (error) {
    if (!tooLong || error !== tooLong) throw error;
    throw new OrsError('author_error', `the environment was stopped: ${tooLong.message}`, { cause: tooLong });
  } finally {
    cancelTimer();
  }
}
