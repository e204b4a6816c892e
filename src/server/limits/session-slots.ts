import { type Awaitable, deadlineSignal, Semaphore } from '../../core/index.ts';
import type { Observer } from '../observability/observer.ts';
import type { ServerSettings } from '../settings.ts';
import { serverFullError, shuttingDownError, tooManySessionsError } from './unavailable.ts';

/** A `/create` request that needs a slot. */
interface SlotRequest {
  readonly caller: string | undefined;
  onClose(listener: () => void): void;
}

type SessionLimits = Pick<ServerSettings, 'maxSessions' | 'maxSessionsPerKey' | 'capacityWaitMs'>;

/**
 * Limits the number of sessions. A session uses a slot from `/create` to the end of teardown. A request that finds no free
 * slot waits a while, since not all clients retry.
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

  /** @throws HttpError 503 if the server is full or closed, 429 if the caller has the maximum number of sessions. */
  acquire(request: SlotRequest): Awaitable<void> {
    if (!this.#semaphore.tryAcquire(request.caller)) return this.#acquireQueued(request);
  }

  /** Frees a slot of a caller. */
  release(caller: string | undefined): void {
    this.#semaphore.release(caller);
  }

  /** Rejects all waiting and later requests. */
  close(): void {
    this.#closed.abort();
  }

  async #acquireQueued(request: SlotRequest): Promise<void> {
    if (this.#closed.signal.aborted || !(await this.#wait(request))) throw this.#rejection(request);
  }

  async #wait({ caller, onClose }: SlotRequest): Promise<boolean> {
    const deadline = deadlineSignal(this.#limits.capacityWaitMs, () => 'no slot became free', this.#closed.signal);
    // A client that has disconnected must not get a slot.
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
