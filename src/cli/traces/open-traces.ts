import { aborted, errorMessage, oneLine, retryDelayMs, sleep } from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { STORE_BACKOFF, type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import type { StoreAccessFlags } from './flags.ts';
import { type OpenStoreOptions, openStore, resolveStoreLocation } from './open-store.ts';
import { followRemoteTrace } from './remote-events.ts';

/** Traces of one organization, in a file or behind a server. */
interface TraceAccess extends AsyncDisposable {
  /** Sends requests; the same for a file and a server. */
  readonly api: TraceApiRequester;
  /** Streams the events of an existing trace after a position. Source: trace.openapi.yaml, streamTrace. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<ServerSentEvent>;
}

const ORGANIZATION = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/;

/** @throws CliError for a name that is not valid in a path of the API. */
export function assertOrganization(org: string): void {
  if (ORGANIZATION.test(org)) return;
  throw new CliError(`invalid --org '${org}': expected letters and digits, and after the first character also . _ -`);
}

/** @throws CliError if the store is ambiguous or cannot be opened. */
export async function openTraceAccess(
  flags: StoreAccessFlags,
  options: Partial<OpenStoreOptions> & { readonly signal?: AbortSignal } = {},
): Promise<TraceAccess> {
  const { org } = flags;
  assertOrganization(org);
  const { file, url } = resolveStoreLocation(flags);
  return url === undefined
    ? await openFile(file, org, { mayCreate: false, ...options })
    : await openRemote(url, flags, options.signal);
}

async function openFile(file: string, org: string, options: OpenStoreOptions): Promise<TraceAccess> {
  const store = await openStore(file, options);
  const { createStoreCall, follow } = await import('../../trace/api/index.ts');
  const { createLocalTraceApi } = await import('../../trace/recorder/index.ts');
  return {
    api: createLocalTraceApi(createStoreCall(store, reportStoreError), org),
    async *follow(id, after, signal) {
      // Neither the file nor the signal listener keeps the process alive.
      const keepAlive = setInterval(() => {}, 60_000);
      const stopped = aborted(signal).then(() => undefined);
      try {
        yield* follow(store, { org, id, after }, stopped);
      } finally {
        clearInterval(keepAlive);
      }
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

async function openRemote(
  url: string,
  { apiKey, org }: StoreAccessFlags,
  signal: AbortSignal | undefined,
): Promise<TraceAccess> {
  if (apiKey !== undefined) assertHeaderValue(apiKey);
  const { createTraceApiRequester } = await import('../../trace/client/index.ts');
  const server = { url, apiKey, organization: org, fetch: globalThis.fetch };
  return {
    api: withRetries(createTraceApiRequester(server), signal),
    follow: (id, after, signal) => followRemoteTrace(server, { id, after }, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Checked here because the error of fetch would repeat the key. */
function assertHeaderValue(key: string): void {
  try {
    new Headers({ 'x-api-key': key });
  } catch {
    throw new CliError(
      'invalid API key: it has characters that headers cannot contain; check --api-key and ORS_TRACES_API_KEY',
    );
  }
}

function reportStoreError(error: unknown): void {
  process.stderr.write(`ors: the store failed: ${errorMessage(error)}\n`);
}

/** Retry budget of a request: long commands survive a restart of the server. */
const RETRY_TIMEOUT_MS = 60_000;
/** Statuses of temporary failures. A 500 would be repeated. */
const TEMPORARY: readonly (number | null)[] = [408, 425, 429, 502, 503, 504];

/**
 * Retries requests while the server is busy, or unreachable after a first response, until the signal aborts. Requests must
 * be idempotent.
 */
export function withRetries(api: TraceApiRequester, signal: AbortSignal | undefined): TraceApiRequester {
  let hasResponded = false;

  async function send<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + RETRY_TIMEOUT_MS;
    for (let failures = 0; ; failures++) {
      try {
        const response = await work();
        hasResponded = true;
        return response;
      } catch (error) {
        if (!(error instanceof TraceError)) throw error;
        hasResponded ||= error.status !== null;
        const isTemporary = error.code === 'NETWORK' ? hasResponded : TEMPORARY.includes(error.status);
        if (!isTemporary || performance.now() + error.retryAfterMs > end) throw error;
        if (failures === 0) process.stderr.write(`ors: ${oneLine(error.message)}; retrying\n`);
        await sleep(retryDelayMs(failures, STORE_BACKOFF, error.retryAfterMs), signal);
      }
    }
  }

  return {
    json: (operation, request) => send(() => api.json(operation, request)),
    bytes: (operation, request) => send(() => api.bytes(operation, request)),
  };
}
