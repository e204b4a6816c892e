import type { operations } from '../../../../generated/trace-api.ts';
import { sha256OfJson } from '../../../core/node/index.ts';
import { type Handlers, NOTHING, Reply } from '../../../http/index.ts';
import { idempotencyMismatch, TraceStoreError } from '../../model/index.ts';
import { validateBody } from '../checked-body.ts';
import type { ApiContext } from '../context.ts';

type Traces = 'listTraces' | 'createTrace' | 'getTrace' | 'updateTrace' | 'deleteTrace';

export const traceHandlers: Pick<Handlers<operations, ApiContext>, Traces> = {
  async listTraces({ path, query }, { store }) {
    const { items, next_cursor } = await store.traces(path.org, { ...query, limit: query.limit ?? 100 });
    return { traces: [...items], page: { next_cursor } };
  },
  async createTrace(request, { store }) {
    const { path, header } = request;
    const input = validateBody('TraceInput', request);
    const key = header['Idempotency-Key'];
    const id = input.id ?? (key && `tr_${sha256OfJson([path.org, key]).slice(0, 32)}`);
    const isByKey = input.id === undefined && key !== undefined;
    const { trace, isNew } = await store
      .createTrace(path.org, id === undefined ? input : { ...input, id })
      .catch((error: unknown) => {
        const isTaken = isByKey && error instanceof TraceStoreError && error.body.code === 'TRACE_ID_CONFLICT';
        throw isTaken ? new TraceStoreError(idempotencyMismatch(key)) : error;
      });
    return new Reply(trace, {}, isNew ? 201 : 200);
  },
  getTrace: ({ path }, { store }) => store.trace(path.org, path.traceId),
  updateTrace: (request, { store }) =>
    store.updateTrace(request.path.org, request.path.traceId, validateBody('TracePatch', request)),
  async deleteTrace({ path }, { store }) {
    await store.deleteTrace(path.org, path.traceId);
    return new Reply(NOTHING, {}, 204);
  },
};
