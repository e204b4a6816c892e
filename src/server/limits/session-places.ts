import { type Awaitable, deadlineSignal, Semaphore } from '../../core/index.ts';
import type { Observer } from '../observe/observer.ts';
import type { ServerSettings } from '../settings.ts';
import { serverFullError, shuttingDownError, tooManySessionsError } from './unavailable.ts';

/** A request for a new episode. */
interface SlotRequest {
  readonly caller: string | undefined;
  onClose(listener: () => void): void;
}

type SessionLimits = Pick<ServerSettings, 'maxSessions' | 'maxSessionsPerKey' | 'capacityWaitMs'>;

/**
 * The places of sessions. A place is taken from `/create` on until the session is torn down. Who finds none waits a
 * while, since not every client tries again by itself.
 */
export class SessionSlots {
  readonly #limits: SessionLimits;
  readonly #semaphore: Semaphore;
  readonly #observer: Pick<Observer, 'waiting' | 'rejected'>;
  readonly #closed = new AbortController();

  constructor(limits: SessionLimits, observer: Pick<Observer, 'waiting' | 'rejected'>) {
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.maxSessions, { perOwner: limits.maxSessionsPerKey });
    this.#observer = observer;
  }

  /** @throws HttpError 503 if the server is full or closed, 429 if the caller has as many as one may have. */
  acquire(applicant: SlotRequest): Awaitable<void> {
    if (!this.#semaphore.tryAcquire(applicant.caller)) return this.#acquireQueued(applicant);
  }

  /** Frees a place that a caller has. */
  release(caller: string | undefined): void {
    this.#semaphore.release(caller);
  }

  /** Refuses all who wait, and whoever comes later. */
  close(): void {
    this.#closed.abort();
  }

  async #acquireQueued(applicant: SlotRequest): Promise<void> {
    if (this.#closed.signal.aborted || !(await this.#wait(applicant))) throw this.#rejection(applicant);
  }

  async #wait({ caller, onClose }: SlotRequest): Promise<boolean> {
    const deadline = deadlineSignal(this.#limits.capacityWaitMs, () => 'no place was free', this.#closed.signal);
    // A place must not go to a client that has disconnected.
    onClose(() => deadline.abort('the client has disconnected'));
    const done = this.#observer.waiting('session');
    const isAdmitted = await this.#semaphore.acquire({ owner: caller, signal: deadline.signal });
    done();
    deadline.release();
    return isAdmitted;
  }

  #rejection({ caller }: SlotRequest) {
    const { maxSessions, maxSessionsPerKey } = this.#limits;
    if (this.#closed.signal.aborted) {
      this.#observer.rejected('draining');
      return shuttingDownError();
    }
    this.#observer.rejected('capacity');
    if (this.#semaphore.isFullFor(caller)) {
      return tooManySessionsError({ active: this.#semaphore.inUseBy(caller), max: maxSessionsPerKey });
    }
    return serverFullError({ active: this.#semaphore.inUse, max: maxSessions });
  }
}
