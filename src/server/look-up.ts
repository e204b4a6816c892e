import { OrsError } from '../protocol/index.ts';
import { MAX_TIMER_MS } from './sessions/within.ts';

/**
 * Asks an environment for something that it should have soon: tasks, a prompt. One that takes longer than it may is told
 * to stop, by the signal, and not waited for.
 *
 * @throws OrsError author_error if it takes too long.
 */
export async function lookUp<T>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  abort = new AbortController(),
): Promise<T> {
  const tooLong = new Error(`it took longer than ${timeoutMs} ms`);
  const timer = setTimeout(() => abort.abort(tooLong), Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    return await ask(abort.signal);
  } catch (error) {
    if (error !== tooLong) throw error;
    throw new OrsError('author_error', `the environment was stopped: ${tooLong.message}`, { cause: tooLong });
  } finally {
    clearTimeout(timer);
  }
}
