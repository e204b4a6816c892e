import type { BlockInput, BlockReceipt, Failure, ImportReport, TraceId } from '../../../generated/trace.ts';
import { fitBlocks } from '../fit/index.ts';
import { type ImportedTrace, type ImportFormat, readTraces } from '../formats/index.ts';
import { type Limits, MAX_BATCH, newBlockId, Refusal } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';

export interface Import {
  readonly text: AsyncIterable<string | Uint8Array>;
  readonly format: ImportFormat;
  /** Of the store that is written to. */
  readonly limits: Limits;
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
 * Writes what an export holds, trace by trace, and tells after each what came of it; what cannot be read or is refused
 * stops nothing else. No more than one trace is in memory.
 */
export async function* importTraces(
  target: ImportTarget,
  { text, format, limits }: Import,
): AsyncGenerator<ImportOutcome> {
  for await (const item of readTraces(text, format)) {
    const { line } = item;
    if (item.reason !== undefined) {
      yield { failed: { line, trace_id: item.trace_id, error: unreadable(line, item.reason) } };
      continue;
    }
    try {
      yield await writeTrace(target, limits, item);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      yield { failed: { line, trace_id: item.trace.id, error: error.failure } };
    }
  }
}

/** A store as what an import is written to. */
export const storeTarget = (store: TraceStore, org: string, limits: Limits): ImportTarget => ({
  createTrace: (trace) => store.createTrace(org, trace),
  readTrace: (id) => store.trace(org, id),
  append: async (id, blocks) => (await store.append(org, id, { body: { blocks }, limits })).receipts,
  putBlob: (blob) => store.putBlob(org, blob),
});

async function writeTrace(target: ImportTarget, limits: Limits, { trace, blocks }: ImportedTrace) {
  await ensureTrace(target, trace);
  let [written, replayed] = [0, 0];
  for await (const batch of batches(fitted(target, limits, blocks), limits)) {
    const receipts = await target.append(trace.id, batch);
    const repeated = receipts.filter((receipt) => receipt.replayed).length;
    replayed += repeated;
    written += receipts.length - repeated;
  }
  return { written, replayed };
}

/** A trace that is there already may have come of the same file; its blocks tell. */
async function ensureTrace(target: ImportTarget, trace: ImportedTrace['trace']): Promise<void> {
  try {
    await target.createTrace(trace);
  } catch (error) {
    if (!(error instanceof Refusal) || error.failure.code !== 'TRACE_ID_CONFLICT') throw error;
    await target.readTrace(trace.id).catch((missing: unknown) => {
      throw missing instanceof Refusal ? error : missing;
    });
  }
}

/** Foreign logs know none of the limits of a store. */
async function* fitted(
  target: ImportTarget,
  limits: Limits,
  blocks: ImportedTrace['blocks'],
): AsyncGenerator<BlockInput> {
  for (const block of blocks) {
    const fit = await fitBlocks({ ...block, id: block.id ?? newBlockId() }, limits);
    for (const blob of fit.blobs) await target.putBlob(blob);
    yield* fit.blocks;
  }
}

/** The most bytes of a batch; a larger block has one for itself. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** What stands around the blocks in a request. */
const AROUND_BLOCKS = Buffer.byteLength('{"blocks":[]}');

/** As many blocks together as one request may hold. */
async function* batches(blocks: AsyncIterable<BlockInput>, limits: Limits): AsyncGenerator<BlockInput[]> {
  const room = Math.min(BATCH_BYTES, limits.request) - AROUND_BLOCKS;
  let batch: BlockInput[] = [];
  let bytes = 0;
  for await (const block of blocks) {
    const size = Buffer.byteLength(JSON.stringify(block)) + ','.length;
    if (batch.length === MAX_BATCH || (batch.length > 0 && bytes + size > room)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(block);
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
