import { createHash, randomUUID } from 'node:crypto';
import { type Awaitable, canonicalJson, settle } from '../../core/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { CachedResult, ResultCache } from './result-cache.ts';

/**
 * Digits 17 to 24 of every id that servers of this package issue, between the prefix of the session and the number of the
 * call. They make an issued id recognizable in every session and after a restart. No UUID has them, with or without
 * hyphens: digit 17 is its variant, which is never `e`. Source: RFC 9562, section 4.1.
 */
const MARKER = 'e0000000';

const ISSUED = new RegExp(`^[0-9a-f]{16}${MARKER}[0-9a-f]{8}$`);

const NUMBER_LENGTH = 8;

/** Returns the first half of the ids of a session. Node caches random UUIDs, which makes them cheaper than random bytes. */
export function newCallPrefix(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}

/** Ids within a session need not be random: they are useless without the session id. */
export const callIdOf = (prefix: string, number: number): string =>
  prefix + MARKER + number.toString(16).padStart(NUMBER_LENGTH, '0');

/**
 * Returns the number of an id that a session with this prefix issued or will issue, NaN for an id of another session, and
 * undefined for an id that a client chose.
 */
export function parseCallId(prefix: string, id: string): number | undefined {
  if (!ISSUED.test(id)) return undefined;
  return id.startsWith(prefix) ? Number.parseInt(id.slice(-NUMBER_LENGTH), 16) : Number.NaN;
}

/** Outcome of a call: a result as compact JSON, or an error that is not a tool error. */
export type CallOutcome =
  | { readonly event: 'end'; readonly json: string }
  | { readonly event: 'error'; readonly message: string };

export interface BeginCallRequest {
  readonly taskId: string | null | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** An object that must stay alive while it has references: a session is not idle while calls run. */
export interface RefCounted {
  retain(): void;
  release(): void;
}

/** JavaScript strings use one or two bytes per character; this is the upper bound. */
const BYTES_PER_CHARACTER = 2;

/** The calls of one session by task_id. A task_id never runs twice, no matter how long ago it ran. */
export class CallTable {
  /**
   * First half of the ids that this table issues. Another one than that of an earlier table of the session, which may have
   * issued ids that the journal does not have.
   */
  readonly #prefix = newCallPrefix();
  #issued = 0;
  /** Calls with issued ids. */
  readonly #issuedCalls = new PagedArray<CallEntry>();
  /** Calls with ids that clients chose, or another table issued; undefined for a forgotten result. Created with the first one. */
  #clientCalls: Map<string, CallEntry | undefined> | undefined;
  readonly #results: ResultCache;
  readonly #session: RefCounted;

  constructor(results: ResultCache, session: RefCounted) {
    this.#results = results;
    this.#session = session;
  }

  /**
   * Returns the call with the requested task_id, which does not run again, or starts a new one with `run`. Returns
   * undefined if the result of the call was forgotten, or if an issued id is not one of this session.
   *
   * @throws OrsError bad_request if the id belongs to a call with another tool or input.
   */
  begin(
    { taskId, name, input }: BeginCallRequest,
    run: (taskId: string) => Awaitable<CallOutcome>,
  ): CallEntry | undefined {
    // JSON contains no line feed, so the last one ends the name.
    const fingerprint = fingerprintOf(`${name}\n${canonicalJson(input)}`);
    if (taskId === null || taskId === undefined) {
      const number = this.#issued++;
      return this.#start(new CallEntry(callIdOf(this.#prefix, number), number, fingerprint, this), run);
    }
    const number = parseCallId(this.#prefix, taskId);
    const known = this.#clientCalls?.get(taskId) ?? (number === undefined ? undefined : this.#issuedCalls.get(number));
    if (known && known.fingerprint !== fingerprint) {
      throw new OrsError('bad_request', 'task_id already used for another call; leave it out or choose a fresh one');
    }
    if (known || number !== undefined || this.#clientCalls?.has(taskId)) return known;
    return this.#start(new CallEntry(taskId, taskId, fingerprint, this), run);
  }

  /**
   * Adds a call of the same session that ran in another process: its outcome, or how it runs now. Of a new table only.
   */
  restore(
    { taskId, name, input }: BeginCallRequest & { readonly taskId: string },
    outcome: CallOutcome | ((taskId: string) => Awaitable<CallOutcome>),
  ): void {
    const call = new CallEntry(taskId, taskId, fingerprintOf(`${name}\n${canonicalJson(input)}`), this);
    this.#start(call, typeof outcome === 'function' ? outcome : () => outcome);
  }

  #start(call: CallEntry, run: (taskId: string) => Awaitable<CallOutcome>): CallEntry {
    this.#add(call);
    this.#session.retain();
    const finish = (outcome: CallOutcome) => {
      this.#session.release();
      // The call already has an outcome if the session has ended.
      if (!call.isRunning) return;
      call.end(outcome);
      this.#cacheResult(call, outcome);
    };
    void settle(
      () => run(call.taskId),
      finish,
      () => finish({ event: 'error', message: 'internal error' }),
    );
    return call;
  }

  /** Keeps a result as if the call had just completed. */
  restoreResult(call: CallEntry, outcome: CallOutcome): void {
    this.#results.remove(call);
    this.#add(call);
    this.#cacheResult(call, outcome);
  }

  /** Ends all calls, and forgets all results. @param end ends a call if it is running. */
  endAll(end: (call: CallEntry) => void): void {
    const endOne = (call: CallEntry | undefined) => {
      if (!call) return;
      end(call);
      this.#results.remove(call);
    };
    this.#issuedCalls.forEach(endOne);
    this.#clientCalls?.forEach(endOne);
    this.#issuedCalls.clear();
    this.#clientCalls = undefined;
  }

  /** Called by the result cache when it drops the result of a call. */
  forget({ key }: CallEntry): void {
    if (typeof key === 'number') this.#issuedCalls.delete(key);
    else this.#clientCalls?.set(key, undefined);
  }

  #add(call: CallEntry): void {
    if (typeof call.key === 'number') this.#issuedCalls.set(call.key, call);
    else this.#clientCalls = (this.#clientCalls ?? new Map()).set(call.key, call);
  }

  #cacheResult(call: CallEntry, outcome: CallOutcome): void {
    const text = outcome.event === 'end' ? outcome.json : outcome.message;
    this.#results.add(call, text.length * BYTES_PER_CHARACTER);
  }
}

/** A tool call. It continues when the client disconnects. */
export class CallEntry implements CachedResult {
  readonly taskId: string;
  /** Key in the table: the number of an issued id, or the id that the client chose. */
  readonly key: number | string;
  /** Identifies the tool and its input, to tell a repeated request from a different one. */
  readonly fingerprint: string;
  readonly owner: CachedResult['owner'];
  bytes = 0;
  expiresAt = 0;
  older: CachedResult | undefined = undefined;
  younger: CachedResult | undefined = undefined;
  #outcome: CallOutcome | undefined;
  #promise: Promise<CallOutcome> | undefined;
  #resolve: ((outcome: CallOutcome) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(taskId: string, key: number | string, fingerprint: string, owner: CachedResult['owner']) {
    this.taskId = taskId;
    this.key = key;
    this.fingerprint = fingerprint;
    this.owner = owner;
  }

  get isRunning(): boolean {
    return this.#outcome === undefined;
  }

  /** True if this table has issued the task id; otherwise any server accepts it. */
  get hasIssuedId(): boolean {
    return typeof this.key === 'number';
  }

  /** A promise while the call runs. Rejects with the error of `cut`. */
  get outcome(): Awaitable<CallOutcome> {
    if (this.#outcome) return this.#outcome;
    this.#promise ??= new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    return this.#promise;
  }

  /** Sets the outcome, unless there is one. */
  end(outcome: CallOutcome): void {
    if (!this.isRunning) return;
    this.#outcome = outcome;
    this.#resolve?.(outcome);
  }

  /** Ends the call without an outcome, unless there is one: its streams fail with this error. */
  cut(error: Error): void {
    if (!this.isRunning) return;
    this.#outcome = { event: 'error', message: error.message };
    this.#reject?.(error);
  }
}

const PAGE_SIZE = 256;

interface Page<Value> {
  readonly values: (Value | undefined)[];
  count: number;
}

/**
 * Sparse array for values with consecutive numbers, where old values are deleted as new ones are set. A Map takes several
 * times as long, since the engine keeps rebuilding its hash table. A page is freed with its last value.
 *
 * Arrays start with one element: an empty one reserves 17 with its first value, and many never have a second one.
 */
export class PagedArray<Value> {
  readonly #pages: (Page<Value> | undefined)[] = [undefined];

  get(number: number): Value | undefined {
    return this.#pages[pageOf(number)]?.values[number % PAGE_SIZE];
  }

  set(number: number, value: Value): void {
    let page = this.#pages[pageOf(number)];
    if (!page) {
      page = { values: [undefined], count: 0 };
      this.#pages[pageOf(number)] = page;
    }
    if (page.values[number % PAGE_SIZE] === undefined) page.count++;
    page.values[number % PAGE_SIZE] = value;
  }

  delete(number: number): void {
    const page = this.#pages[pageOf(number)];
    if (page?.values[number % PAGE_SIZE] === undefined) return;
    page.values[number % PAGE_SIZE] = undefined;
    page.count--;
    if (page.count === 0) this.#pages[pageOf(number)] = undefined;
  }

  forEach(visit: (value: Value) => void): void {
    for (const page of this.#pages) {
      for (const value of page?.values ?? []) if (value !== undefined) visit(value);
    }
  }

  clear(): void {
    this.#pages.length = 0;
  }
}

const pageOf = (number: number): number => Math.floor(number / PAGE_SIZE);

/** Length of a SHA-256 hash in base64. */
const HASH_LENGTH = 44;

/** Returns a hash of a text, or the text itself if it is shorter. */
const fingerprintOf = (text: string) =>
  text.length <= HASH_LENGTH ? text : createHash('sha256').update(text).digest('base64');
