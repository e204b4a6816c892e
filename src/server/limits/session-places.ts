import { type Awaitable, deadlineSignal, Semaphore } from '../../core/index.ts';
import type { Observer } from '../observe/observer.ts';
import type { Settings } from '../settings.ts';
import { full, shuttingDown, tooMany } from './unavailable.ts';

/** A request for a new episode. */
interface Applicant {
  readonly caller: string | undefined;
  onClose(listener: () => void): void;
}

type Limits = Pick<Settings, 'maxSessions' | 'maxSessionsPerKey' | 'capacityWaitMs'>;

/**
 * The places of sessions. A place is taken from `/create` on until the session is torn down. Who finds none waits a
 * while, since not every client tries again by itself.
 */
export class SessionPlaces {
  readonly #limits: Limits;
  readonly #semaphore: Semaphore;
  readonly #observer: Pick<Observer, 'waiting' | 'refused'>;
  readonly #closed = new AbortController();

  constructor(limits: Limits, observer: Pick<Observer, 'waiting' | 'refused'>) {
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.maxSessions, { perOwner: limits.maxSessionsPerKey });
    this.#observer = observer;
  }

  /** @throws HttpError 503 if the server is full or closed, 429 if the caller has as many as one may have. */
  enter(applicant: Applicant): Awaitable<void> {
    if (!this.#semaphore.tryAcquire(applicant.caller)) return this.#enterLater(applicant);
  }

  /** Frees a place that a caller has. */
  leave(caller: string | undefined): void {
    this.#semaphore.release(caller);
  }

  /** Refuses all who wait, and whoever comes later. */
  close(): void {
    this.#closed.abort();
  }

  async #enterLater(applicant: Applicant): Promise<void> {
    if (this.#closed.signal.aborted || !(await this.#wait(applicant))) throw this.#refuse(applicant);
  }

  async #wait({ caller, onClose }: Applicant): Promise<boolean> {
    const deadline = deadlineSignal(this.#limits.capacityWaitMs, () => 'no place was free', this.#closed.signal);
    // A place must not go to a client that has disconnected.
    onClose(() => deadline.abort('the client has disconnected'));
    const done = this.#observer.waiting('session');
    const isAdmitted = await this.#semaphore.acquire({ owner: caller, signal: deadline.signal });
    done();
    deadline.release();
    return isAdmitted;
  }

  #refuse({ caller }: Applicant) {
    const { maxSessions, maxSessionsPerKey } = this.#limits;
    if (this.#closed.signal.aborted) {
      this.#observer.refused('draining');
      return shuttingDown();
    }
    this.#observer.refused('capacity');
    if (this.#semaphore.isFullFor(caller)) {
      return tooMany({ active: this.#semaphore.inUseBy(caller), max: maxSessionsPerKey });
    }
    return full({ active: this.#semaphore.inUse, max: maxSessions });
  }
}
