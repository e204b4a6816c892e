import type { BatchReceipt } from '../../../generated/trace.ts';
import type { ImportTarget } from '../../trace/api/index.ts';
import { type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import { type TraceErrorBody, TraceStoreError } from '../../trace/model/index.ts';

/** A store behind an API as what an import is written to. */
export const createRemoteImportTarget = (api: TraceApiRequester): ImportTarget => ({
  createTrace: (trace) => refused(api.json('createTrace', { body: JSON.stringify(trace) })),
  readTrace: (traceId) => refused(api.json('getTrace', { traceId })),
  async append(traceId, blocks) {
    const body = JSON.stringify({ blocks });
    // A batch is answered with receipts.
    return ((await refused(api.json('appendBlocks', { traceId, body }))) as BatchReceipt).blocks;
  },
  putBlob: ({ sha256, media_type, data }) =>
    refused(api.json('putBlob', { sha256, body: data, mediaType: media_type })),
});

/** What finds fault with what is imported; anything else concerns the whole import. */
const OF_CONTENT: readonly (number | null)[] = [404, 409, 410, 413, 422];

async function refused<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof TraceError) || !OF_CONTENT.includes(error.status)) throw error;
    const { code, status, message, details } = error;
    // It came from the envelope of a failure.
    throw new TraceStoreError({ code, http_status: status, message, details } as TraceErrorBody);
  }
}
