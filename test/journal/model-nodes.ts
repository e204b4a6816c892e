import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { createServer, type Journal, type OrsServer, operationHandlers } from 'ors-kit/server';
import { pino } from 'pino';
import { document } from '../../generated/ors-document.ts';
import { operations } from '../../generated/ors-operations.ts';
import { validators } from '../../generated/ors-validators.ts';
import { type Deferred, deferred } from '../../src/core/index.ts';
import { type JournalOptions, openSqlJournal } from '../../src/journal/open-journal.ts';
import { openSqlite, type SqlDriver } from '../../src/trace/store/index.ts';
import { modelEnvironments, type ToolHooks } from './model-environments.ts';

/** Action of a node at one of its database operations. */
export interface Fault {
  /** Number of the operation among those of the node from now on, from 0 up. */
  readonly operation: number;
  /**
   * `before` and `after`: the process ends there, and the operation is not stored or is stored. `refused` and
   * `unconfirmed`: the same for an operation that only fails.
   */
  readonly kind: 'before' | 'after' | 'refused' | 'unconfirmed';
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

const HOUR = 3_600_000;
/** Idle time after which sessions leave memory. */
export const EVICT_MS = 60_000;

const { createEpisode, callTool, forkEpisode, ping, deleteEpisode } = operations;
/** A server with fewer operations starts faster. */
const used = { createEpisode, callTool, forkEpisode, ping, deleteEpisode };

const log = pino({ level: 'silent' });

/** Simulated time and delays, which all nodes of a run share. */
export class Surroundings {
  /** Monotonic clock. */
  now = 0;
  /** State of a generator of delays; 0 never delays. */
  seed = 0;

  /** Waits for up to three turns of the event loop. */
  async delay(): Promise<void> {
    if (this.seed === 0) return;
    this.seed = (this.seed * 48_271) % 0x7fff_ffff;
    for (let turns = this.seed % 4; turns > 0; turns--) await nextTurn();
  }
}

/** Opens the database of all nodes: its transactions are those of a file, without the time of a disk. */
export const openDatabase = (): Promise<SqlDriver> => openSqlite({ path: ':memory:' });

/** A server with its connection to the journal. `kill` leaves behind what the end of a process leaves. */
export class ModelNode {
  readonly #database: SqlDriver;
  readonly #surroundings: Surroundings;
  /** Never settles before `release`. */
  readonly #end: Deferred<never> = deferred<never>();
  readonly #killed = deferred();
  #isKilled = false;
  /** Time by which its monotonic clock is ahead of that of others. */
  #aheadMs = 0;
  #fault: Fault | undefined;
  #operations = 0;
  /** Number of writes that run. */
  #writing = 0;
  /** True once its journal may lack what its clients know: another node may have its episodes, or a write has failed. */
  mayLack = false;
  #journal!: Journal;
  #server!: OrsServer;

  private constructor(database: SqlDriver, surroundings: Surroundings) {
    this.#database = database;
    this.#surroundings = surroundings;
    this.#end.promise.catch(() => {});
  }

  static async start(
    database: SqlDriver,
    surroundings: Surroundings,
    { mode, ...hooks }: Pick<ToolHooks, 'ran'> & Required<Pick<JournalOptions, 'mode'>>,
  ): Promise<ModelNode> {
    const node = new ModelNode(database, surroundings);
    const driver = { ...database, write: node.#write, close: async () => {} };
    node.#journal = await openSqlJournal(
      driver,
      {
        databaseNow: '0',
        now: () => surroundings.now + node.#aheadMs,
        async sleep() {
          await nextTurn();
          surroundings.now += HOUR;
        },
        nextWrites: node.#gather,
      },
      { mode, leaseMs: HOUR / 2 },
    );
    const pause = () => node.#unlessKilled(surroundings.delay());
    node.#server = createServer(modelEnvironments({ ...hooks, pause }), {
      spec: { document, operations: used, validators, handlers: operationHandlers },
      journal: node.#journal,
      log,
      metrics: false,
      viewer: false,
      now: () => surroundings.now,
      wallClock: () => surroundings.now,
      evictAfterMs: EVICT_MS,
      idleTimeoutMs: Infinity,
      lingerMs: Infinity,
    });
    return node;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Name in the journal. */
  get name(): string {
    return (this.#journal as Journal & { readonly server: string }).server;
  }

  plan(fault: Fault | undefined): void {
    this.#fault = fault;
    this.#operations = 0;
  }

  /** Lets its lease end by its own clock, as a pause of the process does. */
  passLease(): void {
    this.mayLack = true;
    this.#aheadMs += HOUR;
  }

  get isWriting(): boolean {
    return !this.#isKilled && this.#writing > 0;
  }

  sweep(): void {
    if (!this.#isKilled) this.#server.sweep();
  }

  /** Ends the process as `kill -9`: nothing that runs on it continues, and its clients lose their connections. */
  kill(): void {
    this.#isKilled = true;
    this.#killed.resolve();
  }

  /** Ends the process as a SIGTERM after its grace period. */
  async close(): Promise<void> {
    // The process ends even if its journal fails.
    const closed = this.#server.close().then(() => this.#journal.close().catch(() => {}));
    await Promise.race([closed, this.#killed.promise]);
    this.kill();
  }

  /** Frees what a killed node still holds in this process. */
  async release(): Promise<void> {
    this.kill();
    this.#end.reject(new Error('the node has ended'));
    await this.#server.close();
    await this.#journal.close().catch(() => {});
  }

  /** Sends a request. @returns undefined if the connection was lost. */
  async send(path: string, sid: string, body?: object): Promise<Reply | undefined> {
    if (this.#isKilled) return undefined;
    const { promise, resolve } = deferred<Reply>();
    const request = new LocalRequest(path, sid, body === undefined ? '' : JSON.stringify(body), this.#surroundings);
    const response = new LocalResponse(request, resolve);
    // Only the members that the server uses.
    this.#server.handler(request as never, response as never);
    await Promise.race([promise, this.#killed.promise]);
    return this.#isKilled ? undefined : promise;
  }

  #gather = async (): Promise<void> => {
    this.#writing++;
    await this.#surroundings.delay();
    this.#writing--;
    await this.#unlessKilled();
  };

  #write: SqlDriver['write'] = async (bytes, work) => {
    this.#writing++;
    try {
      return await this.#writeOrFail(bytes, work);
    } catch (error) {
      this.mayLack = true;
      throw error;
    } finally {
      this.#writing--;
    }
  };

  #writeOrFail: SqlDriver['write'] = async (bytes, work) => {
    await this.#unlessKilled(this.#surroundings.delay());
    const fault = this.#operations++ === this.#fault?.operation ? this.#fault.kind : undefined;
    if (fault === 'before') this.kill();
    if (fault === 'refused') throw new Error('the database is not available');
    await this.#unlessKilled();
    const written = this.#database.write(bytes, work);
    await this.#unlessKilled(written.catch(() => {}));
    if (fault === 'after') this.kill();
    if (fault === 'unconfirmed') throw new Error('the database did not confirm a commit');
    await this.#unlessKilled(this.#surroundings.delay());
    return written;
  };

  async #unlessKilled<T>(work?: Promise<T>): Promise<T | undefined> {
    const value = await work;
    return this.#isKilled ? this.#end.promise : value;
  }
}

const SOCKET = { cork() {}, uncork() {}, setTimeout() {} };

class LocalRequest extends EventEmitter {
  readonly method = 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly socket = SOCKET;
  complete = false;
  readonly #body: string;
  readonly #surroundings: Surroundings;

  constructor(url: string, sid: string, body: string, surroundings: Surroundings) {
    super();
    this.url = url;
    this.headers = {
      'x-session-id': sid,
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }),
    };
    this.#body = body;
    this.#surroundings = surroundings;
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    super.on(event, listener as () => void);
    if (event === 'data') void this.#sendBody();
    return this;
  }

  async #sendBody(): Promise<void> {
    await undefined;
    await this.#surroundings.delay();
    this.emit('data', Buffer.from(this.#body));
    this.complete = true;
    this.emit('end');
  }

  resume(): this {
    return this;
  }
}

class LocalResponse extends EventEmitter {
  readonly req: LocalRequest;
  readonly socket = SOCKET;
  readonly writableLength = 0;
  readonly writableNeedDrain = false;
  statusCode = 200;
  headersSent = false;
  closed = false;
  writableFinished = false;
  readonly #onEnd: (reply: Reply) => void;
  #text = '';

  constructor(req: LocalRequest, onEnd: (reply: Reply) => void) {
    super();
    this.req = req;
    this.#onEnd = onEnd;
  }

  writeHead(status: number): this {
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  write(text: string): boolean {
    this.#text += text;
    return true;
  }

  end(text = ''): this {
    this.#text += text;
    this.writableFinished = true;
    this.#onEnd({ status: this.statusCode, text: this.#text });
    this.emit('finish');
    this.destroy();
    return this;
  }

  destroy(): void {
    this.closed = true;
    this.#onEnd({ status: this.statusCode, text: this.#text });
    this.emit('close');
  }
}

/** Outcome of a call as its client reads it. */
export interface CallReply {
  readonly taskId: string;
  readonly event: 'end' | 'error';
  readonly text: string;
}

/** Parses the stream of a call. @returns only the task id of a stream that was cut. */
export function parseCall(stream: string): CallReply | { readonly taskId: string; readonly event: undefined } {
  const events: { readonly event: string | undefined; readonly data: string }[] = [];
  createParser({ onEvent: ({ event, data }) => events.push({ event, data }) }).feed(stream);
  const last = events.at(-1);
  const taskId = events[0]?.data ?? '';
  if (last?.event !== 'end' && last?.event !== 'error') return { taskId, event: undefined };
  return { taskId, event: last.event, text: last.data };
}
