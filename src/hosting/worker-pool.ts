import { reap } from './reap.ts';
import type { Thread } from './thread.ts';
import { type Lodger, WorkerHost } from './worker-host.ts';

/** Where a new episode is to live. */
export interface Place {
  readonly host: WorkerHost;
  /** The worker is for this episode alone. */
  readonly isAlone: boolean;
}

/** The workers of a module: some that sessions share, each session staying in its own, or one for each session. */
export class WorkerPool {
  readonly #start: () => Thread;
  readonly #threads: number | 'session';
  readonly #shared = new Set<WorkerHost>();
  readonly #hosts = new Set<WorkerHost>();
  readonly #reaping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(start: () => Thread, threads: number | 'session') {
    this.#start = start;
    this.#threads = threads;
  }

  /** For questions that belong to no session: the shared worker with the least to do. */
  get any(): WorkerHost {
    return this.#idlest() ?? this.#share();
  }

  place(): Place {
    if (this.#threads === 'session') return { host: this.#startHost(), isAlone: true };
    const idlest = this.#idlest();
    const isRoom = idlest && (idlest.lodgers.size === 0 || this.#shared.size >= this.#threads);
    return { host: isRoom ? idlest : this.#share(), isAlone: false };
  }

  /** Ends all workers, once what lost ones left behind is cleaned up. */
  async close(): Promise<void> {
    await Promise.all(this.#reaping);
    this.#isClosed = true;
    await Promise.all([...this.#hosts].map((host) => host.end('the server has closed')));
  }

  #idlest(): WorkerHost | undefined {
    const [first, ...others] = this.#shared;
    return others.reduce<WorkerHost | undefined>(
      (best, host) => (best === undefined || host.load < best.load ? host : best),
      first,
    );
  }

  #share(): WorkerHost {
    const host = this.#startHost();
    this.#shared.add(host);
    return host;
  }

  #startHost(): WorkerHost {
    if (this.#isClosed) throw new Error('the workers of this environment have been closed');
    const host: WorkerHost = new WorkerHost(this.#start(), (lost) => {
      this.#hosts.delete(host);
      this.#shared.delete(host);
      this.#reap(lost.filter(({ handles }) => handles.length > 0));
    });
    this.#hosts.add(host);
    return host;
  }

  #reap(lost: readonly Lodger[]): void {
    if (lost.length === 0 || this.#isClosed) return;
    const reaping = reap(lost, () => this.#startHost()).finally(() => this.#reaping.delete(reaping));
    this.#reaping.add(reaping);
    for (const lodger of lost) lodger.reaped = reaping;
  }
}
