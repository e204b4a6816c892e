import type { BlockId, TraceId } from '../../../generated/trace.ts';
import { countFitting } from '../../core/index.ts';
import {
  blockNotFound,
  checkRequest,
  idempotencyMismatch,
  isError,
  newTraceId,
  Refusal,
  rewardOf,
  type StoredBlock,
  toSkeleton,
} from '../model/index.ts';
import { bytesOf } from './derive.ts';
import { findInMemory } from './memory-find.ts';
import { createInbox } from './memory-inbox.ts';
import { type Ledger, openLedger, type TraceRecord } from './memory-ledger.ts';
import { groupsOf, listRuns, listTraces, statsOf } from './memory-lists.ts';
import { createTreeReader, toText } from './memory-tree.ts';
import { createVault } from './memory-vault.ts';
import { microsOf, nextTime, timestampOf } from './time.ts';
import { countBlock, inputKeyOf, newTrace, patchTrace, writtenBlock } from './trace-changes.ts';
import type { Appended, AppendRequest, BlockQuery, TraceStore } from './trace-store.ts';
import { API_KEYS, traceKey } from './watchers.ts';

const IDEMPOTENCY_MS = 24 * 3600 * 1000;

/** Keeps traces in memory and loses them with the process: for tests, and the measure of what other stores answer. */
export function createMemoryStore({ now = Date.now }: { readonly now?: () => number } = {}): TraceStore {
  const ledger = openLedger();
  const { blobCount, ...vault } = createVault(now, () => ledger.call(API_KEYS));
  const tracesOf = (org: string) => ledger.records(org).map(({ trace }) => trace);
  const close = async () => ledger.close();

  return {
    async createTrace(org, input, at = now()) {
      const inputKey = inputKeyOf(input);
      const known = input.id === undefined ? undefined : ledger.claimed(org, input.id, inputKey);
      if (known) return { trace: known.trace, isNew: false };
      const trace = newTrace(input.id ?? newTraceId(), input, Math.floor(at * 1000));
      ledger.add(org, trace, inputKey);
      return { trace, isNew: true };
    },
    trace: async (org, id) => ledger.record(org, id).trace,
    traces: async (org, query) => listTraces(tracesOf(org), query),
    async updateTrace(org, id, patch) {
      const record = ledger.record(org, id);
      record.trace = patchTrace(record.trace, patch, nextTime(now(), microsOf(record.trace.updated_at)));
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
        block: toSkeleton(block, bytesOf(block)),
      })),
    texts: async (org, id, query = {}, fields = 'all') =>
      select(ledger.record(org, id).blocks, query).map((stored) => toText(stored, fields)),
    ...createTreeReader(ledger),
    async block(org, id, block) {
      const found = ledger.record(org, id).blocks.find((each) => each.block.id === block);
      if (!found) throw new Refusal(blockNotFound(id, block));
      return found.block;
    },
    async findBlocks(org, query) {
      const records = query.trace_id === undefined ? ledger.records(org) : [ledger.record(org, query.trace_id)];
      return findInMemory(records, query);
    },
    watch: (org, id, listener) => ledger.watch(traceKey(org, id), listener),
    ...createInbox(ledger),
    runs: async (org, query) => listRuns(tracesOf(org), query),
    runStats: async (org, run, bins) => statsOf(tracesOf(org), run, bins),
    groups: async (org, query) => groupsOf(tracesOf(org), query),
    ...vault,
    watchKeys: (listener) => ledger.watch(API_KEYS, listener),
    checkWritable: async () => {},
    totals: async () => ({ ...ledger.totals(), blobs: blobCount() }),
    verify: async () => [],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function append(ledger: Ledger, org: string, id: TraceId, request: AppendRequest, now: number): Appended {
  const record = ledger.record(org, id);
  const { body, limits, changedNumbers = [], idempotency, isDryRun = false, metadata } = request;
  const earlier = idempotency && record.answers.get(idempotency.key);
  if (earlier && earlier.until > now) {
    if (earlier.bodySha256 !== idempotency.bodySha256) throw new Refusal(idempotencyMismatch(idempotency.key));
    return { ...earlier.appended, isNew: false };
  }
  const verdict = checkRequest(body, { traceId: id, limits, known: record.known, changedNumbers });
  if (verdict.failure) throw new Refusal(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const isNew = outcomes.some(({ kind }) => kind === 'new');
  const receipts = outcomes.map((outcome) => {
    if (outcome.kind === 'replay') return { id: outcome.id, created_at: createdAt(record, outcome.id), replayed: true };
    const time = timestampOf(nextTime(now, microsOf(record.trace.updated_at)));
    if (!isDryRun) {
      const block = writtenBlock(outcome.block, time, metadata);
      ledger.write(record, block);
      const counted = { reward: rewardOf(block), bytes: bytesOf(block), is_error: isError(block) };
      record.trace = { ...record.trace, ...countBlock(record.trace, counted), updated_at: time };
    }
    return { id: outcome.block.id, created_at: time, replayed: false };
  });
  const appended = { isBatch, isNew, receipts };
  if (isDryRun) return appended;
  if (idempotency) {
    const { key, bodySha256 } = idempotency;
    record.answers.set(key, { bodySha256, appended, until: now + IDEMPOTENCY_MS });
  }
  if (isNew) ledger.changed(org, id);
  const written = isBatch || !isNew ? undefined : record.blocks.at(-1);
  return written ? { ...appended, block: written.block } : appended;
}

const createdAt = ({ blocks }: TraceRecord, id: BlockId): string =>
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
  return first.slice(0, countFitting(first, { size: query.bytes, sizeOf: ({ block }) => bytesOf(block) }));
}
