import type { OperationId } from '../../../generated/trace-api-operations.ts';
import type { TraceApi } from '../api/index.ts';
import { parseTraceError, type TraceApiRequest, type TraceApiRequester } from '../client/index.ts';

/** A store in this process confirms many writes at once, the sooner the more there are: it writes to disk once for all. */
const MAX_REQUESTS = 64;

/** The way to a store in this process: through the pipeline of its API, without HTTP. */
export function createLocalTraceApi({ call }: Pick<TraceApi, 'call'>, organization: string): TraceApiRequester {
  async function json(operation: OperationId, { traceId, sha256, run, query = {}, body, mediaType }: TraceApiRequest) {
    const path = { org: organization, traceId, sha256, run };
    const { status, value } = await call(operation, { path, query, body, mediaType });
    const refusal = status >= 400 ? parseTraceError(status, value) : undefined;
    if (refusal) throw refusal;
    return value;
  }
  return {
    json,
    maxRequests: MAX_REQUESTS,
    bytes: async (operation, request) => (await json(operation, request)) as Uint8Array,
  };
}
