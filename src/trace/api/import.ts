import type { BlockInput, BlockReceipt, Failure, ImportReport, TraceId } from '../../../generated/trace.ts';
import { splitAndOffloadBlock } from '../fit/index.ts';
import { type ImportedTrace, type ImportFormat, importTracesFrom } from '../formats/index.ts';
import { MAX_BATCH_BLOCKS, newBlockId, type TraceLimits, TraceStoreError } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';

export interface ImportInput {
  readonly text: AsyncIterable<string | Uint8Array>;
  readonly format: ImportFormat;
  /** Of the store that is written to. */
  readonly limits: TraceLimits;
}

/** Where an import is written to. What a rule forbids rejects with a `Refusal`. */
export interface ImportTarget {
  createTrace(trace: ImportedTrace['trace']): Promise<unknown>;
  readTrace(id: TraceId): Promise<unknown>;
  append(id: TraceId, blocks: readonly BlockInput[]): Promise<readonly BlockReceipt[]>;
  putBlob(blob: Parameters<TraceStore['putBlob']>[1]): Promise<unknown>;
}

/** What came of one trace, or of a line that belongs to none. */
export type ImportOutcome =
  | { readonly written: number; readonly replayed: number; readonly failed?: never }
  | { readonly failed: ImportReport['failed'][number] };

/**
 * Writes what an export holds, trace by trace, and yields after each what came of it. A line, a block or a trace that cannot
 * be read or is refused stops nothing else: what can be stored is, and the rest is named. No more than one trace is in memory.
 */
export async function* importTraces(
  target: ImportTarget,
  { text, format, limits }: ImportInput,
): AsyncGenerator<ImportOutcome> {
  for await (const item of importTracesFrom(text, format)) {
    const { line } = item;
    if (item.reason !== undefined) {
      const { trace_id, block_id = null } = item;
      yield { failed: { line, trace_id, block_id, error: unreadable(line, item.reason) } };
      continue;
    }
    try {
      yield* writeTrace(target, limits, item);
    } catch (error) {
      if (!(error instanceof TraceStoreError)) throw error;
      yield { failed: { line, trace_id: item.trace.id, block_id: null, error: error.body } };
    }
  }
}

/** A store as what an import is written to. */
export const createStoreTarget = (store: TraceStore, org: string, limits: TraceLimits): ImportTarget => ({
  createTrace: (trace) => store.createTrace(org, trace),
  readTrace: (id) => store.trace(org, id),
  append: async (id, blocks) => (await store.append(org, id, { body: { blocks }, limits })).receipts,
  putBlob: (blob) => store.putBlob(org, blob),
});

async function* writeTrace(
  target: ImportTarget,
  limits: TraceLimits,
  item: ImportedTrace,
): AsyncGenerator<ImportOutcome> {
  const { trace } = item;
  await ensureTrace(target, trace);
  let [written, replayed] = [0, 0];
  for await (const batch of batches(fitted(target, limits, item), limits)) {
    for await (const part of append(target, trace.id, batch)) {
      if ('failed' in part) {
        yield part;
        continue;
      }
      const repeated = part.receipts.filter((receipt) => receipt.replayed).length;
      replayed += repeated;
      written += part.receipts.length - repeated;
    }
  }
  yield { written, replayed };
}

/** Writes a batch; of one that is refused each half, so that only blocks that are refused by themselves are left out. */
async function* append(
  target: ImportTarget,
  id: TraceId,
  batch: readonly ImportedBlock[],
): AsyncGenerator<{ readonly receipts: readonly BlockReceipt[] } | Extract<ImportOutcome, { failed: object }>> {
  const [first] = batch;
  if (!first) return;
  try {
    const receipts = await target.append(
      id,
      batch.map(({ block }) => block),
    );
    yield { receipts };
  } catch (error) {
    if (!(error instanceof TraceStoreError)) throw error;
    if (batch.length === 1) {
      const { line, block } = first;
      yield { failed: { line, trace_id: id, block_id: block.id ?? null, error: error.body } };
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    yield* append(target, id, batch.slice(0, middle));
    yield* append(target, id, batch.slice(middle));
  }
}

/** A trace that is there already may have come of the same file; its blocks tell. */
async function ensureTrace(target: ImportTarget, trace: ImportedTrace['trace']): Promise<void> {
  try {
    await target.createTrace(trace);
  } catch (error) {
    if (!(error instanceof TraceStoreError) || error.body.code !== 'TRACE_ID_CONFLICT') throw error;
    await target.readTrace(trace.id).catch((missing: unknown) => {
      throw missing instanceof TraceStoreError ? error : missing;
    });
  }
}

interface ImportedBlock {
  /** Of the file that it is read from; that of its trace where it has none of its own. */
  readonly line: number;
  readonly block: BlockInput;
}

/** Foreign logs know none of the limits of a store. */
async function* fitted(
  target: ImportTarget,
  limits: TraceLimits,
  { line: first, blocks, lines }: ImportedTrace,
): AsyncGenerator<ImportedBlock> {
  for (const [place, given] of blocks.entries()) {
    const fit = await splitAndOffloadBlock({ ...given, id: given.id ?? newBlockId() }, limits);
    for (const blob of fit.blobs) await target.putBlob(blob);
    for (const block of fit.blocks) yield { line: lines?.[place] ?? first, block };
  }
}

/** The most bytes of a batch; a larger block has one for itself. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** What stands around the blocks in a request. */
const AROUND_BLOCKS = Buffer.byteLength('{"blocks":[]}');

/** As many blocks together as one request may hold. */
async function* batches(blocks: AsyncIterable<ImportedBlock>, limits: TraceLimits): AsyncGenerator<ImportedBlock[]> {
  const room = Math.min(BATCH_BYTES, limits.request) - AROUND_BLOCKS;
  let batch: ImportedBlock[] = [];
  let bytes = 0;
  for await (const placed of blocks) {
    const size = Buffer.byteLength(JSON.stringify(placed.block)) + ','.length;
    if (batch.length === MAX_BATCH_BLOCKS || (batch.length > 0 && bytes + size > room)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(placed);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

const unreadable = (line: number, reason: string): Failure => ({
  code: 'BAD_JSON',
  http_status: 400,
  message: `line ${line}: ${reason}`,
  details: {},
});
