import { createHash, randomUUID } from 'node:crypto';
import { type Awaitable, canonicalJson, settle } from '../../core/index.ts';
import { OrsError } from '../../protocol/index.ts';
import { PagedArray } from './paged-array.ts';
import type { Kept, Results } from './results.ts';

/** How a call ended: with a result, as compact JSON, or with an error that is none of the tool's own. */
export type CallOutcome =
  | { readonly event: 'end'; readonly json: string }
  | { readonly event: 'error'; readonly message: string };

/** A tool call, which outlives the connections that ask for it. */
export class Call implements Kept {
  readonly taskId: string;
  /** Where its table finds it. */
  readonly key: number | string;
  /** Of the tool's name and input: tells a repeated request from another one. */
  readonly fingerprint: string;
  readonly keeper: Kept['keeper'];
  bytes = 0;
  expiresAt = 0;
  older: Kept | undefined = undefined;
  younger: Kept | undefined = undefined;
  #outcome: CallOutcome | undefined;
  #coming: Promise<CallOutcome> | undefined;
  #tell: ((outcome: CallOutcome) => void) | undefined;

  constructor(taskId: string, key: number | string, fingerprint: string, keeper: Kept['keeper']) {
    this.taskId = taskId;
    this.key = key;
    this.fingerprint = fingerprint;
    this.keeper = keeper;
  }

  get isRunning(): boolean {
    return this.#outcome === undefined;
  }

  /** While the call runs a promise, which never rejects. */
  get outcome(): Awaitable<CallOutcome> {
    if (this.#outcome) return this.#outcome;
    this.#coming ??= new Promise((resolve) => {
      this.#tell = resolve;
    });
    return this.#coming;
  }

  /** The first outcome counts. */
  end(outcome: CallOutcome): void {
    if (!this.isRunning) return;
    this.#outcome = outcome;
    this.#tell?.(outcome);
  }
}

export interface CallRequest {
  readonly taskId: string | null | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** Strings take one byte per character or two; two is the safe side. */
const BYTES_PER_CHARACTER = 2;

/** What lives for as long as a call of it runs. */
export interface Holder {
  holdOn(): void;
  letGo(): void;
}

/** The calls of one session by task_id. An id never runs twice, however long ago it ran. */
export class CallTable {
  /** Ids that this session issues begin with it, so an id that is not known can be told from one that a client chose. */
  readonly #prefix = randomHex();
  #issued = 0;
  /** Calls whose ids were issued here. */
  readonly #own = new PagedArray<Call>();
  /** Calls whose ids clients chose; one whose result is gone leaves undefined behind. Made when there is one. */
  #others: Map<string, Call | undefined> | undefined;
  readonly #results: Results;
  readonly #holder: Holder;

  constructor(results: Results, holder: Holder) {
    this.#results = results;
    this.#holder = holder;
  }

  /**
   * The call that a request means: a known one, which then does not run again, or a new one that `run` carries out.
   * Undefined for an id whose result is gone or that was never issued.
   *
   * @throws OrsError bad_request if the id belongs to a call of another tool or input.
   */
  begin({ taskId, name, input }: CallRequest, run: () => Awaitable<CallOutcome>): Call | undefined {
    // JSON has no line break, so the last one is where the name ends.
    const fingerprint = fingerprintOf(`${name}\n${canonicalJson(input)}`);
    if (taskId === null || taskId === undefined) {
      const number = this.#issued++;
      return this.#start(new Call(this.#idOf(number), number, fingerprint, this), run);
    }
    const number = this.#numberOf(taskId);
    const known = number === undefined ? this.#others?.get(taskId) : this.#own.get(number);
    if (known && known.fingerprint !== fingerprint) {
      throw new OrsError('bad_request', 'task_id already used for another call; leave it out or choose a fresh one');
    }
    if (known || number !== undefined || this.#others?.has(taskId)) return known;
    return this.#start(new Call(taskId, taskId, fingerprint, this), run);
  }

  /** Keeps a result as if its call had just been completed. */
  keepAnew(call: Call, outcome: CallOutcome): void {
    this.#results.release(call);
    this.#add(call);
    this.#keep(call, outcome);
  }

  /** Gives running calls this outcome, whatever they come to, and lets go of all results. */
  end(outcome: CallOutcome): void {
    const endOne = (call: Call | undefined) => {
      if (!call) return;
      call.end(outcome);
      this.#results.release(call);
    };
    this.#own.forEach(endOne);
    this.#others?.forEach(endOne);
    this.#own.clear();
    this.#others = undefined;
  }

  /** The result of a call is gone. */
  forget({ key }: Call): void {
    if (typeof key === 'number') this.#own.delete(key);
    else this.#others?.set(key, undefined);
  }

  #add(call: Call): void {
    if (typeof call.key === 'number') this.#own.set(call.key, call);
    else this.#others = (this.#others ?? new Map()).set(call.key, call);
  }

  /** Ids of one session need not be random: nobody asks for them without the session's. */
  #idOf(number: number): string {
    return this.#prefix + number.toString(16).padStart(this.#prefix.length, '0');
  }

  /** Undefined for an id that was not issued here; one that will be has its number already. */
  #numberOf(taskId: string): number | undefined {
    const isOwn = taskId.startsWith(this.#prefix) && taskId.length === 2 * this.#prefix.length;
    if (!isOwn) return undefined;
    const number = Number.parseInt(taskId.slice(this.#prefix.length), 16);
    return this.#idOf(number) === taskId ? number : Number.NaN;
  }

  #start(call: Call, run: () => Awaitable<CallOutcome>): Call {
    this.#add(call);
    this.#holder.holdOn();
    const finish = (outcome: CallOutcome) => {
      this.#holder.letGo();
      // What came to nothing because the session ended is over already.
      if (!call.isRunning) return;
      call.end(outcome);
      this.#keep(call, outcome);
    };
    void settle(run, finish, () => finish({ event: 'error', message: 'internal error' }));
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
function randomHex(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}
