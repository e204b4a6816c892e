import type { OperationId } from '../../../generated/trace-api-operations.ts';
import { abortable, delayedSignal, oneLine } from '../../core/index.ts';
import { isRetryableTraceError, type TraceApiRequester, TraceError } from '../../trace/client/index.ts';

/** After so long without an answer it is told that the run waits. */
const SILENCE_MS = 3_000;
/** What is under way at an interrupt has so long to end. */
const FINAL_CHECK_MS = 2_000;
const POLL_INTERVAL_MS = 500;
/** What the client of traces sends, and sends again. */
const TRIED_AGAIN: readonly OperationId[] = ['createTrace', 'updateTrace', 'appendBlocks', 'putBlob'];

export interface StoreWatch extends Disposable {
  /** The same store, that is not waited for after an interrupt. */
  readonly api: TraceApiRequester;
}

export interface StoreWatchOptions {
  /** The store, as people may see it. */
  readonly place: string;
  readonly signal: AbortSignal;
  /** Told when the run begins to wait for the store, and when it does no more. */
  readonly onWait: (line: string, isWaiting: boolean) => void;
}

/** Tells within seconds that a store does not answer, or refuses for the moment; what it does not take is tried again. */
export function watchStore(api: TraceApiRequester, { place, signal, onWait }: StoreWatchOptions): StoreWatch {
  const began = new Set<{ readonly at: number }>();
  let isWaiting = false;
  let lastTrouble = 0;
  const isSilent = () => [...began].some(({ at }) => performance.now() - at > SILENCE_MS);
  const trouble = (what: string) => {
    lastTrouble = performance.now();
    if (isWaiting) return;
    isWaiting = true;
    onWait(`the store of the traces, ${place}, ${what}; the run waits for it, and Ctrl-C ends the run`, true);
  };
  const answered = () => {
    if (!isWaiting || isSilent() || performance.now() - lastTrouble < SILENCE_MS) return;
    isWaiting = false;
    onWait('the store of the traces takes them again', false);
  };
  const timer = setInterval(() => {
    if (isSilent()) trouble(`has not answered for ${SILENCE_MS / 1000} s`);
  }, POLL_INTERVAL_MS).unref();
  const interrupted = delayedSignal(FINAL_CHECK_MS, signal, () => new TraceError('CLOSED', 'the run was interrupted'));

  async function ask<T>(operation: OperationId, work: () => Promise<T>): Promise<T> {
    const request = { at: performance.now() };
    began.add(request);
    try {
      const value = await abortable(interrupted.signal, work);
      began.delete(request);
      answered();
      return value;
    } catch (error) {
      const isTried = TRIED_AGAIN.includes(operation);
      if (isTried && error instanceof TraceError && isRetryableTraceError(error))
        trouble(`does not take them: ${oneLine(error.message)}`);
      throw withAdvice(error);
    } finally {
      began.delete(request);
    }
  }

  return {
    api: {
      ...api,
      json: (operation, request) => ask(operation, () => api.json(operation, request)),
      bytes: (operation, request) => ask(operation, () => api.bytes(operation, request)),
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
