import type { BlockInput, BlockReceipt, ImportReport, ScoreInput, TraceId } from '../../../generated/trace.ts';
import { stringifyJson } from '../../core/index.ts';
import { splitAndOffloadBlock } from '../fit/index.ts';
import { type ImportedTrace, type ImportFormat, importTracesFrom } from '../formats/index.ts';
import { MAX_BATCH_BLOCKS, newBlockId, otherFailure, type TraceLimits, TraceStoreError } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';

interface ImportInput {
  readonly text: AsyncIterable<string | Uint8Array>;
  readonly format: ImportFormat;
  /** Limits of the target store. */
  readonly limits: TraceLimits;
}

/** Destination of an import. Rejects with `TraceStoreError` if a rule is broken. */
export interface ImportTarget {
  createTrace(trace: ImportedTrace['trace']): Promise<unknown>;
  readTrace(id: TraceId): Promise<unknown>;
  append(id: TraceId, blocks: readonly BlockInput[]): Promise<readonly BlockReceipt[]>;
  putBlob(blob: Parameters<TraceStore['putBlob']>[1]): Promise<unknown>;
  addScore(score: ScoreInput): Promise<unknown>;
}

/** Result of one trace, or of a line that could not be read. */
type ImportOutcome =
  | { readonly written: number; readonly replayed: number; readonly failed?: never }
  | { readonly failed: ImportReport['failed'][number] };

/**
 * Writes the traces of a file one by one and yields the result of each. A line, block or trace that is unreadable or
 * rejected does not stop the import: it is reported, and everything else is stored. At most one trace is in memory.
 */
export async function* importTraces(
  target: ImportTarget,
  { text, format, limits }: ImportInput,
): AsyncGenerator<ImportOutcome> {
  for await (const item of importTracesFrom(text, format)) {
    const { line } = item;
    if (item.reason !== undefined) {
      const { trace_id, block_id = null } = item;
      yield {
        failed: { line, trace_id, block_id, error: otherFailure('BAD_JSON', 400, `line ${line}: ${item.reason}`) },
      };
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

/** Imports into a store of this process. */
export const createStoreTarget = (store: TraceStore, org: string, limits: TraceLimits): ImportTarget => ({
  createTrace: (trace) => store.createTrace(org, trace),
  readTrace: (id) => store.trace(org, id),
  append: async (id, blocks) => (await store.append(org, id, { body: { blocks }, limits })).receipts,
  putBlob: (blob) => store.putBlob(org, blob),
  addScore: (score) => store.addScore(org, score),
});

async function* writeTrace(
  target: ImportTarget,
  limits: TraceLimits,
  item: ImportedTrace,
): AsyncGenerator<ImportOutcome> {
  const { trace } = item;
  await ensureTrace(target, trace);
  let written = 0;
  let replayed = 0;
  for await (const batch of batches(splitBlocks(target, limits, item), limits)) {
    for await (const part of append(target, trace.id, batch)) {
      if ('failed' in part) {
        yield part;
        continue;
      }
      const replays = part.receipts.filter((receipt) => receipt.replayed).length;
      replayed += replays;
      written += part.receipts.length - replays;
    }
  }
  for (const score of item.scores ?? []) await target.addScore(score);
  yield { written, replayed };
}

/** Writes a batch. If it is rejected, writes each half, so that only the blocks that break a rule are left out. */
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

/** Creates the trace; an existing trace is accepted, since an import can be repeated. */
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
  /** Line of the block in the file, or else of its trace. */
  readonly line: number;
  readonly block: BlockInput;
}

/** Brings imported blocks within the limits of the store. */
async function* splitBlocks(
  target: ImportTarget,
  limits: TraceLimits,
  { line: first, blocks, lines }: ImportedTrace,
): AsyncGenerator<ImportedBlock> {
  for (const [index, input] of blocks.entries()) {
    const split = await splitAndOffloadBlock({ ...input, id: input.id ?? newBlockId() }, limits);
    for (const blob of split.blobs) await target.putBlob(blob);
    for (const block of split.blocks) yield { line: lines?.[index] ?? first, block };
  }
}

/** Maximum bytes of a batch; a larger block is sent alone. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of a request without its blocks. */
const ENVELOPE_BYTES = Buffer.byteLength('{"blocks":[]}');

/** Groups blocks into requests. */
async function* batches(blocks: AsyncIterable<ImportedBlock>, limits: TraceLimits): AsyncGenerator<ImportedBlock[]> {
  const maxBytes = Math.min(MAX_BATCH_BYTES, limits.request) - ENVELOPE_BYTES;
  let batch: ImportedBlock[] = [];
  let bytes = 0;
  for await (const placed of blocks) {
    const size = Buffer.byteLength(stringifyJson(placed.block)) + ','.length;
    if (batch.length === MAX_BATCH_BLOCKS || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(placed);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
