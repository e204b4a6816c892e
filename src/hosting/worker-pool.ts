import { PendingPromises, settlesWithin } from '../core/index.ts';
import { cleanUpOrphans } from './reap.ts';
import type { WorkerThread } from './thread.ts';
import { type WorkerEpisode, WorkerHost } from './worker-host.ts';

/** Where a new episode is to live. */
export interface WorkerAssignment {
  readonly host: WorkerHost;
  /** The worker is for this episode alone. */
  readonly isDedicated: boolean;
}

/** What clean-ups may take when the server closes: teardowns have had 20 s then, and who started us soon kills. */
const ORPHAN_CLEANUP_TIMEOUT_MS = 8_000;

/** The workers of a module: some that sessions share, each session staying in its own, or one for each session. */
export class WorkerPool {
  readonly #start: () => WorkerThread;
  readonly #isShared: boolean;
  /** So many share the sessions, and questions that belong to none. */
  readonly #maxShared: number;
  readonly #shared = new Set<WorkerHost>();
  /** Those that another has taken the place of; each ends when it has answered what it was asked. */
  readonly #replaced = new Set<WorkerHost>();
  readonly #cleanupWorkers = new Set<WorkerHost>();
  readonly #hosts = new Set<WorkerHost>();
  readonly #cleanups = new PendingPromises();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(start: () => WorkerThread, threads: number | 'session') {
    this.#start = start;
    this.#isShared = threads !== 'session';
    this.#maxShared = threads === 'session' ? 1 : threads;
  }

  /** For questions that belong to no session: the shared worker with the least to do. */
  get leastLoaded(): WorkerHost {
    const [host] = this.#open.sort(byLoad);
    if (!host) return this.#startShared();
    if (!host.isUnresponsive) return host;
    return this.#open.length < this.#maxShared ? this.#startShared() : (this.#replace() ?? host);
  }

  assign(): WorkerAssignment {
    if (!this.#isShared) return { host: this.#startHost(), isDedicated: true };
    const host = this.leastLoaded;
    const isRoom = host.episodeCount === 0 || this.#open.length >= this.#maxShared;
    return { host: isRoom ? host : this.#startShared(), isDedicated: false };
  }

  /** Ends all workers, and has what lost ones left behind cleaned up, for as long as there is time for that. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const endAll = (hosts: Iterable<WorkerHost>) =>
      Promise.all(Array.from(hosts, (host) => host.terminate('the server has closed')));
    await endAll([...this.#hosts].filter((host) => !this.#cleanupWorkers.has(host)));
    await settlesWithin(ORPHAN_CLEANUP_TIMEOUT_MS, this.#cleanups.settled());
    this.#isClosed = true;
    await endAll(this.#hosts);
    await this.#cleanups.settled();
  }

  /** The shared workers that take more. */
  get #open(): WorkerHost[] {
    return [...this.#shared].filter(({ isTerminating }) => !isTerminating);
  }

  /**
   * Where all are stuck, one that only questions of no session keep busy gives its place to a new one. They go on: what
   * takes long may still be right. At most as many are replaced at a time as there are places.
   */
  #replace(): WorkerHost | undefined {
    const busy = this.#open.find(({ episodeCount }) => episodeCount === 0);
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
    const host: WorkerHost = new WorkerHost(this.#start(), (lost) => {
      for (const hosts of [this.#hosts, this.#shared, this.#replaced, this.#cleanupWorkers]) hosts.delete(host);
      this.#cleanUpOrphans(lost.filter(({ handles }) => handles.length > 0));
    });
    this.#hosts.add(host);
    return host;
  }

  #cleanUpOrphans(lost: readonly WorkerEpisode[]): void {
    if (lost.length === 0 || this.#isClosed) return;
    const startReaper = () => {
      const host = this.#startHost();
      this.#cleanupWorkers.add(host);
      return host;
    };
    void this.#cleanups.add(cleanUpOrphans(lost, startReaper));
  }
}

/** Those that are not stuck first, then those with the least to do. */
const byLoad = (a: WorkerHost, b: WorkerHost): number =>
  Number(a.isUnresponsive) - Number(b.isUnresponsive) || a.load - b.load;
