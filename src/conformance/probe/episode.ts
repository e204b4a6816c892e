import { fieldsOf } from '../../core/index.ts';
import { type HttpHeader, JSON_TYPE, type PendingExchange, type ProbeResponse, textIn } from './exchange.ts';
import type { RawRequestOptions, RequestOptions } from './requests.ts';

export interface ProbeCallOptions {
  readonly taskId?: string | null;
  /** Environment in the path. @default that of the episode */
  readonly environment?: string;
  /** Accept header; null omits it. @default 'text/event-stream' */
  readonly accept?: string | null;
  readonly headers?: readonly HttpHeader[];
  readonly timeoutMs?: number;
}

/** The methods of the probe that an episode uses. */
export interface EpisodeRequests {
  send(method: string, path: string, options: RequestOptions): Promise<ProbeResponse>;
  open(method: string, path: string, options: RequestOptions): PendingExchange;
  textOf(method: string, path: string, options: RawRequestOptions): string;
  countCall(): void;
  /** Counts a session that the check has created, so that it is deleted when the check is over. */
  countSession(sid: string): void;
}

/** An open episode; the probe deletes it when the check is over. */
export class ProbeEpisode {
  readonly sid: string;
  /** The environment's name. */
  readonly environment: string;
  readonly #requests: EpisodeRequests;

  constructor(sid: string, environment: string, requests: EpisodeRequests) {
    this.sid = sid;
    this.environment = environment;
    this.#requests = requests;
  }

  /** Returns the path of a route of the episode's environment: `path('prompt')`. */
  path(action: string, environment = this.environment): string {
    return `/${encodeURIComponent(environment)}/${action}`;
  }

  prompt(): Promise<ProbeResponse> {
    return this.#requests.send('GET', this.path('prompt'), { sid: this.sid });
  }

  taskTools(): Promise<ProbeResponse> {
    return this.#requests.send('GET', this.path('task_tools'), { sid: this.sid });
  }

  ping(): Promise<ProbeResponse> {
    return this.#requests.send('POST', '/ping', { sid: this.sid });
  }

  delete(): Promise<ProbeResponse> {
    return this.#requests.send('POST', '/delete', { sid: this.sid });
  }

  /** Starts a call whose events can be awaited one by one. */
  start(
    name: string,
    input: Record<string, unknown> = {},
    { taskId, ...options }: ProbeCallOptions = {},
  ): PendingExchange {
    return this.startWith({ name, input, ...(taskId !== undefined && { task_id: taskId }) }, options);
  }

  /** Starts a call with an arbitrary JSON body. */
  startWith(body: unknown, options: Omit<ProbeCallOptions, 'taskId'> = {}): PendingExchange {
    const { environment, accept = 'text/event-stream', headers = [], timeoutMs } = options;
    this.#requests.countCall();
    return this.#requests.open('POST', this.path('call', environment), {
      sid: this.sid,
      json: body,
      headers: [...(accept === null ? [] : [['Accept', accept] as const]), ...headers],
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  /** Starts a group scoring with these candidates, or with any other value in their place. */
  score(candidates: unknown, { taskId, ...options }: Pick<ProbeCallOptions, 'taskId' | 'timeoutMs'> = {}) {
    return this.#requests.open('POST', this.path('score_group'), {
      sid: this.sid,
      json: { candidates, ...(taskId !== undefined && { task_id: taskId }) },
      headers: [['Accept', 'text/event-stream']],
      ...options,
    });
  }

  /** Forks the session. `fork` is undefined if the response has no session id. */
  async fork(json: Readonly<Record<string, unknown>> = {}) {
    const response = await this.#requests.send('POST', '/fork', { sid: this.sid, json });
    const { sid } = fieldsOf(response.json);
    if (!response.isSuccess || typeof sid !== 'string') return { response, fork: undefined };
    this.#requests.countSession(sid);
    return { response, fork: new ProbeEpisode(sid, this.environment, this.#requests) };
  }

  /** Returns a call as HTTP/1.1 text for a raw connection. */
  callText(name: string, input: Record<string, unknown> = {}): string {
    this.#requests.countCall();
    const body = JSON.stringify({ name, input });
    const length = String(Buffer.byteLength(body));
    const headers: HttpHeader[] = [['Accept', 'text/event-stream'], JSON_TYPE, ['Content-Length', length]];
    return this.#requests.textOf('POST', this.path('call'), { sid: this.sid, headers, body });
  }

  /** Makes a call; its response must be complete. */
  call(name: string, input: Record<string, unknown> = {}, options: ProbeCallOptions = {}): Promise<ProbeResponse> {
    return this.start(name, input, options).requireComplete();
  }

  /** Makes a call that must succeed, and returns its text. */
  async text(name: string, input: Record<string, unknown> = {}, options: ProbeCallOptions = {}): Promise<string> {
    return textIn((await this.call(name, input, options)).output);
  }

  /** Returns how often a tool of the fixture has run in this episode. */
  async runs(tool: string): Promise<number> {
    return Number(await this.text('runs', { tool }));
  }
}
