import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationId } from '../../../generated/trace-api-operations.ts';
import { abortable, delayedSignal, isHttpUrl, maskableSecrets, oneLine, settlesWithin } from '../../core/index.ts';
import { openRunTraces, type RunTraces } from '../../rollout/index.ts';
import {
  createClientForApi,
  createTraceApiRequester,
  isRetryableTraceError,
  type TraceApiRequester,
  TraceError,
} from '../../trace/client/index.ts';
import { parseServerUrl } from '../command.ts';
import { redactLocation } from '../traces/open-store.ts';
import { openTraceAccess } from '../traces/open-traces.ts';

/** The open trace store of a run. */
interface RunStore extends AsyncDisposable {
  /** Undefined if nothing is recorded. */
  readonly traces: RunTraces | undefined;
  /** Flags of `ors traces` that select the store; undefined if nothing is recorded. */
  readonly accessFlags: readonly string[] | undefined;
}

interface RunStoreOptions extends Pick<StoreWatchOptions, 'signal' | 'onWait'> {
  /** The folder of the run. */
  readonly folder: string;
  /** The name of the run. */
  readonly run: string;
  /** Redacted in everything that is recorded. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Longest wait for pending writes after an interrupt. */
const FLUSH_TIMEOUT_MS = 2_500;

/**
 * Opens the store of a run.
 *
 * @param target a file or URL, true for a SQLite file in the folder of the run, false for none.
 * @throws Error if the store cannot be opened.
 */
export async function openRunStore(target: string | boolean, options: RunStoreOptions): Promise<RunStore> {
  const { folder, run, signal, onWait } = options;
  if (target === false) return { traces: undefined, accessFlags: undefined, [Symbol.asyncDispose]: async () => {} };
  const place = target === true ? join(folder, 'traces.db') : target;
  const isUrl = isHttpUrl(place);
  const shown = redactLocation(place);
  const opened = await openApi(place, isUrl, signal).catch((cause: Error) => {
    const known = existsSync(folder) ? `; fix this, then resume with: ors rollout --resume ${folder}` : '';
    throw new Error(`cannot open the trace store ${shown}: ${cause.message}${known}`, { cause });
  });
  const watch = watchStore(opened.api, { location: shown, signal, onWait });
  // A failed write fails its episode, so it needs no report here.
  const client = createClientForApi(watch.api, { onError: () => {}, secrets: maskableSecrets(options.secrets) });
  return {
    traces: openRunTraces(watch.api, client, run),
    accessFlags: [isUrl ? '--url' : '--db', shown],
    async [Symbol.asyncDispose]() {
      const closed = client.close();
      await (signal.aborted ? settlesWithin(FLUSH_TIMEOUT_MS, closed) : closed);
      watch[Symbol.dispose]();
      await opened.close();
    },
  };
}

async function openApi(place: string, isUrl: boolean, signal: AbortSignal) {
  const organization = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const apiKey = process.env.ORS_TRACES_API_KEY;
  const where = isUrl ? { url: place, ...(apiKey !== undefined && { apiKey }) } : { db: place };
  const { api, [Symbol.asyncDispose]: close } = await openTraceAccess(
    { org: organization, ...where },
    { mayCreate: true, signal },
  );
  if (!isUrl) return { api, close };
  const once = createTraceApiRequester({ url: parseServerUrl(place), apiKey, organization, fetch: globalThis.fetch });
  return { api: withRetriedReads(api, once), close };
}

/** Retries `listTraces` only: the trace client retries its own requests. */
const withRetriedReads = (persistent: TraceApiRequester, once: TraceApiRequester): TraceApiRequester => ({
  json: (operation, request) => (operation === 'listTraces' ? persistent : once).json(operation, request),
  bytes: persistent.bytes,
});

/** Time without a response after which the user is notified that the run waits. */
const SILENCE_MS = 3_000;
/** Time for running requests to finish after an interrupt. */
const INTERRUPT_GRACE_MS = 2_000;
const POLL_INTERVAL_MS = 500;
/** Operations that the trace client retries. */
const RETRIED: readonly OperationId[] = ['createTrace', 'updateTrace', 'appendBlocks', 'putBlob'];

interface StoreWatch extends Disposable {
  /** The same store; after an interrupt, its requests end soon. */
  readonly api: TraceApiRequester;
}

interface StoreWatchOptions {
  /** Redacted location of the store. */
  readonly location: string;
  readonly signal: AbortSignal;
  /** Called when the run begins or stops waiting for the store. */
  readonly onWait: (line: string, isWaiting: boolean) => void;
}

/** Notifies the user within seconds if the store does not respond, or rejects writes for now. */
function watchStore(api: TraceApiRequester, { location, signal, onWait }: StoreWatchOptions): StoreWatch {
  const running = new Set<{ readonly at: number }>();
  let isWaiting = false;
  let lastProblem = 0;
  const isSilent = () => [...running].some(({ at }) => performance.now() - at > SILENCE_MS);
  const reportProblem = (what: string) => {
    lastProblem = performance.now();
    if (isWaiting) return;
    isWaiting = true;
    onWait(`the trace store, ${location}, ${what}; the run waits for it, and Ctrl-C ends the run`, true);
  };
  const onResponse = () => {
    if (!isWaiting || isSilent() || performance.now() - lastProblem < SILENCE_MS) return;
    isWaiting = false;
    onWait('the trace store responds again', false);
  };
  const timer = setInterval(() => {
    if (isSilent()) reportProblem(`has not responded for ${SILENCE_MS / 1000} s`);
  }, POLL_INTERVAL_MS).unref();
  const interrupted = delayedSignal(
    INTERRUPT_GRACE_MS,
    signal,
    () => new TraceError('CLOSED', 'the run was interrupted'),
  );

  async function send<T>(operation: OperationId, work: () => Promise<T>): Promise<T> {
    const request = { at: performance.now() };
    running.add(request);
    try {
      const value = await abortable(interrupted.signal, work);
      running.delete(request);
      onResponse();
      return value;
    } catch (error) {
      const isRetried = RETRIED.includes(operation);
      if (isRetried && error instanceof TraceError && isRetryableTraceError(error))
        reportProblem(`rejects traces: ${oneLine(error.message)}`);
      throw withAdvice(error);
    } finally {
      running.delete(request);
    }
  }

  return {
    api: {
      ...api,
      json: (operation, request) => send(operation, () => api.json(operation, request)),
      bytes: (operation, request) => send(operation, () => api.bytes(operation, request)),
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      interrupted.release();
    },
  };
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof TraceError) || (error.status !== 401 && error.status !== 403)) return error;
  const { code, status, details, cause } = error;
  const message = `${error.message}; set ORS_TRACES_API_KEY to a key of the store, ORS_TRACES_ORGANIZATION to its organization`;
  return new TraceError(code, message, { status, details, cause });
}
