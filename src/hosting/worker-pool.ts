import { PendingPromises, settlesWithin } from '../core/index.ts';
import { reap } from './reap.ts';
import type { Thread } from './thread.ts';
import { type Lodger, WorkerHost } from './worker-host.ts';

/** Where a new episode is to live. */
export interface Place {
  readonly host: WorkerHost;
  /** The worker is for this episode alone. */
  readonly isAlone: boolean;
}

/** What clean-ups may take when the server closes: teardowns have had 20 s then, and who started us soon kills. */
const LAST_REAPS_MS = 8_000;

/** The workers of a module: some that sessions share, each session staying in its own, or one for each session. */
export class WorkerPool {
  readonly #start: () => Thread;
  readonly #isShared: boolean;
  /** So many share the sessions, and questions that belong to none. */
  readonly #most: number;
  readonly #shared = new Set<WorkerHost>();
  /** Those that another has taken the place of; each ends when it has answered what it was asked. */
  readonly #replaced = new Set<WorkerHost>();
  readonly #reapers = new Set<WorkerHost>();
  readonly #hosts = new Set<WorkerHost>();
  readonly #reaping = new PendingPromises();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(start: () => Thread, threads: number | 'session') {
    this.#start = start;
    this.#isShared = threads !== 'session';
    this.#most = threads === 'session' ? 1 : threads;
  }

  /** For questions that belong to no session: the shared worker with the least to do. */
  get any(): WorkerHost {
    const [host] = this.#open.sort(byLoad);
    if (!host) return this.#share();
    if (!host.isStuck) return host;
    return this.#open.length < this.#most ? this.#share() : (this.#replace() ?? host);
  }

  place(): Place {
    if (!this.#isShared) return { host: this.#startHost(), isAlone: true };
    const host = this.any;
    const isRoom = host.lodgers === 0 || this.#open.length >= this.#most;
    return { host: isRoom ? host : this.#share(), isAlone: false };
  }

  /** Ends all workers, and has what lost ones left behind cleaned up, for as long as there is time for that. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const endAll = (hosts: Iterable<WorkerHost>) =>
      Promise.all(Array.from(hosts, (host) => host.end('the server has closed')));
    await endAll([...this.#hosts].filter((host) => !this.#reapers.has(host)));
    await settlesWithin(LAST_REAPS_MS, this.#reaping.settled());
    this.#isClosed = true;
    await endAll(this.#hosts);
    await this.#reaping.settled();
  }

  /** The shared workers that take more. */
  get #open(): WorkerHost[] {
    return [...this.#shared].filter(({ isEnding }) => !isEnding);
  }

  /**
   * Where all are stuck, one that only questions of no session keep busy gives its place to a new one. They go on: what
   * takes long may still be right. At most as many are replaced at a time as there are places.
   */
  #replace(): WorkerHost | undefined {
    const busy = this.#open.find(({ lodgers }) => lodgers === 0);
    if (!busy || this.#replaced.size >= this.#most) return undefined;
    this.#shared.delete(busy);
    this.#replaced.add(busy);
    busy.endWhenIdle();
    return this.#share();
  }

  #share(): WorkerHost {
    const host = this.#startHost();
    this.#shared.add(host);
    return host;
  }

  #startHost(): WorkerHost {
    if (this.#isClosed) throw new Error('the workers of this environment have been closed');
    const host: WorkerHost = new WorkerHost(this.#start(), (lost) => {
      for (const hosts of [this.#hosts, this.#shared, this.#replaced, this.#reapers]) hosts.delete(host);
      this.#reap(lost.filter(({ handles }) => handles.length > 0));
    });
    this.#hosts.add(host);
    return host;
  }

  #reap(lost: readonly Lodger[]): void {
    if (lost.length === 0 || this.#isClosed) return;
    const startReaper = () => {
      const host = this.#startHost();
      this.#reapers.add(host);
      return host;
    };
    void this.#reaping.add(reap(lost, startReaper));
  }
}

/** Those that are not stuck first, then those with the least to do. */
const byLoad = (a: WorkerHost, b: WorkerHost): number => Number(a.isStuck) - Number(b.isStuck) || a.load - b.load;
