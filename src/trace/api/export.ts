import type { Block, Trace } from '../../../generated/trace.ts';
import { parseExactJson } from '../../core/index.ts';
import { readRestoredTrace } from '../fit/index.ts';
import type { ExportFormat } from '../formats/index.ts';
import { type StoredBlock, type TraceReader, TraceStoreError } from '../model/index.ts';
import type { BlockQuery, TraceQuery, TraceStore } from '../store/index.ts';

/** Maximum size of a read; single blocks can have megabytes. */
const BLOCK_PAGE = { limit: 100, bytes: 1024 * 1024 };
const TRACES_PER_PAGE = 100;

/** Exports one trace. */
export function streamTraceExport(
  store: TraceStore,
  org: string,
  trace: Trace,
  format: ExportFormat,
): AsyncIterable<string> {
  const readTexts = (query: BlockQuery) => store.texts(org, trace.id, query);
  return format.write({
    trace,
    texts: () => readPages(trace, readTexts, ({ members }) => `{${members}}`),
    restored: () => readWholeTrace(store, org, trace),
    blob: (sha256) => store.blob(org, sha256),
  });
}

/** Reads a trace with its split and offloaded values restored. A large trace has at most one batch in memory. */
export function readWholeTrace(store: TraceStore, org: string, trace: Trace): Promise<TraceReader> {
  const readBlocks = (query: BlockQuery) => store.blocks(org, trace.id, query);
  return readRestoredTrace(trace, {
    blocks: () => readPages(trace, readBlocks, ({ block }) => block),
    positions: () => store.positions(org, trace.id, trace.block_count + 1),
    blocksAt: (ords: readonly number[]) => blocksAt(store, org, trace, ords),
    blob: async (sha256: string) => (await store.blob(org, sha256))?.data,
  });
}

/**
 * Exports the traces of a query, oldest first. Traces that are deleted before they are read are left out.
 *
 * @throws TraceStoreError TRACE_DELETED if a trace is deleted while it is exported.
 */
export async function* exportRun(
  store: TraceStore,
  org: string,
  query: Omit<TraceQuery, 'limit' | 'sort' | 'order' | 'cursor'>,
  format: ExportFormat,
): AsyncIterable<string> {
  let cursor: string | undefined;
  do {
    const order = { sort: 'created', order: 'asc', limit: TRACES_PER_PAGE } as const;
    const { items, next_cursor } = await store.traces(org, {
      ...query,
      ...order,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id } of items) {
      const trace = await store.trace(org, id).catch((error: unknown) => {
        if (!(error instanceof TraceStoreError)) throw error;
      });
      if (trace) yield* streamTraceExport(store, org, trace, format);
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Reads the blocks that the trace had when it was read, so that both are of the same moment. */
async function* readPages<T extends { readonly ord: number }, R>(
  { block_count }: Trace,
  read: (query: BlockQuery) => Promise<readonly T[]>,
  convert: (item: T) => R,
): AsyncIterable<readonly R[]> {
  let after = 0;
  while (after < block_count) {
    const page = await read({ after, before: block_count + 1, ...BLOCK_PAGE });
    yield page.map(convert);
    after = page.at(-1)?.ord ?? block_count;
  }
}

async function blocksAt(
  store: TraceStore,
  org: string,
  { id }: Trace,
  ords: readonly number[],
): Promise<readonly StoredBlock[]> {
  // The reader has limited the batch already, so sizes do not matter.
  const nodes = ords.map((ord) => ({ ord, bytes: 0 }));
  const texts = await store.textsAt(org, id, nodes, 'all');
  return texts.map(({ ord, members }) => ({ ord, block: parseExactJson(`{${members}}`) as Block }));
}
