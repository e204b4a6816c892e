import { hash32, PendingPromises, seededRandom, settlesWithin, sleep } from '../../core/index.ts';
import type { Inputs, ToolInputs } from '../inputs/inputs.ts';
import type { Loads, Times } from '../options.ts';
import type { EnvironmentFacts, Target, ToolFacts } from '../target.ts';
import { given, HarnessError, Untestable } from '../verdict.ts';
import type { Answer } from './answer.ts';
import type { Budget } from './budget.ts';
import type { Connection } from './connection.ts';
import { Episode } from './episode.ts';
import type { Exchange } from './exchange.ts';
import type { RawConnection } from './raw-connection.ts';
import { type RawRequestOptions, type RequestOptions, Requests } from './requests.ts';
import { withRoom } from './room.ts';
import type { Sample, Shared } from './shared.ts';
import type { Transfer } from './transfer.ts';

/** What every probe of a run works with. */
export interface ProbeContext {
  readonly connection: Connection;
  readonly target: Target;
  readonly inputs: Inputs;
  readonly shared: Shared;
  readonly budget: Budget;
  readonly times: Times;
  readonly loads: Loads;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly secrets: Readonly<Record<string, string>>;
  readonly process: ServerProcess | undefined;
}

/** The server's process, where the suite started it. */
export interface ServerProcess {
  /** All that it has printed so far. */
  said(): string;
  /** Asks it to stop, as an operator does. */
  terminate(): void;
  readonly ended: Promise<void>;
}

/** The check that a probe works for. */
export interface ProbeUser {
  readonly id: string;
  readonly cost?: { readonly sessions?: number; readonly calls?: number };
}

export interface EpisodeOptions {
  /** An inline task. Default: the first task of the smallest split. */
  readonly task?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Default: the one under test. */
  readonly environment?: string;
}

/**
 * How a check asks the server: bare HTTP, of which every exchange is kept. It judges nothing. What it does on the way to
 * the point in question, and cannot, is untestable.
 */
export class Probe {
  readonly target: Target;
  /** The environment under test. */
  readonly environment: EnvironmentFacts;
  readonly times: Times;
  readonly loads: Loads;
  /** How long one answer may take unless said otherwise. */
  readonly timeoutMs: number;
  readonly process: ServerProcess | undefined;
  /** Notes of what was seen where the documents leave it open. */
  readonly notes: string[] = [];
  /** At least 0, less than 1; the same sequence for the same seed and check. */
  readonly random: () => number;
  readonly #context: ProbeContext;
  readonly #check: ProbeUser;
  readonly #requests: Requests;
  readonly #sids = new Set<string>();
  readonly #used = { sessions: 0, calls: 0 };
  /** Requests that may create a session; awaited before the sessions are deleted. */
  readonly #making = new PendingPromises();
  readonly #over = new AbortController();
  readonly #raw = new Set<RawConnection>();

  constructor(context: ProbeContext, check: ProbeUser) {
    this.#context = context;
    this.#check = check;
    this.#requests = new Requests(context.connection);
    this.target = context.target;
    this.environment = context.target.environment;
    this.times = context.times;
    this.loads = context.loads;
    this.timeoutMs = context.timeoutMs;
    this.process = context.process;
    this.random = seededRandom(hash32(`${context.seed} ${check.id}`));
  }

  get exchanges(): readonly Exchange[] {
    return this.#requests.exchanges;
  }

  /** Takes what another check of the run has exchanged as evidence of this one too. */
  cite(exchanges: readonly Exchange[]): void {
    const own = this.#requests.exchanges;
    own.push(...exchanges.filter((exchange) => !own.includes(exchange)));
  }

  /** Writes down what was seen; for the report. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** A path of an environment: `path('tools')`. */
  path(action: string, environment = this.environment.name): string {
    return `/${encodeURIComponent(environment)}/${action}`;
  }

  /** Any request; resolves with whatever came of it. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    this.#watch(method, path, options);
    const send = () => this.#requests.send(method, path, options);
    if (path !== '/create' || method !== 'POST') return await send();
    if (options.waitsForRoom === false) return await this.#making.add(send());
    const attempt = () => {
      this.#mustGoOn();
      return this.#making.add(send());
    };
    return await withRoom(attempt, (ms) => this.pause(ms));
  }

  /** Starts any request, whose answer can be read while it comes. */
  open(method: string, path: string, options: RequestOptions = {}): Transfer {
    this.#watch(method, path, options);
    const transfer = this.#requests.open(method, path, options);
    if (path === '/create') void this.#making.add(transfer.head());
    return transfer;
  }

  /** Writes bytes on a connection of their own. */
  raw(bytes: string | Uint8Array, waitMs = this.timeoutMs): Promise<Exchange> {
    this.#mustGoOn();
    return this.#requests.raw(bytes, waitMs);
  }

  /** A connection of its own, on which bytes can be written one after the other. One of many need not be evidence. */
  openRaw(bytes: string | Uint8Array, isEvidence = true): RawConnection {
    this.#mustGoOn();
    const connection = this.#requests.openRaw(bytes, isEvidence);
    this.#raw.add(connection);
    return connection;
  }

  /** What a Host header says. */
  get host(): string {
    return this.#context.connection.host;
  }

  /** A request as the bytes of HTTP/1.1, to write on such a connection. Content-Length is not added. */
  textOf(method: string, path: string, options?: RawRequestOptions): string {
    return this.#requests.textOf(method, path, options);
  }

  /** Waits. @throws Untestable as soon as the check is over. */
  pause(ms: number): Promise<void> {
    return sleep(ms, this.#over.signal);
  }

  /** Returns whether a promise resolves within a time, and before the check is over. @throws what it rejects with. */
  within(ms: number, work: Promise<unknown>): Promise<boolean> {
    return settlesWithin(ms, work, { signal: this.#over.signal });
  }

  /** An id from `/create_session`, in whichever form the server gives it. */
  async newSid(): Promise<string> {
    const answer = await this.send('POST', '/create_session', { json: {} });
    const sid = sidOf(answer);
    if (sid === undefined) throw new Untestable(`no session id could be had: /create_session gave ${answer.summary}`);
    return sid;
  }

  /** The body of `/create` for an episode. */
  async createBody({ task, secrets, environment }: EpisodeOptions = {}): Promise<Record<string, unknown>> {
    const given = { ...this.#context.secrets, ...secrets };
    return {
      env_name: environment ?? this.environment.name,
      ...(task ? { task_spec: task } : this.#taskSource(environment)),
      ...(Object.keys(given).length > 0 && { secrets: given }),
    };
  }

  /** Opens an episode; it is deleted when the check is over. */
  async episode(options: EpisodeOptions = {}): Promise<Episode> {
    const sid = await this.newSid();
    const answer = await this.send('POST', '/create', { sid, json: await this.createBody(options) });
    answer.successful('/create');
    return this.episodeOf(sid, options.environment);
  }

  /** The episode of a session that the check has created by itself. */
  episodeOf(sid: string, environment = this.environment.name): Episode {
    return new Episode(sid, environment, {
      send: (method, path, request) => this.send(method, path, request),
      open: (method, path, request) => this.open(method, path, request),
      textOf: (method, path, request) => this.textOf(method, path, request),
      countCall: () => this.#count('calls'),
    });
  }

  /** An episode that several checks use, and that none may change: for prompts, lists and pings. */
  async sharedEpisode(): Promise<Episode> {
    const { sid, exchanges } = await this.#context.shared.episode();
    this.#requests.exchanges.push(...exchanges);
    return this.episodeOf(sid);
  }

  /** One call of a tool, and its answer, which several checks read; untestable if it is not whole. */
  async sharedCall(): Promise<Answer> {
    return (await this.sharedCallAsItCame()).whole();
  }

  /** The same, though its answer may have broken off, or never come. */
  async sharedCallAsItCame(): Promise<Answer> {
    const answer = await this.#context.shared.call();
    this.#requests.exchanges.push(answer.exchange);
    return answer;
  }

  /** A tool that may be called, with an input for it. */
  async sample(): Promise<Sample> {
    return await this.#context.shared.sample();
  }

  /** The tools that may be called. */
  async callableTools(): Promise<readonly ToolFacts[]> {
    return await this.#context.shared.callable();
  }

  /** Valid and invalid inputs of a tool. */
  inputsOf(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs> {
    return this.#context.inputs.of(inputSchema, options);
  }

  /** Deletes what the check has left open; failures of it are no fault of the check. Nothing can be asked any more. */
  async cleanUp(): Promise<void> {
    this.#over.abort(new Untestable('the check is over'));
    for (const connection of this.#raw) connection.close();
    await this.#making.settled();
    await Promise.all([...this.#sids].map((sid) => this.#requests.send('POST', '/delete', { sid, timeoutMs: 10_000 })));
  }

  #taskSource(environment: string | undefined): Record<string, unknown> {
    const facts = this.target.environments.find(({ name }) => name === (environment ?? this.environment.name));
    given(facts?.split, `environment '${environment ?? this.environment.name}' has no split with a task`);
    return { split: facts.split.name, index: 0 };
  }

  /** Every session that a check may have made is deleted in the end. */
  #watch(method: string, path: string, { sid, headers = [] }: RequestOptions): void {
    this.#mustGoOn();
    if (method !== 'POST') return;
    if (path === '/delete' && sid !== undefined) this.#sids.delete(sid);
    if (path !== '/create') return;
    const named = sid ?? headers.find(([name]) => name.toLowerCase() === 'x-session-id')?.[1];
    if (named === undefined || named.trim() === '') return;
    if (!this.#sids.has(named)) this.#count('sessions');
    this.#sids.add(named);
  }

  /** A check that was interrupted may not know it. */
  #mustGoOn(): void {
    this.#over.signal.throwIfAborted();
  }

  #count(kind: 'sessions' | 'calls'): void {
    const most = this.#check.cost?.[kind] ?? 0;
    if (++this.#used[kind] > most) {
      throw new HarnessError(`${this.#check.id} makes more than the ${most} ${kind} that it declares`);
    }
    this.#context.budget.take(kind);
  }
}

/** The session id of an answer of `/create_session`: JSON, or events. */
export function sidOf(answer: Answer): string | undefined {
  if (!answer.isSuccess) return undefined;
  const { json, result, taskId } = answer;
  for (const value of [json, result]) {
    const sid = (value as { sid?: unknown } | null | undefined)?.sid;
    if (typeof sid === 'string' && sid !== '') return sid;
  }
  return taskId;
}
