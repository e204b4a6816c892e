import { settlesWithin } from '../core/index.ts';

/** What does not answer for this long is stuck: something runs in it without a pause. In milliseconds. */
const STUCK_MS = 1_000;

interface Felt {
  /** Resolves when there is an answer. Never rejects. */
  readonly ping: () => Promise<void>;
  /** Whether anything goes on that could be stuck. */
  readonly isNeeded: () => boolean;
  /** Told once each time that it is stuck: for how long at least. */
  readonly onStuck: (ms: number) => void;
  /** Told when it answers again, and how long that took. */
  readonly onWell: (ms: number) => void;
}

/** Feels once a second whether a worker answers. */
export class Pulse {
  readonly #felt: Felt;
  readonly #timer: NodeJS.Timeout;
  /** When the ping was sent that is not answered yet. */
  #sent: number | undefined;
  #isStuck = false;

  constructor(felt: Felt) {
    this.#felt = felt;
    // What came in while this thread itself was busy is read first.
    this.#timer = setInterval(() => setImmediate(() => this.#feel()), STUCK_MS).unref();
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Whether there is an answer within a time. */
  answers(ms = STUCK_MS): Promise<boolean> {
    return settlesWithin(ms, this.#felt.ping(), { afterIo: true });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #feel(): void {
    if (this.#sent === undefined) {
      if (this.#felt.isNeeded()) void this.#ping();
    } else if (!this.#isStuck) {
      this.#isStuck = true;
      this.#felt.onStuck(performance.now() - this.#sent);
    }
  }

  async #ping(): Promise<void> {
    const sent = performance.now();
    this.#sent = sent;
    await this.#felt.ping();
    this.#sent = undefined;
    if (!this.#isStuck) return;
    this.#isStuck = false;
    this.#felt.onWell(performance.now() - sent);
  }
}
