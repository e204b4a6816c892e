import { PendingPromises, seededRandom, settlesWithin, sleep } from '../../core/index.ts';
import { assume, HarnessError, UntestableError } from '../assertions.ts';
import type { InputGenerator, ToolInputs } from '../inputs/create-inputs.ts';
import type { LoadSizes, ServerTimes } from '../options.ts';
import { type DiscoveredEnvironment, type DiscoveredTool, isFixture, type TestTarget } from '../target.ts';
import type { ProbeConnection, RawConnection } from './connection.ts';
import { ProbeEpisode } from './episode.ts';
import type { Exchange, PendingExchange, ProbeResponse } from './exchange.ts';
import { ProbeRequests, type RawRequestOptions, type RequestOptions, retryWhileFull } from './requests.ts';

/** The parts that all probes of a run share. */
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

/**
 * The server's process, if the suite has started it.
 *
 * @example
 * const stop = (target: TargetProcess) => {
 *   target.terminate();
 *   return target.ended;
 * };
 */
export interface TargetProcess {
  /** Returns everything that it has printed so far. */
  output(): string;
  /** Sends SIGTERM, as an operator does. */
  terminate(): void;
  readonly ended: Promise<void>;
}

/** A tool, and an input that it should accept. */
export interface SampleCall {
  readonly tool: DiscoveredTool;
  readonly input: Record<string, unknown>;
}

/** The episode, call and tools that several checks of a run share. */
export interface SharedFixtures {
  episode(): Promise<{ readonly sid: string; readonly exchanges: readonly Exchange[] }>;
  call(): Promise<ProbeResponse>;
  sample(): Promise<SampleCall>;
  /** Returns the tools that may be called, plain ones first. Rejects with UntestableError if no call is allowed. */
  callable(): Promise<readonly DiscoveredTool[]>;
}

/** The check that a probe belongs to. */
export interface ProbeOwner {
  readonly id: string;
  readonly cost?: { readonly sessions?: number; readonly calls?: number };
}

export interface ProbeEpisodeOptions {
  /** Inline task. @default the first task of the smallest split */
  readonly task?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** @default the environment under test */
  readonly environment?: string;
}

/**
 * The HTTP client of one check; it records every exchange. Its methods assert nothing about the server: if a step before
 * the actual check does not work, they reject with UntestableError.
 */
export class Probe {
  readonly target: TestTarget;
  /** The environment under test. */
  readonly environment: DiscoveredEnvironment;
  readonly times: ServerTimes;
  readonly loads: LoadSizes;
  /** Time limit for one response, unless a request overrides it. */
  readonly timeoutMs: number;
  readonly process: TargetProcess | undefined;
  /** Observations about behaviour that the documents leave open. */
  readonly notes: string[] = [];
  /** Returns a number in [0, 1); the sequence depends on the seed and the check only. */
  readonly random: () => number;
  readonly #context: ProbeContext;
  readonly #check: ProbeOwner;
  readonly #requests: ProbeRequests;
  readonly #sids = new Set<string>();
  readonly #used = { sessions: 0, calls: 0 };
  /** Requests that may create a session; awaited before the sessions are deleted. */
  readonly #pendingCreates = new PendingPromises();
  readonly #end = new AbortController();
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

  /** Adds exchanges of another check of the run to the evidence of this one. */
  includeEvidence(exchanges: readonly Exchange[]): void {
    const own = this.#requests.exchanges;
    own.push(...exchanges.filter((exchange) => !own.includes(exchange)));
  }

  /** Adds an observation to the report. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Returns the path of an environment's route: `path('tools')`. */
  path(action: string, environment = this.environment.name): string {
    return `/${encodeURIComponent(environment)}/${action}`;
  }

  /** Sends a request. Resolves with the response, also with an error response, or with the failure to get one. */
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

  /** Sends a request of discovery: a GET, or a POST if there is a body. Follows redirects. */
  discover(action: string, json?: unknown, environment?: string): Promise<ProbeResponse> {
    return this.send(json === undefined ? 'GET' : 'POST', this.path(action, environment), { json, follow: true });
  }

  /** Starts a request whose response can be read while it arrives. */
  open(method: string, path: string, options: RequestOptions = {}): PendingExchange {
    this.#watch(method, path, options);
    const transfer = this.#requests.open(method, path, options);
    if (path === '/create') void this.#pendingCreates.add(transfer.head());
    return transfer;
  }

  /** Opens a connection to which bytes can be written one after the other. @param isEvidence whether reports show it */
  openRaw(bytes: string | Uint8Array, isEvidence = true): RawConnection {
    this.#throwIfInterrupted();
    const connection = this.#requests.openRaw(bytes, isEvidence);
    this.#raw.add(connection);
    return connection;
  }

  /** Value of the Host header. */
  get host(): string {
    return this.#context.connection.host;
  }

  /** Returns a request as HTTP/1.1 text for a raw connection. Does not add Content-Length. */
  textOf(method: string, path: string, options?: RawRequestOptions): string {
    return this.#requests.formatRequest(method, path, options);
  }

  /** Waits. Rejects with UntestableError as soon as the check is over. */
  pause(ms: number): Promise<void> {
    return sleep(ms, this.#end.signal);
  }

  /** Returns whether a promise resolves within a time, and before the check is over. Rejects if it rejects. */
  within(ms: number, work: Promise<unknown>): Promise<boolean> {
    return settlesWithin(ms, work, { signal: this.#end.signal });
  }

  /** Requests a session id from `/create_session`, in any documented form. */
  async createSessionId(): Promise<string> {
    const response = await this.send('POST', '/create_session', { json: {} });
    const sid = sessionIdOf(response);
    assume(sid !== undefined, `/create_session returned no session id: ${response.summary}`);
    return sid;
  }

  /** Returns the body of `/create` for an episode. */
  async createBody({ task, secrets, environment }: ProbeEpisodeOptions = {}): Promise<Record<string, unknown>> {
    const given = { ...this.#context.secrets, ...secrets };
    return {
      env_name: environment ?? this.environment.name,
      ...(task ? { task_spec: task } : this.#taskSource(environment)),
      ...(Object.keys(given).length > 0 && { secrets: given }),
    };
  }

  /**
   * Opens an episode; it is deleted when the check is over. Fetches its prompt, as every agent does before it calls a tool:
   * some environments create their state there. The fixture does not, and its checks measure setup.
   */
  async episode(options: ProbeEpisodeOptions = {}): Promise<ProbeEpisode> {
    const sid = await this.createSessionId();
    const response = await this.send('POST', '/create', { sid, json: await this.createBody(options) });
    response.requireSuccess('/create');
    const episode = this.episodeOf(sid, options.environment);
    if (!isFixture(episode.environment)) await episode.prompt();
    return episode;
  }

  /** Returns the episode of a session that the check has created itself. */
  episodeOf(sid: string, environment = this.environment.name): ProbeEpisode {
    return new ProbeEpisode(sid, environment, this);
  }

  /** Counts a call of an episode. @throws UntestableError if the budget is used up */
  countCall(): void {
    this.#count('calls');
  }

  /** Counts a session that the check has created, which `cleanUp` deletes. @throws UntestableError as `countCall` does */
  countSession(sid: string): void {
    if (!this.#sids.has(sid)) this.#count('sessions');
    this.#sids.add(sid);
  }

  /** Returns an episode that several checks share and must not change: for prompts, lists and pings. */
  async sharedEpisode(): Promise<ProbeEpisode> {
    const { sid, exchanges } = await this.#context.shared.episode();
    this.#requests.exchanges.push(...exchanges);
    return this.episodeOf(sid);
  }

  /** Returns the response to one call that several checks share; it must be complete. */
  async sharedCall(): Promise<ProbeResponse> {
    return (await this.sharedCallRaw()).requireComplete();
  }

  /** Like `sharedCall`, but the response may be incomplete or missing. */
  async sharedCallRaw(): Promise<ProbeResponse> {
    const response = await this.#context.shared.call();
    this.#requests.exchanges.push(response.exchange);
    return response;
  }

  /** Returns a tool that may be called, with an input. */
  async sample(): Promise<SampleCall> {
    return await this.#context.shared.sample();
  }

  /** Returns the tools that may be called. */
  async callableTools(): Promise<readonly DiscoveredTool[]> {
    return await this.#context.shared.callable();
  }

  /** Generates valid and invalid inputs of a tool. */
  inputsOf(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs> {
    return this.#context.inputs.generate(inputSchema, options);
  }

  /** Deletes the sessions that the check has left open, and rejects further requests. Failures are ignored. */
  async cleanUp(): Promise<void> {
    this.#end.abort(new UntestableError('the check is over'));
    for (const connection of this.#raw) connection.close();
    await this.#pendingCreates.settled();
    await Promise.all([...this.#sids].map((sid) => this.#requests.send('POST', '/delete', { sid, timeoutMs: 10_000 })));
  }

  #taskSource(environment: string | undefined): Record<string, unknown> {
    const facts = this.target.environments.find(({ name }) => name === (environment ?? this.environment.name));
    assume(facts?.split, `environment '${environment ?? this.environment.name}' has no split with a task`);
    return { split: facts.split.name, index: 0 };
  }

  /** Tracks the sessions that the check may have created, so that `cleanUp` can delete them. */
  #watch(method: string, path: string, { sid, headers = [] }: RequestOptions): void {
    this.#throwIfInterrupted();
    if (method !== 'POST') return;
    if (path === '/delete' && sid !== undefined) this.#sids.delete(sid);
    if (path !== '/create') return;
    const named = sid ?? headers.find(([name]) => name.toLowerCase() === 'x-session-id')?.[1];
    if (named === undefined || named.trim() === '') return;
    this.countSession(named);
  }

  /** Stops a check that continues after it was interrupted. */
  #throwIfInterrupted(): void {
    this.#end.signal.throwIfAborted();
  }

  #count(kind: 'sessions' | 'calls'): void {
    const max = this.#check.cost?.[kind] ?? 0;
    if (++this.#used[kind] > max) {
      throw new HarnessError(`${this.#check.id} makes more than its declared ${max} ${kind}`);
    }
    this.#context.budget.spend(kind);
  }
}

/** Returns the session id in a response of `/create_session`: JSON or events. */
export function sessionIdOf(response: ProbeResponse): string | undefined {
  if (!response.isSuccess) return undefined;
  const { json, result, taskId } = response;
  for (const value of [json, result]) {
    const sid = (value as { sid?: unknown } | null | undefined)?.sid;
    if (typeof sid === 'string' && sid !== '') return sid;
  }
  return taskId;
}

/** Limits of a run. */
export interface BudgetLimits {
  readonly sessions: number;
  readonly calls: number;
  /** Time after the start of the run at which no further check begins. */
  readonly seconds: number;
}

/** Counts sessions, calls and time of a run. */
export class RunBudget {
  readonly limits: BudgetLimits;
  readonly used = { sessions: 0, calls: 0 };
  readonly #now: () => number;

  constructor(limits: BudgetLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
  }

  /** Returns whether one more is allowed. */
  has(kind: 'sessions' | 'calls'): boolean {
    return this.used[kind] < this.limits[kind];
  }

  /** @throws UntestableError if the budget is used up */
  spend(kind: 'sessions' | 'calls'): void {
    assume(this.has(kind), `the budget of ${this.limits[kind]} ${kind} is used up`);
    this.used[kind]++;
  }

  /** Another check may begin. */
  get hasTime(): boolean {
    return this.#now() < this.limits.seconds * 1_000;
  }
}

/** Returns a hash of 32 bits, for seeds (FNV-1a over code points). */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
