import { createHash, randomUUID } from 'node:crypto';
import { type Awaitable, canonicalJson, settle } from '../../core/index.ts';
import { OrsError } from '../../protocol/index.ts';
import { PagedArray } from './paged-array.ts';
import type { CachedResult, ResultCache } from './results.ts';

/** How a call ended: with a result, as compact JSON, or with an error that is none of the tool's own. */
export type CallOutcome =
  | { readonly event: 'end'; readonly json: string }
  | { readonly event: 'error'; readonly message: string };

/** A tool call, which outlives the connections that ask for it. */
export class CallEntry implements CachedResult {
  readonly taskId: string;
  /** Where its table finds it. */
  readonly key: number | string;
  /** Of the tool's name and input: tells a repeated request from another one. */
  readonly fingerprint: string;
  readonly owner: CachedResult['owner'];
  bytes = 0;
  expiresAt = 0;
  older: CachedResult | undefined = undefined;
  younger: CachedResult | undefined = undefined;
  #outcome: CallOutcome | undefined;
  #promise: Promise<CallOutcome> | undefined;
  #resolve: ((outcome: CallOutcome) => void) | undefined;

  constructor(taskId: string, key: number | string, fingerprint: string, keeper: CachedResult['owner']) {
    this.taskId = taskId;
    this.key = key;
    this.fingerprint = fingerprint;
    this.owner = keeper;
  }

  get isRunning(): boolean {
    return this.#outcome === undefined;
  }

  /** While the call runs a promise, which never rejects. */
  get outcome(): Awaitable<CallOutcome> {
    if (this.#outcome) return this.#outcome;
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  /** The first outcome counts. */
  endAll(outcome: CallOutcome): void {
    if (!this.isRunning) return;
    this.#outcome = outcome;
    this.#resolve?.(outcome);
  }
}

export interface BeginCallRequest {
  readonly taskId: string | null | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** Strings take one byte per character or two; two is the safe side. */
const BYTES_PER_CHARACTER = 2;

/** What lives for as long as a call of it runs. */
export interface RefCounted {
  retain(): void;
  release(): void;
}

/** The calls of one session by task_id. An id never runs twice, however long ago it ran. */
export class CallTable {
  /** Ids that this session issues begin with it, so an id that is not known can be told from one that a client chose. */
  readonly #prefix = randomHex();
  #issued = 0;
  /** Calls whose ids were issued here. */
  readonly #issuedCalls = new PagedArray<CallEntry>();
  /** Calls whose ids clients chose; one whose result is gone leaves undefined behind. Made when there is one. */
  #clientCalls: Map<string, CallEntry | undefined> | undefined;
  readonly #results: ResultCache;
  readonly #session: RefCounted;

  constructor(results: ResultCache, holder: RefCounted) {
    this.#results = results;
    this.#session = holder;
  }

  /**
   * The call that a request means: a known one, which then does not run again, or a new one that `run` carries out.
   * Undefined for an id whose result is gone or that was never issued.
   *
   * @throws OrsError bad_request if the id belongs to a call of another tool or input.
   */
  begin({ taskId, name, input }: BeginCallRequest, run: () => Awaitable<CallOutcome>): CallEntry | undefined {
    // JSON has no line break, so the last one is where the name ends.
    const fingerprint = fingerprintOf(`${name}\n${canonicalJson(input)}`);
    if (taskId === null || taskId === undefined) {
      const number = this.#issued++;
      return this.#start(new CallEntry(this.#idOf(number), number, fingerprint, this), run);
    }
    const number = this.#parseIssuedId(taskId);
    const known = number === undefined ? this.#clientCalls?.get(taskId) : this.#issuedCalls.get(number);
    if (known && known.fingerprint !== fingerprint) {
      throw new OrsError('bad_request', 'task_id already used for another call; leave it out or choose a fresh one');
    }
    if (known || number !== undefined || this.#clientCalls?.has(taskId)) return known;
    return this.#start(new CallEntry(taskId, taskId, fingerprint, this), run);
  }

  /** Keeps a result as if its call had just been completed. */
  restoreResult(call: CallEntry, outcome: CallOutcome): void {
    this.#results.release(call);
    this.#add(call);
    this.#cacheResult(call, outcome);
  }

  /** Gives running calls this outcome, whatever they come to, and lets go of all results. */
  endAll(outcome: CallOutcome): void {
    const endOne = (call: CallEntry | undefined) => {
      if (!call) return;
      call.endAll(outcome);
      this.#results.release(call);
    };
    this.#issuedCalls.forEach(endOne);
    this.#clientCalls?.forEach(endOne);
    this.#issuedCalls.clear();
    this.#clientCalls = undefined;
  }

  /** The result of a call is gone. */
  forget({ key }: CallEntry): void {
    if (typeof key === 'number') this.#issuedCalls.delete(key);
    else this.#clientCalls?.set(key, undefined);
  }

  #add(call: CallEntry): void {
    if (typeof call.key === 'number') this.#issuedCalls.set(call.key, call);
    else this.#clientCalls = (this.#clientCalls ?? new Map()).set(call.key, call);
  }

  /** Ids of one session need not be random: nobody asks for them without the session's. */
  #idOf(number: number): string {
    return this.#prefix + number.toString(16).padStart(this.#prefix.length, '0');
  }

  /** Undefined for an id that was not issued here; one that will be has its number already. */
  #parseIssuedId(taskId: string): number | undefined {
    const isOwn = taskId.startsWith(this.#prefix) && taskId.length === 2 * this.#prefix.length;
    if (!isOwn) return undefined;
    const number = Number.parseInt(taskId.slice(this.#prefix.length), 16);
    return this.#idOf(number) === taskId ? number : Number.NaN;
  }

  #start(call: CallEntry, run: () => Awaitable<CallOutcome>): CallEntry {
    this.#add(call);
    this.#session.retain();
    const finish = (outcome: CallOutcome) => {
      this.#session.release();
      // What came to nothing because the session ended is over already.
      if (!call.isRunning) return;
      call.endAll(outcome);
      this.#cacheResult(call, outcome);
    };
    void settle(run, finish, () => finish({ event: 'error', message: 'internal error' }));
    return call;
  }

  #cacheResult(call: CallEntry, outcome: CallOutcome): void {
    const text = outcome.event === 'end' ? outcome.json : outcome.message;
    this.#results.add(call, text.length * BYTES_PER_CHARACTER);
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
