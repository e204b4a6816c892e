import { AsyncLocalStorage } from 'node:async_hooks';
import { OrsClientError, ToolCallError } from '../../client/index.ts';
import { deferred, errorMessage } from '../../core/index.ts';

/** Told of an error that the agent of an episode let go; false where the episode is over. */
type FailEpisode = (error: unknown) => boolean;

const playing = new AsyncLocalStorage<FailEpisode>();
/** What calls rejected with, by the episode of the call: it may come up in any promise that hangs on the call. */
const thrown = new WeakMap<object, FailEpisode>();

/** What an agent should have caught is its fault; but a server that is gone is none. */
export function toUnhandledError(error: unknown, what: string): unknown {
  if (error instanceof OrsClientError && !(error instanceof ToolCallError)) return error;
  return new Error(`${what}: ${errorMessage(error)}; await every call`, { cause: error });
}

/** Hears what an agent leaves uncaught, as far as it can be told which one. */
export interface UnhandledErrorScope {
  /** Runs the agent so that what it leaves uncaught is known to be its own. */
  run<T>(work: () => T): T;
  /** Notes what a call of the agent is rejected with. */
  recordRejection(error: unknown): void;
  /** Rejects with the first error that the agent left uncaught. */
  readonly first: Promise<never>;
  /** From now on nothing is this episode's. */
  close(): void;
}

export function captureUnhandledErrors(): UnhandledErrorScope {
  let isOver = false;
  const first = deferred<never>();
  // Nobody need wait for it.
  first.promise.catch(() => undefined);
  const fail: FailEpisode = (error) => {
    if (isOver) return false;
    first.reject(toUnhandledError(error, 'nothing in the agent caught this error'));
    return true;
  };
  return {
    run: (work) => playing.run(fail, work),
    recordRejection: (error) => {
      if (typeof error === 'object' && error !== null) thrown.set(error, fail);
    },
    first: first.promise,
    close: () => {
      isOver = true;
    },
  };
}

/**
 * Gives an error that nothing caught, such as `uncaughtException` tells of, to the episode whose agent let it go, which
 * fails by it.
 *
 * @returns whether there is such an episode.
 */
export function attributeUnhandledError(error: unknown): boolean {
  const known = typeof error === 'object' && error !== null ? thrown.get(error) : undefined;
  return (known ?? playing.getStore())?.(error) ?? false;
}
