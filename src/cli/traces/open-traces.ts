import type { RunStats } from '../../../generated/trace.ts';
import { type OperationId, operations } from '../../../generated/trace-api-operations.ts';
import {
  aborted,
  didYouMean,
  errorMessage,
  failureReason,
  isHttpUrl,
  oneLine,
  parseRetryAfter,
  retryDelayMs,
  silenceSignal,
  sleep,
  truncate,
  tryParseJson,
} from '../../core/index.ts';
import { decodeEvents, type ServerSentEvent } from '../../sse/index.ts';
import {
  createTraceApiRequester,
  isRetryableTraceError,
  listPages,
  parseTraceError,
  STORE_BACKOFF,
  type TraceApiRequester,
  TraceError,
} from '../../trace/client/index.ts';
import { TRACE_ID, TraceStoreError } from '../../trace/model/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { CliError, type FailureReporter } from '../failure.ts';
import { createLinePrompt, InputEndedError } from '../play/ask.ts';
import { listenForInterrupts } from '../process.ts';
import { schemeAdvice } from '../remote/connect.ts';
import { reportFailure } from '../report-failure.ts';
import { type OpenStoreOptions, openStore, resolveStoreLocation } from './open-store.ts';

const FILE = 'SQLite file of the store, or ORS_TRACES_DB (default: ./traces.db)';

export const organizationFlag = defineFlags({
  '--org <name>': { help: 'organization that owns the traces', env: 'ORS_TRACES_ORGANIZATION', default: 'default' },
});

/** Flags of commands that work on a file and over HTTP. */
export const storeAccessFlags = defineFlags(
  {
    '--db <file>': FILE,
    '--url <server>': 'URL of a trace server, or ORS_TRACES_URL',
    '--api-key <key>': { help: 'sent to the server as X-API-Key', env: 'ORS_TRACES_API_KEY' },
    ...organizationFlag,
  },
  'Trace store:',
);

/** Flags of commands that need the file itself; `--url` gets an explanation. */
export const storeFileFlags = defineFlags({ '--db <file>': FILE, '--url <server>': { help: '', hidden: true } });

export type StoreAccessFlags = FlagValues<typeof storeAccessFlags>;

/** Parses a trace id; the prefix `tr_` is optional. @throws CliError */
export function parseTraceId(text: string): string {
  const id = text.startsWith('tr_') ? text : `tr_${text}`;
  if (TRACE_ID.test(id)) return id;
  const shown = truncate(oneLine(text), 80);
  throw new CliError(
    `invalid trace id '${shown}': expected an id such as tr_01k2m3n4p5q6r7s8t9v0w1x2y3; ors traces ls lists them`,
  );
}

/** Asks the user to confirm something that cannot be undone. @throws CliError if they refuse, or without a terminal. */
export async function confirm(question: string): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) {
    throw new CliError(`cannot ask '${question}' without a terminal; confirm with --yes`);
  }
  using interrupts = listenForInterrupts();
  const { signal, interrupt } = interrupts;
  using prompt = createLinePrompt({ input, output, signal, onInterrupt: () => interrupt('SIGINT') });
  const response = await prompt.ask(`${question} [y/N] `).catch((error: unknown) => {
    if (error instanceof InputEndedError) return '';
    throw error;
  });
  if (!/^y(es)?$/i.test(response.trim())) throw new CliError('nothing was deleted');
}

/** Reports failures of the trace store with a remedy. */
export const reportTraceFailure: FailureReporter = (flags, work, exitCode) => {
  const exitWithReader = () => {
    // `ors traces ls | head`: exit when the reader of the output is gone.
    process.stdout.on('error', () => process.exit());
    return work();
  };
  return reportStoreFailure(flags, exitWithReader, exitCode);
};

/** The same for a server, which continues when the reader of its output is gone. */
export const reportStoreFailure: FailureReporter = (flags, work, exitCode) => {
  const explainFailure = async (error: unknown) => {
    throw await toCliError(error, flags);
  };
  return reportFailure(flags, () => work().catch(explainFailure), exitCode);
};

async function toCliError(error: unknown, flags: { readonly url?: string }): Promise<unknown> {
  if (error instanceof TraceStoreError) return new CliError(error.message, { cause: error });
  if (!(error instanceof TraceError)) return error;
  const advice = await adviceFor(error, flags);
  return new CliError(advice === undefined ? error.message : `${error.message}; ${advice}`, { cause: error });
}

async function adviceFor({ code, status, cause }: TraceError, flags: { readonly url?: string }) {
  const { url = process.env.ORS_TRACES_URL ?? '' } = flags;
  if (code === 'NETWORK') {
    const other = isHttpUrl(url) ? await schemeAdvice(url, cause) : undefined;
    return other ?? 'check the address, and that the server runs (--url or ORS_TRACES_URL)';
  }
  if (code === 'PROTOCOL') return 'pass the URL of a server of ors traces serve with --url';
  if (code === 'TRACE_NOT_FOUND') return 'ors traces ls lists the traces; --org selects another organization';
  if (code === 'NOT_FOUND') return 'ors traces stats lists the runs';
  if (status === 401) return 'pass a key with --api-key or ORS_TRACES_API_KEY';
  return undefined;
}

/** Maximum number of runs that an unknown name is compared with. */
const MAX_COMPARED_RUNS = 2_000;

/**
 * Returns the statistics of a run.
 *
 * @param where prefix of the message for an unknown run, such as `--run: `.
 * @throws CliError that suggests a similar run if there is none of this name.
 */
export async function readRunStats(
  api: TraceApiRequester,
  run: string,
  bins = 1,
  where = '--run: ',
): Promise<RunStats> {
  try {
    // The response of runStats is the statistics of the run.
    return (await api.json('runStats', { run, query: { bins } })) as RunStats;
  } catch (error) {
    if (!(error instanceof TraceError) || error.code !== 'NOT_FOUND') throw error;
    const names: string[] = [];
    for await (const { runs } of listPages(api, 'listRuns', {}, MAX_COMPARED_RUNS))
      names.push(...runs.map((each) => each.run));
    const advice = 'ors traces stats lists the runs; --org selects another organization';
    throw new CliError(`${where}${oneLine(error.message)}.${didYouMean(run, names)} ${advice}`, { cause: error });
  }
}

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
  options: Partial<OpenStoreOptions> & RetryOptions = {},
): Promise<TraceAccess> {
  const { org } = flags;
  assertOrganization(org);
  const { file, url } = resolveStoreLocation(flags);
  if (url !== undefined) return openRemote(url, flags, options);
  return await openFile(file, org, { mayCreate: false, ...options });
}

async function openFile(file: string, org: string, options: OpenStoreOptions): Promise<TraceAccess> {
  const store = await openStore(file, options);
  const { createStoreCall, follow } = await import('../../trace/api/index.ts');
  const { createLocalTraceApi } = await import('../../trace/recorder/index.ts');
  const onError = (error: unknown) => void process.stderr.write(`ors: the store failed: ${errorMessage(error)}\n`);
  return {
    api: createLocalTraceApi(createStoreCall(store, onError), org),
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

function openRemote(url: string, { apiKey, org }: StoreAccessFlags, options: RetryOptions): TraceAccess {
  if (apiKey !== undefined) assertHeaderValue(apiKey);
  const server = { url, apiKey, organization: org, fetch: globalThis.fetch };
  return {
    api: withRetries(createTraceApiRequester(server), options),
    follow: (id, after, signal) => followRemoteTrace(server, id, after, signal),
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

/** Lists the traces of a query, oldest first. */
export async function* listOldestFirst(
  api: TraceApiRequester,
  query: Readonly<Record<string, string | number | boolean>> = {},
) {
  const oldestFirst = { ...query, sort: 'created', order: 'asc' };
  for await (const { traces } of listPages(api, 'listTraces', oldestFirst)) yield* traces;
}

/** Retry budget of a request: long commands survive a restart of the server. */
const RETRY_TIMEOUT_MS = 60_000;
/** Statuses of temporary failures. A 500 would be repeated. */
const TEMPORARY: readonly (number | null)[] = [408, 425, 429, 502, 503, 504];

interface RetryOptions {
  /** Ends the retries. */
  readonly signal?: AbortSignal;
  /** Operations whose responses are JSON that are retried. @default all */
  readonly retried?: readonly OperationId[];
}

/** Retries requests while the server is busy, or unreachable after a first response. Requests must be idempotent. */
export function withRetries(api: TraceApiRequester, { signal, retried }: RetryOptions): TraceApiRequester {
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
    json(operation, request) {
      const work = () => api.json(operation, request);
      return retried === undefined || retried.includes(operation) ? send(work) : work();
    },
    bytes: (operation, request) => send(() => api.bytes(operation, request)),
  };
}

type TraceServerAccess = Parameters<typeof createTraceApiRequester>[0];

/** A server sends at least a comment every 15 s, so this is a lost connection. */
const SILENCE_MS = 60_000;

/**
 * Follows a trace over HTTP. After a first response, a broken stream is resumed from its last block, without a time limit.
 *
 * @throws TraceError of the store; NETWORK if the server cannot be reached.
 */
async function* followRemoteTrace(
  server: TraceServerAccess,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  // Ordinals of blocks are 1, 2, 3, ...
  let ordinal = after;
  let isKnown = false;
  for (let failures = 0; ; failures++) {
    const idle = silenceSignal(SILENCE_MS, () => new Error(`no data for ${SILENCE_MS / 1000} s`), signal);
    try {
      const response = await openStream(server, id, ordinal, idle.signal);
      isKnown = true;
      for await (const event of decodeEvents(readBody(response, idle.heard))) {
        failures = 0;
        if (event.event === 'error') throw toStreamError(event.data);
        if (event.event === 'block') ordinal++;
        yield event;
        if (event.event === 'deleted') return;
      }
      throw new TraceError('NETWORK', 'the server ended the stream');
    } catch (cause) {
      signal.throwIfAborted();
      const reason = `lost the connection to the server: ${failureReason(cause)}`;
      const error = cause instanceof TraceError ? cause : new TraceError('NETWORK', reason, { cause });
      if (!isKnown || !isRetryableTraceError(error)) throw error;
      if (failures === 0) process.stderr.write(`ors: ${oneLine(error.message)}; resuming after block ${ordinal}\n`);
      await sleep(retryDelayMs(failures, STORE_BACKOFF, error.retryAfterMs), signal);
    } finally {
      idle.release();
    }
  }
}

async function openStream(
  { url, apiKey, organization }: TraceServerAccess,
  id: string,
  after: number,
  signal: AbortSignal,
) {
  const path = operations.streamTrace.path
    .replace('{org}', encodeURIComponent(organization))
    .replace('{traceId}', encodeURIComponent(id));
  const headers = {
    accept: 'text/event-stream',
    'last-event-id': String(after),
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  };
  const response = await fetch(url + path, { headers, signal, redirect: 'manual' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (response.ok && isStream) return response;
  const text = await response.text();
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  const error = parseTraceError(response.status, tryParseJson(text), retryAfterMs);
  const outcome = `GET ${url}${path} responded ${response.status} ${truncate(text, 200)}`;
  throw error ?? new TraceError('PROTOCOL', `${outcome}; check that it is a trace store`, { status: response.status });
}

/** Converts an error event of the stream. */
const toStreamError = (data: string): TraceError =>
  parseTraceError(401, tryParseJson(data)) ??
  new TraceError('PROTOCOL', `the stream ended with an error: ${truncate(data, 200)}`);

async function* readBody({ body }: Response, onChunk: () => void): AsyncGenerator<Uint8Array> {
  // The type of fetch's body is that of browsers; in Node it is async iterable.
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    onChunk();
    yield chunk;
  }
}
