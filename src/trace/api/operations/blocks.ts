import type { Trace } from '../../../../generated/trace.ts';
import type { operations } from '../../../../generated/trace-api.ts';
import { mapConcurrent } from '../../../core/index.ts';
import { sha256OfJson } from '../../../core/node/index.ts';
import { type Handlers, Reply } from '../../../http/index.ts';
import { findsBlocks, otherFailure, type TraceErrorBody, TraceStoreError } from '../../model/index.ts';
import type { TraceStore } from '../../store/index.ts';
import { annotationsOf, parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { toSearchQuery } from '../export.ts';
import { follow } from '../follow.ts';
import { listPage, stitchedPage } from '../stitched-page.ts';

type Blocks = 'listBlocks' | 'appendBlocks' | 'getBlock' | 'stitchedBlocks' | 'findBlocks' | 'search' | 'streamTrace';

export const blockHandlers: Pick<Handlers<operations, ApiContext>, Blocks> = {
  async appendBlocks(request, { store, limits, metrics }) {
    const { path, query, header, body, bytes, caller } = request;
    const key = header['Idempotency-Key'];
    const isDryRun = query.dry_run ?? false;
    const { isBatch, isNew, receipts, block } = await store.append(path.org, path.traceId, {
      body,
      limits,
      isDryRun,
      metadata: annotationsOf(caller),
      ...(bytes !== undefined && { bytes }),
      ...(key !== undefined && { idempotency: { key, bodySha256: sha256OfJson(body) } }),
    });
    if (isDryRun) return { valid: true as const, count: receipts.length };
    const replayed = receipts.filter((receipt) => receipt.replayed).length;
    metrics?.written(isNew ? receipts.length - replayed : 0, isNew ? replayed : receipts.length);
    const status = isNew ? 201 : 200;
    if (isBatch) return new Reply({ blocks: [...receipts], count: receipts.length }, {}, status);
    return new Reply(block ?? (await store.block(path.org, path.traceId, receipts[0]?.id ?? '')), {}, status);
  },
  listBlocks({ path, query }, { store }) {
    const { ids, ...others } = query;
    return listPage(store, path, { ...others, ...(ids !== undefined && { ids: ids.split(',') }) });
  },
  getBlock: ({ path }, { store }) => store.block(path.org, path.traceId, path.blockId),
  stitchedBlocks: ({ path, query }, { store }) => stitchedPage(store, path, query),
  async findBlocks({ path, query }, { store }) {
    const { items, next_cursor } = await store.findBlocks(path.org, { ...query, limit: query.limit ?? 50 });
    return { hits: [...items], page: { next_cursor } };
  },
  async search({ path: { org }, query: { query: text, limit = 50, ...page } }, { store }) {
    const query = toSearchQuery(text);
    if (!findsBlocks(query)) {
      const { items, next_cursor } = await store.traces(org, { query, limit, ...page });
      return { hits: [], traces: [...items], page: { next_cursor } };
    }
    const { items, next_cursor } = await store.search(org, { query, limit, ...page });
    const ids = [...new Set(items.map(({ trace_id }) => trace_id))];
    const traces = (await mapConcurrent(ids, READS, (id) => readIfExists(store, org, id))).flatMap(
      (trace) => trace ?? [],
    );
    const existing = new Set(traces.map(({ id }) => id));
    return { hits: items.filter(({ trace_id }) => existing.has(trace_id)), traces, page: { next_cursor } };
  },
  async streamTrace({ path, query, header, caller, onClose }, { store, metrics, openResponses }) {
    const { org, traceId: id } = path;
    // Rejects with 404 before the stream starts.
    await store.trace(org, id);
    const after = parseEventId(header['Last-Event-ID']) ?? query.after ?? 0;
    const endMetric = metrics?.follows();
    const stopped = new Promise<TraceErrorBody | undefined>((resolve) => {
      const message = 'this API key was revoked while the stream was open; use another key';
      openResponses.onRevoked(parseCaller(caller).responseId, () =>
        resolve(otherFailure('UNAUTHENTICATED', 401, message)),
      );
      onClose(() => {
        endMetric?.();
        resolve(undefined);
      });
    });
    return follow(store, { org, id, after }, stopped);
  },
};

/** Number of traces that are read at the same time. */
const READS = 8;

/** Reads a trace; undefined if it was deleted meanwhile. */
const readIfExists = (store: TraceStore, org: string, id: string): Promise<Trace | undefined> =>
  store.trace(org, id).catch((error: unknown) => {
    if (!(error instanceof TraceStoreError)) throw error;
    return undefined;
  });

/** Parses the id of a `block` event, which is an ordinal; ignores other ids. */
const parseEventId = (id: string | undefined): number | undefined =>
  id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
