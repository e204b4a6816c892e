// generated from trace.openapi.yaml by ors generate; never edit

import createClient, { type ClientForPath, type ClientOptions, mergeHeaders } from 'openapi-fetch';
import { decodeEvents, type ServerSentEvent } from '../src/sse/index.ts';
import type { paths } from './trace-api.ts';

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

/** Bytes of the response; `error` for a status other than 2xx. */
export type BlobResponse<Failure> =
  | { data: Blob; error?: never; response: Response }
  | { data?: never; error: Failure; response: Response };

type Blobs<Method extends Call> = (...init: Parameters<Method>) => Promise<BlobResponse<Failure<Method>>>;

/** Differences of an operation from one that sends and returns JSON. */
interface RequestForm {
  readonly parseAs?: string;
  readonly contentType?: string;
}

/** OpenReward traces: one method per operation. */
export interface TraceApiClient {
  /** List traces */
  readonly listTraces: ClientForPath<paths['/v1/organizations/{org}/traces'], Json>['GET'];
  /** Create a trace */
  readonly createTrace: ClientForPath<paths['/v1/organizations/{org}/traces'], Json>['POST'];
  /** Read a trace without its blocks */
  readonly getTrace: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}'], Json>['GET'];
  /** Delete a trace and its blocks */
  readonly deleteTrace: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}'], Json>['DELETE'];
  /** Change fields of a trace */
  readonly updateTrace: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}'], Json>['PATCH'];
  /** Read blocks in the order in which they were written */
  readonly listBlocks: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/blocks'], Json>['GET'];
  /** Write one block, or up to 1000 that succeed or fail together */
  readonly appendBlocks: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/blocks'], Json>['POST'];
  /** Read a block */
  readonly getBlock: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/blocks/{blockId}'], Json>['GET'];
  /** Read a trace as a tree */
  readonly stitchedBlocks: ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/blocks.stitched'], Json>['GET'];
  /** Find blocks in many traces */
  readonly findBlocks: ClientForPath<paths['/v1/organizations/{org}/blocks'], Json>['GET'];
  /** Search with a query */
  readonly search: ClientForPath<paths['/v1/organizations/{org}/search'], Json>['GET'];
  /** Follow a trace */
  readonly streamTrace: Events<ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/stream'], Json>['GET']>;
  /** Export a trace */
  readonly exportTrace: Blobs<ClientForPath<paths['/v1/organizations/{org}/traces/{traceId}/export'], Any>['GET']>;
  /** List runs */
  readonly listRuns: ClientForPath<paths['/v1/organizations/{org}/runs'], Json>['GET'];
  /** Read the rewards of a run by step */
  readonly runStats: ClientForPath<paths['/v1/organizations/{org}/runs/{run}/stats'], Json>['GET'];
  /** List what statistics need of traces */
  readonly listTraceSummaries: ClientForPath<paths['/v1/organizations/{org}/trace-summaries'], Json>['GET'];
  /** Export traces of a run */
  readonly exportRun: Blobs<ClientForPath<paths['/v1/organizations/{org}/runs/{run}/export'], Any>['GET']>;
  /** Export traces */
  readonly exportTraces: Blobs<ClientForPath<paths['/v1/organizations/{org}/export'], Any>['GET']>;
  /** List groups of rollouts of one task, with advantages */
  readonly listGroups: ClientForPath<paths['/v1/organizations/{org}/groups'], Json>['GET'];
  /** Tag or delete many traces */
  readonly updateTraces: ClientForPath<paths['/v1/organizations/{org}/bulk'], Json>['POST'];
  /** List scores */
  readonly listScores: ClientForPath<paths['/v1/organizations/{org}/scores'], Json>['GET'];
  /** Score a run, a trace or a block */
  readonly createScore: ClientForPath<paths['/v1/organizations/{org}/scores'], Json>['POST'];
  /** Delete a score */
  readonly deleteScore: ClientForPath<paths['/v1/organizations/{org}/scores/{scoreId}'], Json>['DELETE'];
  /** Import traces */
  readonly importTraces: ClientForPath<paths['/v1/organizations/{org}/import'], Json>['POST'];
  /** Read a blob */
  readonly getBlob: Blobs<ClientForPath<paths['/v1/organizations/{org}/blobs/{sha256}'], Any>['GET']>;
  /** Store a blob under the SHA-256 of its bytes */
  readonly putBlob: ClientForPath<paths['/v1/organizations/{org}/blobs/{sha256}'], Json>['PUT'];
  /** Store spans of OpenTelemetry as traces */
  readonly exportSpans: ClientForPath<paths['/v1/traces'], Json>['POST'];
  /** Log events of the OpenReward client */
  readonly logRollouts: ClientForPath<paths['/v1/rollouts'], Json>['POST'];
  /** Read the messages of a rollout, in the format of the OpenReward client */
  readonly getRollout: ClientForPath<paths['/v1/rollouts/{rolloutId}'], Json>['GET'];
  /** List runs in the format of OpenReward's command line */
  readonly listRolloutRuns: ClientForPath<paths['/v1/runs'], Json>['GET'];
  /** Read a run in the format of OpenReward's command line */
  readonly getRolloutRun: ClientForPath<paths['/v1/runs/{run}'], Json>['GET'];
  /** List the rollouts of a run in the format of OpenReward's command line */
  readonly listRollouts: ClientForPath<paths['/v1/runs/{run}/rollouts'], Json>['GET'];
  /** Read rewards and response lengths by task, in the format of the OpenReward client */
  readonly getTaskDifficulty: ClientForPath<paths['/v1/environments/{owner}/{name}/task-difficulty'], Json>['GET'];
  /** Read the secrets that an environment needs, in the format of the OpenReward client */
  readonly getRequiredSecrets: ClientForPath<paths['/v1/environments/{owner}/{name}/required-secrets'], Json>['GET'];
  /** Get the permissions of the API key */
  readonly getAccess: ClientForPath<paths['/v1/access'], Json>['GET'];
  /** Report that the server is running */
  readonly healthz: ClientForPath<paths['/healthz'], Json>['GET'];
  /** Report whether traces can be written */
  readonly readyz: ClientForPath<paths['/readyz'], Json>['GET'];
  /** Get metrics for Prometheus */
  readonly metrics: ClientForPath<paths['/metrics'], Any>['GET'];
  /** Get this document */
  readonly openapi: ClientForPath<paths['/openapi.json'], Json>['GET'];
}

/**
 * Creates a client. It keeps no state and logs nothing.
 *
 * @param options `baseUrl` of the server, `headers` of every request, `fetch` as a replacement of the global one.
 * @example
 * const client = createTraceApiClient({ baseUrl: 'http://127.0.0.1:8080' });
 */
export function createTraceApiClient(options: ClientOptions = {}): TraceApiClient {
  const client = createClient<paths>(options);
  // Each method has the types of its operation; their common implementation cannot be typed more precisely.
  const send: (method: any, path: any, init: any) => Promise<any> = client.request;
  const request =
    (method: string, path: string, accept: string, { parseAs, contentType }: RequestForm = {}): any =>
    (init: any = {}) =>
      send(method, path, {
        ...(contentType && { bodySerializer: (body: any) => bodyOf(body, contentType) }),
        ...init,
        ...(parseAs && { parseAs }),
        headers: mergeHeaders({ Accept: accept }, bodyHeaders(init.body, contentType), init.headers),
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
    listTraces: request('get', '/v1/organizations/{org}/traces', 'application/json'),
    createTrace: request('post', '/v1/organizations/{org}/traces', 'application/json'),
    getTrace: request('get', '/v1/organizations/{org}/traces/{traceId}', 'application/json'),
    deleteTrace: request('delete', '/v1/organizations/{org}/traces/{traceId}', 'application/json'),
    updateTrace: request('patch', '/v1/organizations/{org}/traces/{traceId}', 'application/json'),
    listBlocks: request('get', '/v1/organizations/{org}/traces/{traceId}/blocks', 'application/json'),
    appendBlocks: request('post', '/v1/organizations/{org}/traces/{traceId}/blocks', 'application/json'),
    getBlock: request('get', '/v1/organizations/{org}/traces/{traceId}/blocks/{blockId}', 'application/json'),
    stitchedBlocks: request('get', '/v1/organizations/{org}/traces/{traceId}/blocks.stitched', 'application/json'),
    findBlocks: request('get', '/v1/organizations/{org}/blocks', 'application/json'),
    search: request('get', '/v1/organizations/{org}/search', 'application/json'),
    streamTrace: events('get', '/v1/organizations/{org}/traces/{traceId}/stream'),
    exportTrace: request('get', '/v1/organizations/{org}/traces/{traceId}/export', 'application/x-ndjson, text/csv, application/vnd.apache.parquet, text/html', { parseAs: 'blob' }),
    listRuns: request('get', '/v1/organizations/{org}/runs', 'application/json'),
    runStats: request('get', '/v1/organizations/{org}/runs/{run}/stats', 'application/json'),
    listTraceSummaries: request('get', '/v1/organizations/{org}/trace-summaries', 'application/json'),
    exportRun: request('get', '/v1/organizations/{org}/runs/{run}/export', 'application/x-ndjson, text/csv, application/vnd.apache.parquet, text/html', { parseAs: 'blob' }),
    exportTraces: request('get', '/v1/organizations/{org}/export', 'application/x-ndjson, text/csv, application/vnd.apache.parquet, text/html', { parseAs: 'blob' }),
    listGroups: request('get', '/v1/organizations/{org}/groups', 'application/json'),
    updateTraces: request('post', '/v1/organizations/{org}/bulk', 'application/json'),
    listScores: request('get', '/v1/organizations/{org}/scores', 'application/json'),
    createScore: request('post', '/v1/organizations/{org}/scores', 'application/json'),
    deleteScore: request('delete', '/v1/organizations/{org}/scores/{scoreId}', 'application/json'),
    importTraces: request('post', '/v1/organizations/{org}/import', 'application/json', { contentType: 'application/x-ndjson' }),
    getBlob: request('get', '/v1/organizations/{org}/blobs/{sha256}', '*/*', { parseAs: 'blob' }),
    putBlob: request('put', '/v1/organizations/{org}/blobs/{sha256}', 'application/json'),
    exportSpans: request('post', '/v1/traces', 'application/json'),
    logRollouts: request('post', '/v1/rollouts', 'application/json'),
    getRollout: request('get', '/v1/rollouts/{rolloutId}', 'application/json'),
    listRolloutRuns: request('get', '/v1/runs', 'application/json'),
    getRolloutRun: request('get', '/v1/runs/{run}', 'application/json'),
    listRollouts: request('get', '/v1/runs/{run}/rollouts', 'application/json'),
    getTaskDifficulty: request('get', '/v1/environments/{owner}/{name}/task-difficulty', 'application/json'),
    getRequiredSecrets: request('get', '/v1/environments/{owner}/{name}/required-secrets', 'application/json'),
    getAccess: request('get', '/v1/access', 'application/json'),
    healthz: request('get', '/healthz', 'application/json'),
    readyz: request('get', '/readyz', 'application/json'),
    metrics: request('get', '/metrics', 'text/plain', { parseAs: 'text' }),
    openapi: request('get', '/openapi.json', 'application/json'),
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

/** fetch itself sets the type of a multipart body, with its boundary. */
const bodyHeaders = (body: any, contentType?: string): Record<string, string> =>
  body === undefined || !contentType || contentType.startsWith('multipart/') ? {} : { 'Content-Type': contentType };

function bodyOf(body: any, contentType: string): any {
  if (contentType.includes('json')) return JSON.stringify(body);
  const isPlain = typeof body === 'object' && body !== null && [null, Object.prototype].includes(Object.getPrototypeOf(body));
  if (!isPlain) return body;
  if (contentType.startsWith('multipart/')) return formData(body);
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body);
  return Object.entries(body).flatMap(([name, value]) => nested(encodeURIComponent(name), value, encodeURIComponent)).join('&');
}

function formData(body: Record<string, any>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of [value].flat()) {
      if (item == null) continue;
      const isPlain = typeof item === 'object' && !(item instanceof Blob);
      form.append(name, isPlain ? new Blob([JSON.stringify(item)], { type: 'application/json' }) : item);
    }
  }
  return form;
}

function nested(name: string, value: any, encode: (value: any) => string): string[] {
  if (value == null) return [];
  if (typeof value !== 'object') return [`${name}=${encode(value)}`];
  return Object.entries(value).flatMap(([key, member]) => nested(`${name}[${encode(key)}]`, member, encode));
}
