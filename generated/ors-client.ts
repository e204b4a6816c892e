// generated from ors.openapi.yaml by ors generate; never edit

import createClient, { type ClientForPath, type ClientOptions, mergeHeaders } from 'openapi-fetch';
import { decodeEvents, type ServerSentEvent } from '../src/sse/index.ts';
import type { paths } from './ors.ts';

type Json = `${string}/json` | `${string}/${string}+json`;

type Any = `${string}/${string}`;

type Call = (...init: any) => Promise<unknown>;
type Failure<Method extends Call> =
  Awaited<ReturnType<Method>> extends infer Result ? (Result extends { error: infer E } ? E : never) : never;

/** Events as they arrive; `error` for a status other than 2xx. */
export type EventsResponse<Failure> =
  | { events: AsyncIterable<ServerSentEvent>; error?: never; response: Response }
  | { events?: never; error: Failure; response: Response };

type Events<Method extends Call> = (...init: Parameters<Method>) => Promise<EventsResponse<Failure<Method>>>;

/** Differences of an operation from one that sends and returns JSON. */
interface RequestForm {
  readonly parseAs?: string;
}

/** Open Reward Standard: one method per operation. */
export interface OrsClient {
  /** Report that the server is running */
  readonly health: ClientForPath<paths['/health'], Json>['GET'];
  /** Report whether the server accepts new episodes */
  readonly ready: ClientForPath<paths['/ready'], Json>['GET'];
  /** Get the implementation and its version */
  readonly version: ClientForPath<paths['/version'], Json>['GET'];
  /** Get metrics for Prometheus */
  readonly metrics: ClientForPath<paths['/metrics'], Any>['GET'];
  /** Get this document */
  readonly openapi: ClientForPath<paths['/openapi.json'], Json>['GET'];
  /** List the environments of this server */
  readonly listEnvironments: ClientForPath<paths['/list_environments'], Json>['GET'];
  /** Issue a session id */
  readonly createSession: ClientForPath<paths['/create_session'], Json>['POST'];
  /** Create the episode of a session */
  readonly createEpisode: ClientForPath<paths['/create'], Json>['POST'];
  /** Create a session that continues from a call of another one */
  readonly forkEpisode: ClientForPath<paths['/fork'], Json>['POST'];
  /** Keep a session alive */
  readonly ping: ClientForPath<paths['/ping'], Json>['POST'];
  /** Tear down an episode */
  readonly deleteEpisode: ClientForPath<paths['/delete'], Json>['POST'];
  /** Release a session id */
  readonly deleteSession: ClientForPath<paths['/delete_session'], Json>['POST'];
  /** List the tools shared by all tasks */
  readonly listTools: ClientForPath<paths['/{env_name}/tools'], Json>['GET'];
  /** List the splits */
  readonly listSplits: ClientForPath<paths['/{env_name}/splits'], Json>['GET'];
  /** List the tasks of a split */
  readonly listTasks: ClientForPath<paths['/{env_name}/tasks'], Json>['POST'];
  /** Count the tasks of a split */
  readonly countTasks: ClientForPath<paths['/{env_name}/num_tasks'], Json>['POST'];
  /** Get one task */
  readonly getTask: ClientForPath<paths['/{env_name}/task'], Json>['POST'];
  /** Get a slice of the tasks */
  readonly getTaskRange: ClientForPath<paths['/{env_name}/task_range'], Json>['POST'];
  /** List the tools of this episode */
  readonly listTaskTools: ClientForPath<paths['/{env_name}/task_tools'], Json>['GET'];
  /** Get the prompt of the episode */
  readonly getPrompt: ClientForPath<paths['/{env_name}/prompt'], Json>['GET'];
  /** Get the prompt of the episode as a conversation */
  readonly getMessages: ClientForPath<paths['/{env_name}/messages'], Json>['GET'];
  /** Compare several rollouts of the task of a session */
  readonly scoreGroup: Events<ClientForPath<paths['/{env_name}/score_group'], Json>['POST']>;
  /** List the secrets that an environment needs */
  readonly listRequiredSecrets: ClientForPath<paths['/v1/environments/{owner}/{name}/required-secrets'], Json>['GET'];
  /** Call a tool */
  readonly callTool: Events<ClientForPath<paths['/{env_name}/call'], Json>['POST']>;
}

/**
 * Creates a client. It keeps no state and logs nothing.
 *
 * @param options `baseUrl` of the server, `headers` of every request, `fetch` as a replacement of the global one.
 * @example
 * const client = createOrsClient({ baseUrl: 'http://127.0.0.1:8080' });
 */
export function createOrsClient(options: ClientOptions = {}): OrsClient {
  const client = createClient<paths>(options);
  // Each method has the types of its operation; their common implementation cannot be typed more precisely.
  const send: (method: any, path: any, init: any) => Promise<any> = client.request;
  const request =
    (method: string, path: string, accept: string, { parseAs }: RequestForm = {}): any =>
    (init: any = {}) =>
      send(method, path, {
        ...init,
        ...(parseAs && { parseAs }),
        headers: mergeHeaders({ Accept: accept }, init.headers),
      });
  const events =
    (method: string, path: string, form: RequestForm = {}): any =>
    async (init?: any) => {
      const { data, error, response } = await request(method, path, 'text/event-stream', { ...form, parseAs: 'stream' })(init);
      if (!response.ok) return { error, response };
      const type = response.headers.get('Content-Type') ?? 'no media type';
      if (!type.startsWith('text/event-stream')) {
        await data?.cancel();
        throw new TypeError(`invalid response of ${path}: expected text/event-stream, got ${type}`);
      }
      return { events: decodeEvents(chunks(data)), response };
    };
  return {
    health: request('get', '/health', 'application/json'),
    ready: request('get', '/ready', 'application/json'),
    version: request('get', '/version', 'application/json'),
    metrics: request('get', '/metrics', 'text/plain', { parseAs: 'text' }),
    openapi: request('get', '/openapi.json', 'application/json'),
    listEnvironments: request('get', '/list_environments', 'application/json'),
    createSession: request('post', '/create_session', 'application/json'),
    createEpisode: request('post', '/create', 'application/json'),
    forkEpisode: request('post', '/fork', 'application/json'),
    ping: request('post', '/ping', 'application/json'),
    deleteEpisode: request('post', '/delete', 'application/json'),
    deleteSession: request('post', '/delete_session', 'application/json'),
    listTools: request('get', '/{env_name}/tools', 'application/json'),
    listSplits: request('get', '/{env_name}/splits', 'application/json'),
    listTasks: request('post', '/{env_name}/tasks', 'application/json'),
    countTasks: request('post', '/{env_name}/num_tasks', 'application/json'),
    getTask: request('post', '/{env_name}/task', 'application/json'),
    getTaskRange: request('post', '/{env_name}/task_range', 'application/json'),
    listTaskTools: request('get', '/{env_name}/task_tools', 'application/json'),
    getPrompt: request('get', '/{env_name}/prompt', 'application/json'),
    getMessages: request('get', '/{env_name}/messages', 'application/json'),
    scoreGroup: events('post', '/{env_name}/score_group'),
    listRequiredSecrets: request('get', '/v1/environments/{owner}/{name}/required-secrets', 'application/json'),
    callTool: events('post', '/{env_name}/call'),
  };
}

async function* chunks(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
