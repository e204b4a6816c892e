import { Mutex, PendingPromises, previewJson, settlesWithin, withTimeout } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { describeThrown, WorkerLostError } from './errors.ts';
import { type WorkerEpisode, WorkerHost } from './worker-host.ts';
import type { WorkerThread } from './worker-thread.ts';

/** Time for cleaning up orphans on close. Teardowns have had 20 s before, and a process manager kills soon after. */
const ORPHAN_CLEANUP_TIMEOUT_MS = 8_000;

/**
 * Supervises the workers of a module: starts them, assigns episodes, replaces unresponsive ones and cleans up after lost
 * ones. Either sessions share a number of workers, each session staying in one, or each session gets its own.
 */
export class WorkerPool {
  readonly #startThread: () => WorkerThread;
  readonly #isShared: boolean;
  /** Maximum number of shared workers. They also run calls that belong to no session. */
  readonly #maxShared: number;
  readonly #shared = new Set<WorkerHost>();
  /** Unresponsive workers that have been replaced. Each one terminates when it is idle. */
  readonly #replaced = new Set<WorkerHost>();
  readonly #cleanupWorkers = new Set<WorkerHost>();
  readonly #hosts = new Set<WorkerHost>();
  readonly #cleanups = new PendingPromises();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(startThread: () => WorkerThread, threads: number | 'session') {
    this.#startThread = startThread;
    this.#isShared = threads !== 'session';
    this.#maxShared = threads === 'session' ? 1 : threads;
  }

  /** The shared worker with the lowest load, for calls that belong to no session. */
  get leastLoaded(): WorkerHost {
    const [host] = this.#available.sort(byLoad);
    if (!host) return this.#startShared();
    if (!host.isUnresponsive) return host;
    return this.#available.length < this.#maxShared ? this.#startShared() : (this.#replaceOne() ?? host);
  }

  /** Selects or starts the worker for a new episode. A dedicated worker runs only this episode. */
  assign(): { readonly host: WorkerHost; readonly isDedicated: boolean } {
    if (!this.#isShared) return { host: this.#startHost(), isDedicated: true };
    const host = this.leastLoaded;
    const isRoom = host.episodeCount === 0 || this.#available.length >= this.#maxShared;
    return { host: isRoom ? host : this.#startShared(), isDedicated: false };
  }

  /** Terminates all workers. Waits for a limited time until orphans are cleaned up. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const terminateAll = (hosts: Iterable<WorkerHost>) =>
      Promise.all(Array.from(hosts, (host) => host.terminate('the server has closed')));
    await terminateAll([...this.#hosts].filter((host) => !this.#cleanupWorkers.has(host)));
    await settlesWithin(ORPHAN_CLEANUP_TIMEOUT_MS, this.#cleanups.settled());
    this.#isClosed = true;
    await terminateAll(this.#hosts);
    await this.#cleanups.settled();
  }

  get #available(): WorkerHost[] {
    return [...this.#shared].filter(({ isTerminating }) => !isTerminating);
  }

  /**
   * Replaces an unresponsive worker without episodes. Its calls continue, since they can be slow but correct. The number
   * of replaced workers is limited to that of shared ones.
   */
  #replaceOne(): WorkerHost | undefined {
    const busy = this.#available.find(({ episodeCount }) => episodeCount === 0);
    if (!busy || this.#replaced.size >= this.#maxShared) return undefined;
    this.#shared.delete(busy);
    this.#replaced.add(busy);
    busy.terminateWhenIdle();
    return this.#startShared();
  }

  #startShared(): WorkerHost {
    const host = this.#startHost();
    this.#shared.add(host);
    return host;
  }

  #startHost(): WorkerHost {
    if (this.#isClosed) throw new Error('the workers of this environment have been closed');
    const host: WorkerHost = new WorkerHost(this.#startThread(), (lost) => {
      for (const hosts of [this.#hosts, this.#shared, this.#replaced, this.#cleanupWorkers]) hosts.delete(host);
      this.#cleanUpOrphans(lost.filter(({ handles }) => handles.length > 0));
    });
    this.#hosts.add(host);
    return host;
  }

  #cleanUpOrphans(lost: readonly WorkerEpisode[]): void {
    if (lost.length === 0 || this.#isClosed) return;
    const startHost = () => {
      const host = this.#startHost();
      this.#cleanupWorkers.add(host);
      return host;
    };
    void this.#cleanups.add(cleanUpOrphans(lost, startHost));
  }
}

/** Sorts responsive workers first, then by load. */
const byLoad = (a: WorkerHost, b: WorkerHost): number =>
  Number(a.isUnresponsive) - Number(b.isUnresponsive) || a.load - b.load;

const HANDLE_CLEANUP_TIMEOUT_MS = 30_000;
/** A clean-up worker that does not respond for this time is terminated. */
const CLEANUP_UNRESPONSIVE_MS = 5_000;

/**
 * Runs `reap` in new workers for the handles of lost episodes, for each episode in reverse order. The first worker cleans
 * up all episodes concurrently. If it is lost, the rest is cleaned up one episode at a time, so that one episode cannot
 * harm another. Failures and timeouts are passed to `onError` of the session. Sets `cleanedUp` of all episodes at once.
 */
export async function cleanUpOrphans(lost: readonly WorkerEpisode[], startHost: () => WorkerHost): Promise<void> {
  let host = startHost();
  const mutex = new Mutex();
  const watch = setInterval(() => void host.terminateIfUnresponsive(CLEANUP_UNRESPONSIVE_MS), 1_000);
  const reapAlone = async (episode: WorkerEpisode) => {
    while (episode.handles.length > 0) {
      if (host.exit) host = startHost();
      await reapIn(host, episode);
      if (host.exit) reportLeft(episode, episode.handles.splice(-1), host.exit.error ?? host.exit.why);
    }
  };
  const enqueue = (episode: WorkerEpisode): Promise<void> =>
    mutex.run(() => reapAlone(episode)).catch((error) => reportLeft(episode, episode.handles.splice(0), error));
  for (const episode of lost) {
    episode.cleanedUp = reapIn(host, episode).then(() => (episode.handles.length > 0 ? enqueue(episode) : undefined));
  }
  await Promise.all(lost.map(({ cleanedUp }) => cleanedUp));
  clearInterval(watch);
  await host.terminate('it had nothing left to do');
}

/** Removes each handle that is cleaned up or has failed. The remaining ones stay if the worker is lost. */
async function reapIn(host: WorkerHost, { environment, handles, session }: WorkerEpisode): Promise<void> {
  while (handles.length > 0) {
    const handle = handles.at(-1) as JSONValue;
    const onTimeout = () => leftError(handle, `its reap took longer than ${HANDLE_CLEANUP_TIMEOUT_MS / 1_000} s`);
    try {
      await withTimeout(HANDLE_CLEANUP_TIMEOUT_MS, host.rpc.call('reap', { environment, handle }), onTimeout);
    } catch (error) {
      if (error instanceof WorkerLostError) return;
      session.onError('reap', error);
    }
    handles.pop();
  }
}

function reportLeft({ session }: WorkerEpisode, handles: readonly JSONValue[], why: unknown): void {
  const reason = typeof why === 'string' ? why : describeThrown(why, 'message');
  for (const handle of handles) session.onError('reap', leftError(handle, reason));
}

const leftError = (handle: JSONValue, why: string) =>
  new Error(`the resources of handle ${previewJson(handle)} may be left: ${why}`);
