import { settlesWithin } from '../core/index.ts';

/** What does not answer for this long is stuck: something runs in it without a pause. In milliseconds. */
const UNRESPONSIVE_MS = 1_000;

interface HeartbeatOptions {
  /** Resolves when there is an answer. Never rejects. */
  readonly ping: () => Promise<void>;
  /** Whether anything goes on that could be stuck. */
  readonly isNeeded: () => boolean;
  /** Told once each time that it is stuck: for how long at least. */
  readonly onUnresponsive: (ms: number) => void;
  /** Told when it answers again, and how long that took. */
  readonly onRecovered: (ms: number) => void;
}

/** Feels once a second whether a worker answers. */
export class WorkerHeartbeat {
  readonly #felt: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  /** When the ping was sent that is not answered yet. */
  #sent: number | undefined;
  #isStuck = false;

  constructor(felt: HeartbeatOptions) {
    this.#felt = felt;
    // What came in while this thread itself was busy is read first.
    this.#timer = setInterval(() => setImmediate(() => this.#check()), UNRESPONSIVE_MS).unref();
  }

  get isUnresponsive(): boolean {
    return this.#isStuck;
  }

  /** Whether there is an answer within a time. */
  respondsWithin(ms = UNRESPONSIVE_MS): Promise<boolean> {
    return settlesWithin(ms, this.#felt.ping(), { afterIo: true });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#sent === undefined) {
      if (this.#felt.isNeeded()) void this.#ping();
    } else if (!this.#isStuck) {
      this.#isStuck = true;
      this.#felt.onUnresponsive(performance.now() - this.#sent);
    }
  }

  async #ping(): Promise<void> {
    const sent = performance.now();
    this.#sent = sent;
    await this.#felt.ping();
    this.#sent = undefined;
    if (!this.#isStuck) return;
    this.#isStuck = false;
    this.#felt.onRecovered(performance.now() - sent);
  }
}
