import { AsyncLocalStorage } from 'node:async_hooks';
import { OrsClientError, ToolCallError } from '../../client/index.ts';
import { deferred, errorMessage } from '../../core/index.ts';

/** Fails an episode with an error that its agent did not handle; returns false if the episode has ended. */
type FailEpisode = (error: unknown) => boolean;

const currentEpisode = new AsyncLocalStorage<FailEpisode>();
/** Episodes by the errors of their calls, which may surface in any promise derived from a call. */
const episodesByError = new WeakMap<object, FailEpisode>();

/** Wraps an unhandled error, which is a bug of the agent, unless the server caused it. */
export function toUnhandledError(error: unknown, problem: string): unknown {
  if (error instanceof OrsClientError && !(error instanceof ToolCallError)) return error;
  return new Error(`${problem}: ${errorMessage(error)}; await every call`, { cause: error });
}

/** Captures the errors that the agent of one episode does not handle, as far as they can be attributed to it. */
export function captureUnhandledErrors() {
  let isOver = false;
  const first = deferred<never>();
  // Its rejection is not unhandled, even if nothing waits for it.
  first.promise.catch(() => undefined);
  const fail: FailEpisode = (error) => {
    if (isOver) return false;
    first.reject(toUnhandledError(error, 'the agent did not handle an error'));
    return true;
  };
  return {
    /** Runs the agent, so that its unhandled errors can be attributed. */
    run: <T>(work: () => T): T => currentEpisode.run(fail, work),
    /** Attributes the error with which a call of the agent rejected. */
    recordRejection(error: unknown): void {
      if (typeof error === 'object' && error !== null) episodesByError.set(error, fail);
    },
    /** Rejects with the first unhandled error of the agent. */
    first: first.promise,
    /** Stops attributing errors to this episode. */
    close(): void {
      isOver = true;
    },
  };
}

/**
 * Fails the episode whose agent did not handle an error. Call it from `uncaughtException` and `unhandledRejection`.
 *
 * @returns false if the error belongs to no running episode.
 * @example
 * process.on('uncaughtException', (error) => {
 *   if (!attributeUnhandledError(error)) throw error;
 * });
 */
export function attributeUnhandledError(error: unknown): boolean {
  const known = typeof error === 'object' && error !== null ? episodesByError.get(error) : undefined;
  return (known ?? currentEpisode.getStore())?.(error) ?? false;
}
