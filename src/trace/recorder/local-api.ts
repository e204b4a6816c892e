import type { OperationId } from '../../../generated/trace-api-operations.ts';
import type { TraceApi } from '../api/index.ts';
import { parseTraceError, type TraceApiRequest, type TraceApiRequester } from '../client/index.ts';

/** More than over HTTP, because the store commits concurrent writes in one transaction. */
const MAX_REQUESTS = 64;

/**
 * Creates a requester for a store in this process, without HTTP.
 *
 * @example
 * const client = createClientForApi(createLocalTraceApi(createTraceApi(store), 'default'));
 */
export function createLocalTraceApi({ call }: Pick<TraceApi, 'call'>, organization: string): TraceApiRequester {
  async function json(operation: OperationId, { query = {}, body, mediaType, ...names }: TraceApiRequest) {
    const path = { org: organization, ...names };
    const { status, value } = await call(operation, { path, query, body, mediaType });
    const error = status >= 400 ? parseTraceError(status, value) : undefined;
    if (error) throw error;
    return value;
  }
  return {
    json,
    maxRequests: MAX_REQUESTS,
    bytes: async (operation, request) => (await json(operation, request)) as Uint8Array,
  };
}
