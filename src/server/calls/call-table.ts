import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, OrsError } from '../../protocol/index.ts';
import { type Kept, NOT_KEPT, type Results } from './results.ts';

/** How a call ended: with a result, as compact JSON, or with an error that is none of the tool's own. */
export type CallOutcome =
  | { readonly event: 'end'; readonly json: string }
  | { readonly event: 'error'; readonly message: string };

/** A tool call, which outlives the connections that ask for it. */
export interface Call extends Kept {
  readonly taskId: string;
  /** Of the tool's name and input: tells a repeated request from another one. */
  readonly fingerprint: string;
  /** While the call runs a promise, which never rejects. */
  readonly outcome: CallOutcome | Promise<CallOutcome>;
}

export interface CallRequest {
  readonly taskId: string | null | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** Strings take one byte per character or two; two is the safe side. */
const BYTES_PER_CHARACTER = 2;

interface OwnCall extends Call {
  outcome: Call['outcome'];
}

/** The calls of one session by task_id. An id never runs twice, however long ago it ran. */
export class CallTable {
  /** Ids that this session issues begin with it, so an id that is not known can be told from one that a client chose. */
  readonly #prefix = randomHex();
  #issued = 0;
  /** A call whose result is gone leaves undefined behind, unless its prefix tells that it was issued here. */
  readonly #calls = new Map<string, OwnCall | undefined>();
  readonly #running = new Map<string, (outcome: CallOutcome) => void>();
  readonly #results: Results;

  constructor(results: Results) {
    this.#results = results;
  }

  /**
   * The call that a request means: a known one, which then does not run again, or a new one that `run` carries out.
   * Undefined for an id whose result is gone or that was never issued.
   *
   * @throws OrsError bad_request if the id belongs to a call of another tool or input.
   */
  begin({ taskId, name, input }: CallRequest, run: () => Promise<CallOutcome>): Call | undefined {
    const fingerprint = fingerprintOf(canonicalJson([name, input]));
    if (taskId === null || taskId === undefined) return this.#start(this.#mint(), fingerprint, run);
    const known = this.#calls.get(taskId);
    if (known && known.fingerprint !== fingerprint) {
      throw new OrsError('bad_request', 'task_id already used for another call; leave it out or choose a fresh one');
    }
    if (known || this.#calls.has(taskId) || this.#isIssued(taskId)) return known;
    return this.#start(taskId, fingerprint, run);
  }

  isRunning({ taskId }: Call): boolean {
    return this.#running.has(taskId);
  }

  /** Keeps a result as if its call had just been completed. */
  keepAnew(call: Call, outcome: CallOutcome): void {
    this.#results.release(call);
    this.#calls.set(call.taskId, call);
    this.#keep(call, outcome);
  }

  /** Gives running calls this outcome, whatever they come to, and lets go of all results. */
  end(outcome: CallOutcome): void {
    for (const settle of this.#running.values()) settle(outcome);
    this.#running.clear();
    for (const call of this.#calls.values()) if (call) this.#results.release(call);
    this.#calls.clear();
  }

  /** The result of a call is gone. */
  forget({ taskId }: Call): void {
    if (this.#isIssued(taskId)) this.#calls.delete(taskId);
    else this.#calls.set(taskId, undefined);
  }

  /** Ids of one session need not be random: nobody asks for them without the session's. */
  #mint(): string {
    return this.#prefix + (this.#issued++).toString(16).padStart(this.#prefix.length, '0');
  }

  #isIssued(taskId: string): boolean {
    return taskId.length === 2 * this.#prefix.length && taskId.startsWith(this.#prefix);
  }

  #start(taskId: string, fingerprint: string, run: () => Promise<CallOutcome>): Call {
    let settle: (outcome: CallOutcome) => void = () => undefined;
    const outcome = new Promise<CallOutcome>((resolve) => {
      settle = resolve;
    });
    const call: OwnCall = { taskId, fingerprint, outcome, ...NOT_KEPT, keeper: this };
    this.#calls.set(taskId, call);
    this.#running.set(taskId, settle);
    const finish = (result: CallOutcome) => {
      settle(result);
      if (!this.#running.delete(taskId)) return;
      call.outcome = result;
      this.#keep(call, result);
    };
    run().then(finish, () => finish({ event: 'error', message: 'internal error' }));
    return call;
  }

  #keep(call: Call, outcome: CallOutcome): void {
    const text = outcome.event === 'end' ? outcome.json : outcome.message;
    this.#results.keep(call, text.length * BYTES_PER_CHARACTER);
  }
}

const HASH_LENGTH = 44;

/** A text that is short is its own fingerprint. */
const fingerprintOf = (text: string) =>
  text.length <= HASH_LENGTH ? text : createHash('sha256').update(text).digest('base64');

/** 16 digits, 62 bits of them random; Node keeps a store of UUIDs, which makes them cheaper than bytes. */
const randomHex = () => randomUUID().replaceAll('-', '').slice(-16);
