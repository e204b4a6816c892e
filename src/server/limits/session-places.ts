import type { Awaitable } from '../../core/index.ts';
import type { Observer } from '../observe/observer.ts';
import type { Settings } from '../settings.ts';
import { Places } from './places.ts';
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
  readonly #places: Places;
  readonly #observer: Pick<Observer, 'waiting' | 'refused'>;
  readonly #waiting = new Set<AbortController>();
  #isClosed = false;

  constructor(limits: Limits, observer: Pick<Observer, 'waiting' | 'refused'>) {
    this.#limits = limits;
    this.#places = new Places(limits.maxSessions, limits.maxSessionsPerKey);
    this.#observer = observer;
  }

  /** @throws HttpError 503 if the server is full or closed, 429 if the caller has as many as one may have. */
  enter(applicant: Applicant): Awaitable<void> {
    if (!this.#places.take(applicant.caller)) return this.#enterLater(applicant);
  }

  /** Frees a place that a caller has. */
  leave(caller: string | undefined): void {
    this.#places.leave(caller);
  }

  /** Nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    for (const wait of this.#waiting) wait.abort();
  }

  async #enterLater(applicant: Applicant): Promise<void> {
    if (this.#isClosed || !(await this.#wait(applicant))) throw this.#refuse(applicant);
  }

  async #wait({ caller, onClose }: Applicant): Promise<boolean> {
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(), this.#limits.capacityWaitMs);
    this.#waiting.add(wait);
    // A place for somebody who is gone would be nobody's.
    onClose(() => wait.abort());
    const done = this.#observer.waiting('session');
    const isAdmitted = await this.#places.wait(wait.signal, caller);
    done();
    this.#waiting.delete(wait);
    clearTimeout(timer);
    return isAdmitted;
  }

  #refuse({ caller }: Applicant) {
    const { maxSessions, maxSessionsPerKey } = this.#limits;
    if (this.#isClosed) {
      this.#observer.refused('draining');
      return shuttingDown();
    }
    this.#observer.refused('capacity');
    if (this.#places.isFullFor(caller)) {
      return tooMany({ active: this.#places.takenBy(caller), max: maxSessionsPerKey });
    }
    return full({ active: this.#places.taken, max: maxSessions });
  }
}
