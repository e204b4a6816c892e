import { BoundedMap, fieldsOf, Semaphore } from '../../core/index.ts';
import type { SerializedContent, StoredBlob } from '../fit/index.ts';
import type { TraceApiRequester } from './api.ts';
import { isMalformedResponse, isRetryableTraceError, TraceError, toTraceError } from './trace-error.ts';

/** Default number of concurrent requests, and of concurrent uploads of blobs. */
const MAX_REQUESTS = 8;
/** Number of uploaded blobs that are remembered. */
const MAX_KNOWN_BLOBS = 10_000;

export type TraceTransport = ReturnType<typeof createTraceTransport>;

/** Sends the requests of jobs, without retries. All methods reject with a TraceError. */
export function createTraceTransport(api: TraceApiRequester) {
  const stored = new BoundedMap<string, true>(MAX_KNOWN_BLOBS);
  const requests = new Semaphore(api.maxRequests ?? MAX_REQUESTS);
  const uploads = new Semaphore(MAX_REQUESTS);

  async function put({ sha256, media_type, data }: StoredBlob): Promise<void> {
    if (stored.get(sha256)) return;
    await uploads.run(() => api.json('putBlob', { sha256, body: data, mediaType: media_type }));
    stored.set(sha256, true);
  }

  return {
    create: ({ text }: SerializedContent) => requests.run(() => api.json('createTrace', { body: text })),
    /** @param text JSON. */
    patch: (traceId: string, text: string) => requests.run(() => api.json('updateTrace', { traceId, body: text })),
    /** @param text JSON of a score with an id. */
    score: (text: string) => requests.run(() => api.json('createScore', { body: text })),
    /** @param texts JSON of each block. @returns one receipt for each block, in order. */
    async append(traceId: string, texts: readonly string[]): Promise<readonly unknown[]> {
      const body = `{"blocks":[${texts.join(',')}]}`;
      const { blocks } = fieldsOf(await requests.run(() => api.json('appendBlocks', { traceId, body })));
      const receipts = Array.isArray(blocks) ? blocks : [];
      if (receipts.length === texts.length) return receipts;
      throw new TraceError('PROTOCOL', `the store returned ${receipts.length} receipts for ${texts.length} blocks`);
    },
    /** Uploads the blobs of a job, except those that were uploaded before. */
    async upload(blobs: readonly StoredBlob[]): Promise<void> {
      for (const blob of blobs) await put(blob);
    },
  };
}

/** Wraps an API to call `onState` when the store becomes unavailable, and when it is available again. */
export function withStateReporting(
  api: TraceApiRequester,
  onState: (error: TraceError | undefined) => void,
): TraceApiRequester {
  let isFailing = false;
  function report(error: TraceError | undefined): void {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    // An error of the listener must not stop the delivery.
    queueMicrotask(() => onState(error));
  }
  return {
    ...api,
    async json(operation, request) {
      try {
        const value = await api.json(operation, request);
        report(undefined);
        return value;
      } catch (cause) {
        const error = toTraceError(cause);
        if (isRetryableTraceError(error) || isMalformedResponse(error)) report(error);
        throw cause;
      }
    },
  };
}
