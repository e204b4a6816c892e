import { hash32, PendingPromises, seededRandom, settlesWithin, sleep } from '../../core/index.ts';
import type { InputGenerator, ToolInputs } from '../inputs/inputs.ts';
import type { LoadSizes, ServerTimes } from '../options.ts';
import type { DiscoveredEnvironment, DiscoveredTool, TestTarget } from '../target.ts';
import { assume, HarnessError, UntestableError } from '../verdict.ts';
import type { ProbeResponse } from './answer.ts';
import type { RunBudget } from './budget.ts';
import type { ProbeConnection } from './connection.ts';
import { ProbeEpisode } from './episode.ts';
import type { Exchange } from './exchange.ts';
import type { RawConnection } from './raw-connection.ts';
import { ProbeRequests, type RawRequestOptions, type RequestOptions } from './requests.ts';
import { retryWhileFull } from './room.ts';
import type { SampleCall, SharedFixtures } from './shared.ts';
import type { PendingExchange } from './transfer.ts';

/** What every probe of a run works with. */
export interface ProbeContext {
  readonly connection: ProbeConnection;
  readonly target: TestTarget;
  readonly inputs: InputGenerator;
  readonly shared: SharedFixtures;
  readonly budget: RunBudget;
  readonly times: ServerTimes;
  readonly loads: LoadSizes;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly secrets: Readonly<Record<string, string>>;
  readonly process: TargetProcess | undefined;
}

/** The server's process, where the suite started it. */
export interface TargetProcess {
  /** All that it has printed so far. */
  output(): string;
  /** Asks it to stop, as an operator does. */
  terminate(): void;
  readonly ended: Promise<void>;
}

/** The check that a probe works for. */
export interface ProbeOwner {
  readonly id: string;
  readonly cost?: { readonly sessions?: number; readonly calls?: number };
}

export interface ProbeEpisodeOptions {
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
  readonly target: TestTarget;
  /** The environment under test. */
  readonly environment: DiscoveredEnvironment;
  readonly times: ServerTimes;
  readonly loads: LoadSizes;
  /** How long one answer may take unless said otherwise. */
  readonly timeoutMs: number;
  readonly process: TargetProcess | undefined;
  /** Notes of what was seen where the documents leave it open. */
  readonly notes: string[] = [];
  /** At least 0, less than 1; the same sequence for the same seed and check. */
  readonly random: () => number;
  readonly #context: ProbeContext;
  readonly #check: ProbeOwner;
  readonly #requests: ProbeRequests;
  readonly #sids = new Set<string>();
  readonly #used = { sessions: 0, calls: 0 };
  /** Requests that may create a session; awaited before the sessions are deleted. */
  readonly #pendingCreates = new PendingPromises();
  readonly #over = new AbortController();
  readonly #raw = new Set<RawConnection>();

  constructor(context: ProbeContext, check: ProbeOwner) {
    this.#context = context;
    this.#check = check;
    this.#requests = new ProbeRequests(context.connection);
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
  includeEvidence(exchanges: readonly Exchange[]): void {
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
  async send(method: string, path: string, options: RequestOptions = {}): Promise<ProbeResponse> {
    this.#watch(method, path, options);
    const send = () => this.#requests.send(method, path, options);
    if (path !== '/create' || method !== 'POST') return await send();
    if (options.retryWhileFull === false) return await this.#pendingCreates.add(send());
    const attempt = () => {
      this.#throwIfInterrupted();
      return this.#pendingCreates.add(send());
    };
    return await retryWhileFull(attempt, (ms) => this.pause(ms));
  }

  /** Starts any request, whose answer can be read while it comes. */
  open(method: string, path: string, options: RequestOptions = {}): PendingExchange {
    this.#watch(method, path, options);
    const transfer = this.#requests.open(method, path, options);
    if (path === '/create') void this.#pendingCreates.add(transfer.head());
    return transfer;
  }

  /** Writes bytes on a connection of their own. */
  raw(bytes: string | Uint8Array, waitMs = this.timeoutMs): Promise<Exchange> {
    this.#throwIfInterrupted();
    return this.#requests.raw(bytes, waitMs);
  }

  /** A connection of its own, on which bytes can be written one after the other. One of many need not be evidence. */
  openRaw(bytes: string | Uint8Array, isEvidence = true): RawConnection {
    this.#throwIfInterrupted();
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
    return this.#requests.formatRequest(method, path, options);
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
  async createSessionId(): Promise<string> {
    const response = await this.send('POST', '/create_session', { json: {} });
    const sid = sessionIdOf(response);
    if (sid === undefined)
      throw new UntestableError(`no session id could be had: /create_session gave ${response.summary}`);
    return sid;
  }

  /** The body of `/create` for an episode. */
  async createBody({ task, secrets, environment }: ProbeEpisodeOptions = {}): Promise<Record<string, unknown>> {
    const given = { ...this.#context.secrets, ...secrets };
    return {
      env_name: environment ?? this.environment.name,
      ...(task ? { task_spec: task } : this.#taskSource(environment)),
      ...(Object.keys(given).length > 0 && { secrets: given }),
    };
  }

  /** Opens an episode; it is deleted when the check is over. */
  async episode(options: ProbeEpisodeOptions = {}): Promise<ProbeEpisode> {
    const sid = await this.createSessionId();
    const response = await this.send('POST', '/create', { sid, json: await this.createBody(options) });
    response.requireSuccess('/create');
    return this.episodeOf(sid, options.environment);
  }

  /** The episode of a session that the check has created by itself. */
  episodeOf(sid: string, environment = this.environment.name): ProbeEpisode {
    return new ProbeEpisode(sid, environment, {
      send: (method, path, request) => this.send(method, path, request),
      open: (method, path, request) => this.open(method, path, request),
      textOf: (method, path, request) => this.textOf(method, path, request),
      countCall: () => this.#count('calls'),
    });
  }

  /** An episode that several checks use, and that none may change: for prompts, lists and pings. */
  async sharedEpisode(): Promise<ProbeEpisode> {
    const { sid, exchanges } = await this.#context.shared.episode();
    this.#requests.exchanges.push(...exchanges);
    return this.episodeOf(sid);
  }

  /** One call of a tool, and its answer, which several checks read; untestable if it is not whole. */
  async sharedCall(): Promise<ProbeResponse> {
    return (await this.sharedCallRaw()).requireComplete();
  }

  /** The same, though its answer may have broken off, or never come. */
  async sharedCallRaw(): Promise<ProbeResponse> {
    const response = await this.#context.shared.call();
    this.#requests.exchanges.push(response.exchange);
    return response;
  }

  /** A tool that may be called, with an input for it. */
  async sample(): Promise<SampleCall> {
    return await this.#context.shared.sample();
  }

  /** The tools that may be called. */
  async callableTools(): Promise<readonly DiscoveredTool[]> {
    return await this.#context.shared.callable();
  }

  /** Valid and invalid inputs of a tool. */
  inputsOf(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs> {
    return this.#context.inputs.generate(inputSchema, options);
  }

  /** Deletes what the check has left open; failures of it are no fault of the check. Nothing can be asked any more. */
  async cleanUp(): Promise<void> {
    this.#over.abort(new UntestableError('the check is over'));
    for (const connection of this.#raw) connection.close();
    await this.#pendingCreates.settled();
    await Promise.all([...this.#sids].map((sid) => this.#requests.send('POST', '/delete', { sid, timeoutMs: 10_000 })));
  }

  #taskSource(environment: string | undefined): Record<string, unknown> {
    const facts = this.target.environments.find(({ name }) => name === (environment ?? this.environment.name));
    assume(facts?.split, `environment '${environment ?? this.environment.name}' has no split with a task`);
    return { split: facts.split.name, index: 0 };
  }

  /** Every session that a check may have made is deleted in the end. */
  #watch(method: string, path: string, { sid, headers = [] }: RequestOptions): void {
    this.#throwIfInterrupted();
    if (method !== 'POST') return;
    if (path === '/delete' && sid !== undefined) this.#sids.delete(sid);
    if (path !== '/create') return;
    const named = sid ?? headers.find(([name]) => name.toLowerCase() === 'x-session-id')?.[1];
    if (named === undefined || named.trim() === '') return;
    if (!this.#sids.has(named)) this.#count('sessions');
    this.#sids.add(named);
  }

  /** A check that was interrupted may not know it. */
  #throwIfInterrupted(): void {
    this.#over.signal.throwIfAborted();
  }

  #count(kind: 'sessions' | 'calls'): void {
    const max = this.#check.cost?.[kind] ?? 0;
    if (++this.#used[kind] > max) {
      throw new HarnessError(`${this.#check.id} makes more than the ${max} ${kind} that it declares`);
    }
    this.#context.budget.spend(kind);
  }
}

/** The session id of an answer of `/create_session`: JSON, or events. */
export function sessionIdOf(response: ProbeResponse): string | undefined {
  if (!response.isSuccess) return undefined;
  const { json, result, taskId } = response;
  for (const value of [json, result]) {
    const sid = (value as { sid?: unknown } | null | undefined)?.sid;
    if (typeof sid === 'string' && sid !== '') return sid;
  }
  return taskId;
}
