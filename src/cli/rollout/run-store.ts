import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationId } from '../../../generated/trace-api-operations.ts';
import {
  abortable,
  definedFields,
  delayedSignal,
  isHttpUrl,
  maskableSecrets,
  oneLine,
  settlesWithin,
} from '../../core/index.ts';
import { openRunTraces } from '../../rollout/index.ts';
import {
  createClientForApi,
  isRetryableTraceError,
  type TraceApiRequester,
  TraceError,
} from '../../trace/client/index.ts';
import { redactLocation } from '../traces/open-store.ts';
import { openTraceAccess } from '../traces/open-traces.ts';

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
 * @param target a file or URL, true for a SQLite file in the folder of the run.
 * @throws Error if the store cannot be opened.
 */
export async function openRunStore(target: string | true, options: RunStoreOptions) {
  const { folder, run, signal, onWait } = options;
  const place = target === true ? join(folder, 'traces.db') : target;
  const isUrl = isHttpUrl(place);
  const shown = redactLocation(place);
  const opened = await openAccess(place, isUrl, signal).catch((cause: Error) => {
    const known = existsSync(folder) ? `; fix this, then resume with: ors rollout --resume ${folder}` : '';
    throw new Error(`${cause.message}${known}`, { cause });
  });
  const watch = watchStore(opened.api, { location: shown, signal, onWait });
  // A failed write fails its episode, so it needs no report here.
  const client = createClientForApi(watch.api, { onError: () => {}, secrets: maskableSecrets(options.secrets) });
  return {
    traces: openRunTraces(watch.api, client, run),
    /** Flags of `ors traces` that select the store. */
    accessFlags: [isUrl ? '--url' : '--db', shown],
    async [Symbol.asyncDispose]() {
      const closed = client.close();
      await (signal.aborted ? settlesWithin(FLUSH_TIMEOUT_MS, closed) : closed);
      watch[Symbol.dispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

function openAccess(place: string, isUrl: boolean, signal: AbortSignal) {
  const org = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const where = isUrl ? { url: place, ...definedFields({ apiKey: process.env.ORS_TRACES_API_KEY }) } : { db: place };
  // The trace client retries its own requests.
  return openTraceAccess({ org, ...where }, { mayCreate: true, flag: '--traces', signal, retried: ['listTraces'] });
}

/** Time without a response after which the user is notified that the run waits. */
const SILENCE_MS = 3_000;
/** Time for running requests to finish after an interrupt. */
const INTERRUPT_GRACE_MS = 2_000;
const POLL_INTERVAL_MS = 500;
/** Operations that the trace client retries. */
const RETRIED: readonly OperationId[] = ['createTrace', 'updateTrace', 'appendBlocks', 'putBlob'];

interface StoreWatchOptions {
  /** Redacted location of the store. */
  readonly location: string;
  readonly signal: AbortSignal;
  /** Called when the run begins or stops waiting for the store. */
  readonly onWait: (line: string, isWaiting: boolean) => void;
}

/** Notifies the user within seconds if the store does not respond, or rejects writes for now. */
function watchStore(api: TraceApiRequester, { location, signal, onWait }: StoreWatchOptions) {
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

  const watched: TraceApiRequester = {
    ...api,
    json: (operation, request) => send(operation, () => api.json(operation, request)),
    bytes: (operation, request) => send(operation, () => api.bytes(operation, request)),
  };
  return {
    /** The same store; after an interrupt, its requests end soon. */
    api: watched,
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
