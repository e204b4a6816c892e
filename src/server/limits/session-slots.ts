import { type Awaitable, deadlineSignal, Semaphore } from '../../core/index.ts';
import { HttpError, type OperationRequest } from '../../http/index.ts';
import type { Observer } from '../observability/observer.ts';
import type { ServerSettings } from '../settings.ts';

/** A `/create` request that needs a slot. */
type SlotRequest = Pick<OperationRequest<never>, 'caller' | 'onClose'>;

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
      const active = this.#semaphore.inUseBy(caller);
      const detail = `your API key has ${active} active sessions, and ${maxSessionsPerKey} is the most`;
      return retryLater(429, `${detail}; delete one, or try again later`, { active, max: maxSessionsPerKey });
    }
    const active = this.#semaphore.inUse;
    const detail = `this server is full: ${active} sessions are active, and ${maxSessions} is the most; try again later`;
    return retryLater(503, detail, { active, max: maxSessions });
  }
}

/** Creates the error for a request that clients can send again after 5 seconds. */
export const retryLater = (
  status: 429 | 503,
  detail: string,
  more?: { readonly active: number; readonly max: number },
): HttpError => new HttpError(status, detail, { 'Retry-After': '5' }, more);

/** Creates the error for new episodes while the server is draining or closing. */
export const shuttingDownError = (): HttpError =>
  retryLater(503, 'this server is shutting down and takes no new episodes');
