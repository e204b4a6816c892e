import type { Block, Trace } from '../../../generated/trace.ts';
import { readRestoredTrace } from '../fit/index.ts';
import type { ExportFormat } from '../formats/index.ts';
import { type StoredBlock, TraceStoreError } from '../model/index.ts';
import type { BlockQuery, TraceQuery, TraceStore } from '../store/index.ts';

/** What is read before it is sent: blocks may be megabytes each. */
const BLOCKS = 100;
const BYTES = 1024 * 1024;
const TRACES = 100;

/** One trace in a format. */
export function streamTraceExport(
  store: TraceStore,
  org: string,
  trace: Trace,
  format: ExportFormat,
): AsyncIterable<string> {
  const shelf = {
    blocks: () => blocksOf(store, org, trace),
    positions: () => store.positions(org, trace.id, trace.block_count + 1),
    blocksAt: (ords: readonly number[]) => blocksAt(store, org, trace, ords),
    blob: async (sha256: string) => (await store.blob(org, sha256))?.data,
  };
  return format.write({
    trace,
    texts: () => textsOf(store, org, trace),
    restored: () => readRestoredTrace(trace, shelf),
    blob: (sha256) => store.blob(org, sha256),
  });
}

/**
 * The traces that are asked for, oldest first, one after the other; those that are deleted before their turn are left
 * out.
 *
 * @throws Refusal TRACE_DELETED for one that is deleted at its turn: half of it may have been given.
 */
export async function* exportRun(
  store: TraceStore,
  org: string,
  query: Omit<TraceQuery, 'limit' | 'sort' | 'order' | 'cursor'>,
  format: ExportFormat,
): AsyncIterable<string> {
  let cursor: string | undefined;
  do {
    const order = { sort: 'created', order: 'asc', limit: TRACES } as const;
    const { items, next_cursor } = await store.traces(org, {
      ...query,
      ...order,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id } of items) {
      const trace = await unlessDeleted(store.trace(org, id));
      if (trace) yield* streamTraceExport(store, org, trace, format);
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function unlessDeleted(reading: Promise<Trace>): Promise<Trace | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TraceStoreError) return undefined;
    throw error;
  }
}

async function* blocksOf(store: TraceStore, org: string, trace: Trace): AsyncIterable<readonly Block[]> {
  const slices = slicesOf(trace, (query) => store.blocks(org, trace.id, query));
  for await (const slice of slices) yield slice.map(({ block }) => block);
}

async function* textsOf(store: TraceStore, org: string, trace: Trace): AsyncIterable<readonly string[]> {
  const slices = slicesOf(trace, (query) => store.texts(org, trace.id, query));
  for await (const slice of slices) yield slice.map(({ members }) => `{${members}}`);
}

/** As many blocks as the trace had when it was read: a trace and its blocks are one moment of it. */
async function* slicesOf<T extends { readonly ord: number }>(
  { block_count }: Trace,
  read: (query: BlockQuery) => Promise<readonly T[]>,
): AsyncIterable<readonly T[]> {
  let after = 0;
  while (after < block_count) {
    const slice = await read({ after, before: block_count + 1, limit: BLOCKS, bytes: BYTES });
    yield slice;
    after = slice.at(-1)?.ord ?? block_count;
  }
}

async function blocksAt(
  store: TraceStore,
  org: string,
  { id }: Trace,
  ords: readonly number[],
): Promise<readonly StoredBlock[]> {
  // They are of a slice already, whatever they weigh.
  const places = ords.map((ord) => ({ ord, bytes: 0 }));
  const texts = await store.textsAt(org, id, places, 'all');
  return texts.map(({ ord, members }) => ({ ord, block: JSON.parse(`{${members}}`) as Block }));
}
