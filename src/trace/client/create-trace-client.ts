import type { StitchedTrace, TraceId, TraceInput } from '../../../generated/trace.ts';
import {
  createRedactor,
  errorMessage,
  firstTimes,
  type Redactor,
  tooShortWarning,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../../core/index.ts';
import { readTraceLimits, type TraceLimits } from '../model/index.ts';
import { createTraceApiRequester, type TraceApiRequester } from './api.ts';
import { createTraceTransport, withStateReporting } from './deliver.ts';
import { openSpool } from './open-spool.ts';
import { createPendingTrace, openTrace, type PendingTrace } from './open-trace.ts';
import { Outbox } from './outbox.ts';
import { readStitchedTrace } from './read/read-whole.ts';
import type { Spool } from './spool.ts';
import type { FlushReport } from './tally.ts';
import { TraceError } from './trace-error.ts';
import type { TraceHandle } from './trace-handle.ts';
import type { OnTraceError } from './track.ts';

export interface TraceClientOptions {
  /** Of the trace store. Default: ORS_TRACES_URL. */
  readonly url?: string | URL;
  /** Sent as `X-API-Key`. Default: ORS_TRACES_API_KEY, or none. */
  readonly apiKey?: string;
  /** Default: ORS_TRACES_ORGANIZATION, or `default`. */
  readonly organization?: string;
  /** By name: values of 6 characters or more that are replaced by `[secret]` in all that is sent, however they are written. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * A file of this client alone, in Node: what is logged is in it until the store has it, and is delivered by the next
   * client that opens the file, also after kill -9. A spool belongs to one store and organization. Default: none.
   */
  readonly spool?: string;
  /** Told of each thing that is not stored, and of a spool that does not work. Default: prints to the console. */
  readonly onError?: OnTraceError;
  /**
   * Called with the error when the store stops taking what is logged, and with undefined when it takes it again: once
   * for each change. What is logged meanwhile is sent again until `retryTimeoutMs`. Default: nothing is called.
   */
  readonly onStoreState?: (error: TraceError | undefined) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** The store's, where it has others than the defaults, in bytes. */
  readonly limits?: Partial<TraceLimits>;
  /** How long after it was logged something is still tried to be delivered, in ms. Default: 600,000. */
  readonly retryTimeoutMs?: number;
  /** So many bytes wait before `ready` does. What is logged is kept also beyond them. Default: 64 MB. */
  readonly maxQueueBytes?: number;
}

/** Logs to one organization of a trace store. */
export interface TraceClient extends AsyncDisposable {
  /**
   * Creates a trace with an id at once; blocks can be logged to it at once.
   *
   * @param options `secrets` that are replaced in this trace, besides those of the client.
   */
  createTrace(input?: TraceInput, options?: Pick<TraceClientOptions, 'secrets'>): PendingTrace;
  /** A trace that is there already, to log more to it. */
  trace(id: TraceId): TraceHandle;
  /**
   * A trace as a tree in which everything is whole that was too large for a block, and `assembled` has the result of
   * each call.
   *
   * @throws TraceError
   */
  readTrace(id: TraceId): Promise<StitchedTrace>;
  /** Settles when there is room in the queue: await it now and then where you do not await what you log. */
  ready(): Promise<void>;
  /** Waits for the receipts of all that was logged, and tells what failed. Does not reject. */
  flush(): Promise<FlushReport>;
  /** Flushes and lets go of the spool. What is logged later fails. */
  close(): Promise<FlushReport>;
}

/**
 * Makes a client. It sends in batches in the background, in order within each trace, and repeats what fails on the way.
 * The process ends by itself only when all is delivered or given up.
 *
 * @throws TypeError for a URL that is none of HTTP; RangeError for a number that is not positive.
 */
export const createTraceClient = (options: TraceClientOptions = {}): TraceClient =>
  createClientForApi(createTraceApiRequester(readApiOptions(options)), options);

/** The same over another way to the store. */
export function createClientForApi(
  api: TraceApiRequester,
  options: Omit<TraceClientOptions, 'url' | 'fetch'> = {},
): TraceClient {
  const onError = deferred(options.onError ?? printError);
  const limits = { ...readTraceLimits({}), ...options.limits };
  const { onStoreState, retryTimeoutMs = 600_000, maxQueueBytes = 64 * 1024 * 1024 } = options;
  for (const [name, value] of Object.entries({ retryTimeoutMs, maxQueueBytes, ...options.limits }))
    checkPositive(name, value);
  const spool = options.spool === undefined ? undefined : openOrTell(options.spool, onError);
  const transport = createTraceTransport(onStoreState ? withStateReporting(api, onStoreState) : api);
  const outbox = new Outbox({ transport, retryTimeoutMs, maxQueueBytes, spool, onError });
  // Each trace may have secrets of its own.
  const isFirst = firstTimes(MAX_WARNINGS);
  const redactorFor = (secrets: Readonly<Record<string, string>>): Redactor => {
    const redactor = createRedactor(secrets);
    for (const name of redactor.tooShort.filter(isFirst)) warn(tooShortWarning(name));
    return redactor;
  };
  const context = { outbox, limits, redactor: redactorFor(options.secrets ?? {}), onError };
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

function readApiOptions({
  url,
  apiKey,
  organization,
  fetch,
}: TraceClientOptions): Parameters<typeof createTraceApiRequester>[0] {
  const env = typeof process === 'object' ? process.env : {};
  return {
    url: baseUrl(url ?? env.ORS_TRACES_URL),
    apiKey: apiKey ?? env.ORS_TRACES_API_KEY,
    organization: organization ?? env.ORS_TRACES_ORGANIZATION ?? 'default',
    fetch: fetch ?? globalThis.fetch.bind(globalThis),
  };
}

function baseUrl(url: string | URL | undefined): string {
  const advice = 'give the address of a trace store, such as http://127.0.0.1:8090';
  if (url === undefined || url === '') throw new TypeError(`there is no url and no ORS_TRACES_URL; ${advice}`);
  if (!URL.canParse(url)) throw new TypeError(`'${withoutCredentials(url)}' is no URL; ${advice}`);
  const { protocol, username, password, search, hash, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`'${withoutCredentials(url)}' is not of HTTP; ${advice}`);
  if (username || password) throw new TypeError('the URL holds a password; pass it as apiKey');
  if (search || hash) throw new TypeError(`'${withoutCredentials(url)}' has a query or a fragment; ${advice}`);
  return withoutTrailingSlashes(href);
}

function checkPositive(name: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`${name} is ${value}; it must be a positive number`);
}

/** What a listener throws is its own affair, and must not end the delivery. */
const deferred =
  (onError: OnTraceError): OnTraceError =>
  (...args) =>
    queueMicrotask(() => onError(...args));

async function openOrTell(path: string, onError: OnTraceError): Promise<Spool | undefined> {
  const notify = (cause: unknown) => {
    const message = `the spool does not work, and what is logged is in memory alone: ${errorMessage(cause)}`;
    onError(new TraceError('SPOOL', message, { cause }), { id: path, trace_id: '' });
  };
  try {
    return await openSpool(path, notify);
  } catch (cause) {
    notify(cause);
    return undefined;
  }
}

const printError: OnTraceError = ({ code, message }, { id }) => {
  // biome-ignore lint/suspicious/noConsole: a failure that nobody listens for must be seen somewhere
  console.error(`ors-kit/trace: ${id} is not logged: ${code}: ${message}`);
};

const MAX_WARNINGS = 100;

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a warning of a mistake in the options
  console.warn(`ors-kit/trace: ${message}`);
}
