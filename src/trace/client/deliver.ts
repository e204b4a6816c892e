import type { BatchReceipt } from '../../../generated/trace.ts';
import { BoundedMap, isRecord, Semaphore } from '../../core/index.ts';
import type { SerializedContent, StoredBlob } from '../fit/index.ts';
import type { TraceApiRequester } from './api.ts';
import type { TraceJob } from './job.ts';
import { isMalformedResponse, isRetryableTraceError, TraceError, toTraceError } from './trace-error.ts';

/** How many requests are under way at most, where the way to the store does not say; and how many uploads of blobs. */
const MAX_REQUESTS = 8;
/** How many blobs are remembered as stored. */
const REMEMBERED = 10_000;

/** Makes the requests that jobs stand for, each once. All reject with a TraceError. */
export interface TraceTransport {
  create(content: SerializedContent): Promise<unknown>;
  /** @param text JSON. */
  patch(traceId: string, text: string): Promise<unknown>;
  /**
   * One receipt for each, in their order.
   *
   * @param texts JSON of each block.
   */
  append(traceId: string, texts: readonly string[]): Promise<readonly unknown[]>;
  /** Stores the blobs of a job, those that are there already at no cost. */
  upload(blobs: readonly StoredBlob[]): Promise<void>;
}

export function createTraceTransport(api: TraceApiRequester): TraceTransport {
  const stored = new BoundedMap<string, true>(REMEMBERED);
  const requests = new Semaphore(api.maxRequests ?? MAX_REQUESTS);
  const uploads = new Semaphore(MAX_REQUESTS);

  async function put({ sha256, media_type, data }: StoredBlob): Promise<void> {
    if (stored.get(sha256)) return;
    await uploads.run(() => api.json('putBlob', { sha256, body: data, mediaType: media_type }));
    stored.set(sha256, true);
  }

  return {
    create: ({ text }) => requests.run(() => api.json('createTrace', { body: text })),
    patch: (traceId, text) => requests.run(() => api.json('updateTrace', { traceId, body: text })),
    async append(traceId, texts) {
      const body = `{"blocks":[${texts.join(',')}]}`;
      const response = await requests.run(() => api.json('appendBlocks', { traceId, body }));
      const receipts =
        isRecord(response) && Array.isArray(response.blocks) ? (response as unknown as BatchReceipt).blocks : [];
      if (receipts.length === texts.length) return receipts;
      throw new TraceError('PROTOCOL', `the store gave ${receipts.length} receipts for ${texts.length} blocks`);
    },
    async upload(blobs) {
      for (const blob of blobs) await put(blob);
    },
  };
}

/** A job whose blobs are stored, or why they never will be. */
export type PreparedJob =
  | { readonly job: TraceJob; readonly content: SerializedContent }
  | { readonly job: TraceJob; readonly error: TraceError };

/** Stores what must be there before a job. @throws TraceError where trying again may help. */
export async function uploadBlobs(transport: TraceTransport, job: TraceJob): Promise<PreparedJob> {
  try {
    const content = await job.content;
    await job.spooled;
    await transport.upload(content.blobs);
    return { job, content };
  } catch (cause) {
    const error = toTraceError(cause);
    if (isRetryableTraceError(error)) throw error;
    return { job, error };
  }
}

/** The same API, which also calls `onState` when the store stops answering requests, and when it answers them again. */
export function withStateReporting(
  api: TraceApiRequester,
  onState: (error: TraceError | undefined) => void,
): TraceApiRequester {
  let isFailing = false;
  function report(error: TraceError | undefined): void {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    // What the listener throws must not end the delivery.
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
