import type { BlockId, TraceId } from '../../../generated/trace.ts';
import { countFitting } from '../../core/index.ts';
import {
  blockNotFound,
  blockReward,
  checkAppendRequest,
  idempotencyMismatch,
  isErrorResult,
  newTraceId,
  type StoredBlock,
  TraceStoreError,
  toSkeleton,
} from '../model/index.ts';
import { blockBytes } from './derive.ts';
import { searchMemory } from './memory-find.ts';
import { createMemoryRolloutEvents } from './memory-inbox.ts';
import { createMemoryState, type MemoryState, type MemoryTrace } from './memory-ledger.ts';
import { computeRunStats, groupMemoryTraces, listMemoryRuns, listMemoryTraces } from './memory-lists.ts';
import { createTreeReader, toText } from './memory-tree.ts';
import { createMemoryKeysAndBlobs } from './memory-vault.ts';
import { nextMonotonicTime, toMicroseconds, toTimestamp } from './time.ts';
import { countBlock, createTraceRecord, inputHash, patchTrace, toStoredBlock } from './trace-changes.ts';
import type { AppendRequest, AppendResult, BlockQuery, TraceStore } from './trace-store.ts';
import { API_KEYS_CHANGED, traceKey } from './watchers.ts';

const IDEMPOTENCY_MS = 24 * 3600 * 1000;

/** Keeps traces in memory and loses them with the process: for tests, and the measure of what other stores answer. */
export function createMemoryStore({ now = Date.now }: { readonly now?: () => number } = {}): TraceStore {
  const ledger = createMemoryState();
  const { blobCount, ...vault } = createMemoryKeysAndBlobs(now, () => ledger.call(API_KEYS_CHANGED));
  const tracesOf = (org: string) => ledger.records(org).map(({ trace }) => trace);
  const close = async () => ledger.close();

  return {
    async createTrace(org, input, at = now()) {
      const inputKey = inputHash(input);
      const known = input.id === undefined ? undefined : ledger.claimed(org, input.id, inputKey);
      if (known) return { trace: known.trace, isNew: false };
      const trace = createTraceRecord(input.id ?? newTraceId(), input, Math.floor(at * 1000));
      ledger.add(org, trace, inputKey);
      return { trace, isNew: true };
    },
    trace: async (org, id) => ledger.record(org, id).trace,
    traces: async (org, query) => listMemoryTraces(tracesOf(org), query),
    async updateTrace(org, id, patch) {
      const record = ledger.record(org, id);
      record.trace = patchTrace(record.trace, patch, nextMonotonicTime(now(), toMicroseconds(record.trace.updated_at)));
      ledger.changed(org, id);
      return record.trace;
    },
    async deleteTrace(org, id) {
      ledger.delete(org, id);
    },
    append: async (org, id, request) => append(ledger, org, id, request, now()),
    blocks: async (org, id, query = {}) => select(ledger.record(org, id).blocks, query),
    skeletons: async (org, id, query = {}) =>
      select(ledger.record(org, id).blocks, query).map(({ ord, block }) => ({
        ord,
        block: toSkeleton(block, blockBytes(block)),
      })),
    texts: async (org, id, query = {}, fields = 'all') =>
      select(ledger.record(org, id).blocks, query).map((stored) => toText(stored, fields)),
    ...createTreeReader(ledger),
    async block(org, id, block) {
      const found = ledger.record(org, id).blocks.find((each) => each.block.id === block);
      if (!found) throw new TraceStoreError(blockNotFound(id, block));
      return found.block;
    },
    async findBlocks(org, query) {
      const records = query.trace_id === undefined ? ledger.records(org) : [ledger.record(org, query.trace_id)];
      return searchMemory(records, query);
    },
    watch: (org, id, listener) => ledger.watch(traceKey(org, id), listener),
    ...createMemoryRolloutEvents(ledger),
    runs: async (org, query) => listMemoryRuns(tracesOf(org), query),
    runStats: async (org, run, bins) => computeRunStats(tracesOf(org), run, bins),
    groups: async (org, query) => groupMemoryTraces(tracesOf(org), query),
    ...vault,
    watchKeys: (listener) => ledger.watch(API_KEYS_CHANGED, listener),
    checkWritable: async () => {},
    totals: async () => ({ ...ledger.totals(), blobs: blobCount() }),
    verify: async () => [],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function append(ledger: MemoryState, org: string, id: TraceId, request: AppendRequest, now: number): AppendResult {
  const record = ledger.record(org, id);
  const { body, limits, changedNumbers = [], idempotency, isDryRun = false, metadata } = request;
  const earlier = idempotency && record.idempotentResponses.get(idempotency.key);
  if (earlier && earlier.until > now) {
    if (earlier.bodySha256 !== idempotency.bodySha256) throw new TraceStoreError(idempotencyMismatch(idempotency.key));
    return { ...earlier.appended, isNew: false };
  }
  const verdict = checkAppendRequest(body, { traceId: id, limits, known: record.blockIndex, changedNumbers });
  if (verdict.failure) throw new TraceStoreError(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const isNew = outcomes.some(({ kind }) => kind === 'new');
  const receipts = outcomes.map((outcome) => {
    if (outcome.kind === 'replay') return { id: outcome.id, created_at: createdAt(record, outcome.id), replayed: true };
    const time = toTimestamp(nextMonotonicTime(now, toMicroseconds(record.trace.updated_at)));
    if (!isDryRun) {
      const block = toStoredBlock(outcome.block, time, metadata);
      ledger.write(record, block);
      const counted = { reward: blockReward(block), bytes: blockBytes(block), is_error: isErrorResult(block) };
      record.trace = { ...record.trace, ...countBlock(record.trace, counted), updated_at: time };
    }
    return { id: outcome.block.id, created_at: time, replayed: false };
  });
  const appended = { isBatch, isNew, receipts };
  if (isDryRun) return appended;
  if (idempotency) {
    const { key, bodySha256 } = idempotency;
    record.idempotentResponses.set(key, { bodySha256, appended, until: now + IDEMPOTENCY_MS });
  }
  if (isNew) ledger.changed(org, id);
  const written = isBatch || !isNew ? undefined : record.blocks.at(-1);
  return written ? { ...appended, block: written.block } : appended;
}

const createdAt = ({ blocks }: MemoryTrace, id: BlockId): string =>
  blocks.find(({ block }) => block.id === id)?.block.created_at ?? '';

function select(blocks: readonly StoredBlock[], query: BlockQuery): StoredBlock[] {
  const { after = 0, before = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = query;
  const { block_type, sub_type, call_id, parent, ids } = query;
  const found = blocks.filter(
    ({ ord, block }) =>
      ord > after &&
      ord < before &&
      (block_type === undefined || block.block_type === block_type) &&
      (sub_type === undefined || block.sub_type === sub_type) &&
      (parent === undefined || block.parent_block_id === parent) &&
      (ids === undefined || ids.includes(block.id)) &&
      (call_id === undefined || ('call_id' in block.payload && block.payload.call_id === call_id)),
  );
  const first = found.slice(0, limit);
  if (query.bytes === undefined) return first;
  return first.slice(0, countFitting(first, { size: query.bytes, sizeOf: ({ block }) => blockBytes(block) }));
}
