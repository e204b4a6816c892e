import type { StitchedTrace, TraceId, TraceInput } from '../../../generated/trace.ts';
import {
  createRedactor,
  errorMessage,
  firstTimes,
  parseBaseUrl,
  type Redactor,
  tooShortWarning,
} from '../../core/index.ts';
import { readTraceLimits, type TraceLimits, withRequestLimit } from '../model/index.ts';
import { createTraceApiRequester, type TraceApiRequester } from './api.ts';
import type { Spool } from './jobs.ts';
import { type FlushReport, type OnTraceError, Outbox } from './outbox.ts';
import { readStitchedTrace } from './read-trace.ts';
import { TraceError } from './trace-error.ts';
import { createPendingTrace, openTrace, type PendingTrace, type TraceHandle } from './trace-handle.ts';
import { createTraceTransport, withStateReporting } from './transport.ts';

/**
 * Options for `createTraceClient`.
 *
 * @example
 * const client = createTraceClient({ url: 'http://127.0.0.1:8090', spool: 'traces.spool' });
 */
export interface TraceClientOptions {
  /** URL of the trace store. @default process.env.ORS_TRACES_URL */
  readonly url?: string | URL;
  /** API key, sent as `X-API-Key`. @default process.env.ORS_TRACES_API_KEY, or none */
  readonly apiKey?: string;
  /** Organization of the traces. @default process.env.ORS_TRACES_ORGANIZATION, or 'default' */
  readonly organization?: string;
  /** Secrets by name: values of at least 6 characters are replaced by `[secret]` in all requests, in any encoding. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * Path of a file that keeps blocks until the store has them (Node only). After a crash, the next client with the same
   * file delivers them. Use one file per client, store and organization. @default none
   */
  readonly spool?: string;
  /** Receives each block that cannot be stored, and errors of the spool. @default prints to the console */
  readonly onError?: OnTraceError;
  /**
   * Called with the error when the store becomes unavailable, and with undefined when it is available again. Requests
   * are retried meanwhile, until `retryTimeoutMs`.
   */
  readonly onStoreState?: (error: TraceError | undefined) => void;
  /** Replacement for `fetch`. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** Limits of the store in bytes, if they differ from the defaults. */
  readonly limits?: Partial<TraceLimits>;
  /**
   * What happens to a field above its limit: `split` stores it in several blocks or as a blob, from which `readTrace`
   * restores it; `throw` rejects the block with the error PAYLOAD_TOO_LARGE, as the store would.
   *
   * @default 'split'
   */
  readonly oversize?: 'split' | 'throw';
  /**
   * Rejects a call whose `arguments` are text that is not JSON, as the store would. Otherwise it is logged with
   * `{"$invalid_json": text}` as its arguments. @default false
   */
  readonly strictArguments?: boolean;
  /** Time after logging for which delivery is retried, in ms. @default 600000 */
  readonly retryTimeoutMs?: number;
  /** Queued bytes above which `ready` waits; blocks logged nevertheless are kept. @default 64 MB */
  readonly maxQueueBytes?: number;
}

/**
 * Logs to one organization of a trace store.
 *
 * @example
 * const traces: TraceClient = createTraceClient({ url: 'http://127.0.0.1:8090' });
 * const { messages } = await traces.readTrace('tr_1');
 */
export interface TraceClient extends AsyncDisposable {
  /**
   * Creates a trace. Blocks can be logged to it immediately.
   *
   * @param options `secrets` of this trace, in addition to those of the client.
   */
  createTrace(input?: TraceInput, options?: Pick<TraceClientOptions, 'secrets'>): PendingTrace;
  /** Returns a handle to log to an existing trace. */
  trace(id: TraceId): TraceHandle;
  /**
   * Reads a trace as a tree. Split and offloaded values are restored, and `assembled` has the result of each call.
   *
   * @throws TraceError
   */
  readTrace(id: TraceId): Promise<StitchedTrace>;
  /** Waits until the queue has room: await it regularly if you do not await the blocks. */
  ready(): Promise<void>;
  /** Waits until all blocks are stored or have failed. Does not reject. */
  flush(): Promise<FlushReport>;
  /** Flushes and closes the spool. Blocks that are logged later fail with the code CLOSED. */
  close(): Promise<FlushReport>;
}

/**
 * Creates a client that sends blocks in batches in the background, in order within each trace, and retries failed
 * requests. Queued blocks keep the process alive until they are delivered or given up.
 *
 * @throws TypeError for a missing or invalid URL.
 * @throws RangeError for a number that is not positive; TypeError for an unknown value of `oversize`.
 * @example
 * await using client = createTraceClient({ url: 'http://127.0.0.1:8090' });
 * const trace = client.createTrace({ name: 'first' });
 * await trace.logMessage({ role: 'user', content: 'Hello' });
 */
export const createTraceClient = (options: TraceClientOptions = {}): TraceClient =>
  createClientForApi(createTraceApiRequester(readApiOptions(options)), options);

/**
 * Like `createTraceClient`, with a custom requester, such as one for a store in this process.
 *
 * @throws RangeError for a number that is not positive; TypeError for an unknown value of `oversize`.
 * @example
 * const client = createClientForApi(createLocalTraceApi(createTraceApi(store), 'default'));
 */
export function createClientForApi(
  api: TraceApiRequester,
  options: Omit<TraceClientOptions, 'url' | 'fetch'> = {},
): TraceClient {
  const onError = inMicrotask(options.onError ?? printError);
  const limits = { ...withRequestLimit({ ...readTraceLimits({}), ...options.limits }), ...options.limits };
  const { onStoreState, retryTimeoutMs = 600_000, maxQueueBytes = 64 * 1024 * 1024 } = options;
  const { oversize = 'split', strictArguments = false } = options;
  for (const [name, value] of Object.entries({ retryTimeoutMs, maxQueueBytes, ...options.limits })) {
    if (!(value > 0)) throw new RangeError(`invalid ${name}: expected a positive number, got ${value}`);
  }
  // A misspelled value would split outputs silently.
  if (oversize !== 'split' && oversize !== 'throw') {
    throw new TypeError(`invalid oversize: expected 'split' or 'throw', got ${JSON.stringify(oversize)}`);
  }
  const spool = options.spool === undefined ? undefined : openSpoolOrReport(options.spool, onError);
  const transport = createTraceTransport(onStoreState ? withStateReporting(api, onStoreState) : api);
  const outbox = new Outbox({ transport, retryTimeoutMs, maxQueueBytes, spool, onError });
  // Traces can have additional secrets, so each warning is printed once for all.
  const isFirst = firstTimes(MAX_WARNINGS);
  const redactorFor = (secrets: Readonly<Record<string, string>>): Redactor => {
    const redactor = createRedactor(secrets);
    for (const name of redactor.tooShort.filter(isFirst)) warn(tooShortWarning(name));
    return redactor;
  };
  const context = { outbox, limits, oversize, strictArguments, redactor: redactorFor(options.secrets ?? {}), onError };
  const withSecrets = (more: Readonly<Record<string, string>>) => ({
    ...context,
    redactor: redactorFor({ ...options.secrets, ...more }),
  });
  return {
    createTrace: (input = {}, { secrets } = {}) => createPendingTrace(secrets ? withSecrets(secrets) : context, input),
    trace: (id) => openTrace(context, id),
    readTrace: (id) => readStitchedTrace(api, id),
    ready: () => outbox.ready(),
    flush: () => outbox.flush(),
    close: () => outbox.close(),
    async [Symbol.asyncDispose]() {
      await outbox.close();
    },
  };
}

function readApiOptions(options: TraceClientOptions): Parameters<typeof createTraceApiRequester>[0] {
  const env = typeof process === 'object' ? process.env : {};
  const { url = env.ORS_TRACES_URL, apiKey, organization, fetch } = options;
  const advice = 'pass the URL of a trace store, such as http://127.0.0.1:8090';
  if (url === undefined || url === '') throw new TypeError(`missing url: ORS_TRACES_URL is not set either; ${advice}`);
  return {
    url: parseBaseUrl(url, advice),
    apiKey: apiKey ?? env.ORS_TRACES_API_KEY,
    organization: organization ?? env.ORS_TRACES_ORGANIZATION ?? 'default',
    fetch: fetch ?? globalThis.fetch.bind(globalThis),
  };
}

/** Calls the listener in a microtask, so that its errors do not stop the delivery. */
const inMicrotask =
  (onError: OnTraceError): OnTraceError =>
  (...args) =>
    queueMicrotask(() => onError(...args));

async function openSpoolOrReport(path: string, onError: OnTraceError): Promise<Spool | undefined> {
  const notify = (cause: unknown) => {
    const message = `the spool does not work, so queued blocks are only in memory: ${errorMessage(cause)}`;
    onError(new TraceError('SPOOL', message, { cause }), { id: path, trace_id: '' });
  };
  try {
    if (typeof process !== 'object' || !process.versions?.node) throw new TypeError('a spool needs Node.js');
    // Imported lazily, because bundles for browsers have no files.
    const { openFileSpool } = await import('./file-spool.ts');
    return await openFileSpool(path, notify);
  } catch (cause) {
    notify(cause);
    return undefined;
  }
}

const printError: OnTraceError = ({ code, message }, { id }) => {
  // biome-ignore lint/suspicious/noConsole: without a listener, failures must be visible somewhere
  console.error(`ors-kit/trace: ${id} was not logged: ${code}: ${message}`);
};

const MAX_WARNINGS = 100;

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: warns about a mistake in the options
  console.warn(`ors-kit/trace: ${message}`);
}
