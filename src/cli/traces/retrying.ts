import { oneLine, retryDelayMs, sleep } from '../../core/index.ts';
import { STORE_BACKOFF, type TraceApiRequester, TraceError } from '../../trace/client/index.ts';

/** How long one request is tried for; long work survives a restart of the server. */
const RETRY_TIMEOUT_MS = 60_000;
/** What passes by itself. An answer 500 would come again. */
const PASSING: readonly (number | null)[] = [408, 425, 429, 502, 503, 504];

/**
 * The same, but that it asks again where the server is busy, or gone after it has answered once, until the signal. What is
 * asked twice must be harmless.
 */
export function withRetries(api: TraceApiRequester, signal: AbortSignal | undefined): TraceApiRequester {
  let hasAnswered = false;

  async function ask<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + RETRY_TIMEOUT_MS;
    for (let failures = 0; ; failures++) {
      try {
        const response = await work();
        hasAnswered = true;
        return response;
      } catch (error) {
        if (!(error instanceof TraceError)) throw error;
        hasAnswered ||= error.status !== null;
        const mayPass = error.code === 'NETWORK' ? hasAnswered : PASSING.includes(error.status);
        if (!mayPass || performance.now() + error.retryAfterMs > end) throw error;
        if (failures === 0) process.stderr.write(`ors: ${oneLine(error.message)}; trying again\n`);
        await sleep(retryDelayMs(failures, STORE_BACKOFF, error.retryAfterMs), signal);
      }
    }
  }

  return {
    json: (operation, request) => ask(() => api.json(operation, request)),
    bytes: (operation, request) => ask(() => api.bytes(operation, request)),
  };
}
