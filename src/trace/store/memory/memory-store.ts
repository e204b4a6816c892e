import { randomUUID } from 'node:crypto';
import type { BlockId, Score, TraceId } from '../../../../generated/trace.ts';
import { countFitting, sum } from '../../../core/index.ts';
import {
  assertDepth,
  blockNotFound,
  checkAppendRequest,
  idempotencyMismatch,
  isSameScore,
  newTraceId,
  runNotFound,
  type SearchQuery,
  type StoredBlock,
  scoreIdConflict,
  scoreNotFound,
  TraceStoreError,
  toScore,
  toSkeleton,
  traceDeleted,
  traceIdConflict,
} from '../../model/index.ts';
import { API_KEYS_CHANGED, traceKey } from '../change-listeners.ts';
import {
  blockBytes,
  countStoredBlock,
  createBlockClock,
  createTraceRecord,
  IDEMPOTENCY_MS,
  inputHash,
  nextMonotonicTime,
  patchTrace,
  toMicroseconds,
  toStoredBlock,
  toTimestamp,
} from '../trace-changes.ts';
import type {
  ApiKeyRecord,
  AppendRequest,
  AppendResult,
  BlockQuery,
  ScoreQuery,
  StoredBlobData,
  TraceStore,
} from '../trace-store.ts';
import { createTreeReader, searchMemory, searchMemoryByQuery, selectMemoryTraces, toText } from './memory-blocks.ts';
import { computeRunStats, groupMemoryTraces, listMemoryRuns, listMemoryTraces, page } from './memory-lists.ts';
import { createMemoryState, type MemoryState, type MemoryTrace } from './memory-state.ts';

/**
 * Creates a store that keeps traces in memory only, for tests and for a Node without SQLite. It is the reference for the
 * behavior of the other stores.
 *
 * @example
 * const store = createMemoryStore();
 *
 * @param options `now`: clock in milliseconds since 1970; `Date.now` by default.
 */
export function createMemoryStore(options: { readonly now?: () => number } = {}): TraceStore {
  const { now = Date.now } = options;
  const state = createMemoryState();
  const { blobCount, ...keysAndBlobs } = createMemoryKeysAndBlobs(now, () => state.call(API_KEYS_CHANGED));
  const tracesOf = (org: string) => state.records(org).map(({ trace }) => trace);
  const scoresOf = (org: string) => [...state.organization(org).scores.values()];
  const matching = (org: string, query: SearchQuery | undefined) =>
    selectMemoryTraces(state.records(org), scoresOf(org), query);
  const close = async () => state.close();

  return {
    async createTrace(org, input, at = now()) {
      const inputKey = inputHash(input);
      const id = input.id ?? newTraceId();
      const { records, deleted } = state.organization(org);
      if (deleted.has(id)) throw new TraceStoreError(traceDeleted(id));
      const known = records.get(id);
      if (known && known.inputKey !== inputKey) throw new TraceStoreError(traceIdConflict(id));
      if (known) return { trace: known.trace, isNew: false };
      const trace = createTraceRecord(id, input, Math.floor(at * 1000));
      state.add(org, trace, inputKey);
      return { trace, isNew: true };
    },
    trace: async (org, id) => state.record(org, id).trace,
    traces: async (org, query) => listMemoryTraces(matching(org, query.query), scoresOf(org), query),
    async updateTrace(org, id, patch) {
      const record = state.record(org, id);
      record.trace = patchTrace(record.trace, patch, nextMonotonicTime(now(), toMicroseconds(record.trace.updated_at)));
      state.call(traceKey(org, id));
      return record.trace;
    },
    async deleteTrace(org, id) {
      const { records, deleted, blocks, scores } = state.organization(org);
      for (const { block } of state.record(org, id).blocks) blocks.delete(block.id);
      for (const score of scores.values()) if (score.trace_id === id) scores.delete(score.id);
      records.delete(id);
      deleted.add(id);
      state.call(traceKey(org, id));
    },
    append: async (org, id, request) => append(state, org, id, request, now()),
    blocks: async (org, id, query = {}) => select(state.record(org, id).blocks, query),
    skeletons: async (org, id, query = {}) =>
      select(state.record(org, id).blocks, query).map(({ ord, block }) => ({
        ord,
        block: toSkeleton(block, blockBytes(block)),
      })),
    texts: async (org, id, query = {}, fields = 'all') =>
      select(state.record(org, id).blocks, query).map((stored) => toText(stored, fields)),
    ...createTreeReader(state),
    async block(org, id, block) {
      const found = state.record(org, id).blocks.find((each) => each.block.id === block);
      if (!found) throw new TraceStoreError(blockNotFound(id, block));
      return found.block;
    },
    async findBlocks(org, query) {
      const records = query.trace_id === undefined ? state.records(org) : [state.record(org, query.trace_id)];
      return searchMemory(records, query);
    },
    search: async (org, query) =>
      searchMemoryByQuery(state.records(org), [...state.organization(org).scores.values()], query),
    watch: (org, id, listener) => state.watch(traceKey(org, id), listener),
    ...createMemoryRolloutEvents(state),
    runs: async (org, query) => listMemoryRuns(matching(org, query.query), query),
    runStats: async (org, run, bins, filter = {}) =>
      computeRunStats(matching(org, filter.query), scoresOf(org), { ...filter, run }, bins),
    groups: async (org, query) => groupMemoryTraces(tracesOf(org), matching(org, query.query), query),
    ...createMemoryScores(state, now),
    ...keysAndBlobs,
    watchKeys: (listener) => state.watch(API_KEYS_CHANGED, listener),
    checkWritable: async () => {},
    async totals() {
      const traces = state.allRecords().map(({ trace }) => trace);
      const blocks = sum(traces.map(({ block_count }) => block_count));
      return { traces: traces.length, blocks, blobs: blobCount(), bytes: sum(traces.map(({ bytes }) => bytes)) };
    },
    verify: async () => [],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function append(state: MemoryState, org: string, id: TraceId, request: AppendRequest, now: number): AppendResult {
  const { body, limits, times, idempotency, isDryRun = false, metadata } = request;
  assertDepth(body);
  const record = state.record(org, id);
  const earlier = idempotency && record.idempotentResponses.get(idempotency.key);
  if (earlier && earlier.until > now) {
    if (earlier.bodySha256 !== idempotency.bodySha256) throw new TraceStoreError(idempotencyMismatch(idempotency.key));
    return { ...earlier.appended, isNew: false };
  }
  const verdict = checkAppendRequest(body, { traceId: id, limits, known: record.blockIndex });
  if (verdict.failure) throw new TraceStoreError(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const isNew = outcomes.some(({ kind }) => kind === 'new');
  const updatedUs = toMicroseconds(record.trace.updated_at);
  const lastBlock = record.blocks.at(-1)?.block;
  const clock = createBlockClock({ times, now }, updatedUs, lastBlock ? toMicroseconds(lastBlock.created_at) : 0);
  const receipts = outcomes.map((outcome, index) => {
    if (outcome.kind === 'replay') return { id: outcome.id, created_at: createdAt(record, outcome.id), replayed: true };
    const time = toTimestamp(clock.next(index));
    if (!isDryRun) {
      const block = toStoredBlock(outcome.block, time, metadata);
      state.write(record, block);
      const updated_at = toTimestamp(clock.updatedUs());
      record.trace = { ...record.trace, ...countStoredBlock(record.trace, block), updated_at };
    }
    return { id: outcome.block.id, created_at: time, replayed: false };
  });
  const appended = { isBatch, isNew, receipts };
  if (isDryRun) return appended;
  if (idempotency) {
    const { key, bodySha256 } = idempotency;
    record.idempotentResponses.set(key, { bodySha256, appended, until: now + IDEMPOTENCY_MS });
  }
  if (isNew) state.call(traceKey(org, id));
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

const createMemoryRolloutEvents = (
  state: MemoryState,
): Pick<TraceStore, 'receiveEvents' | 'pendingEvents' | 'settleEvents' | 'tracesWithEvents'> => ({
  async receiveEvents(org, trace, received) {
    const { events } = state.record(org, trace);
    for (const { id, index, text } of received) if (!events.has(id)) events.set(id, { index, text });
  },
  async pendingEvents(org, trace) {
    const events = [...state.record(org, trace).events].map(([id, event]) => ({ id, ...event }));
    const settled = events.filter(({ text }) => text === null);
    const pending = events.flatMap(({ id, index, text }) => (text === null ? [] : [{ id, index, text }]));
    return {
      next: settled.reduce((next, { index }) => Math.max(next, index + 1), 0),
      events: pending.sort((one, other) => one.index - other.index || (one.id < other.id ? -1 : 1)),
    };
  },
  async settleEvents(org, trace, ids) {
    const { events } = state.record(org, trace);
    for (const id of ids) {
      const event = events.get(id);
      if (event) events.set(id, { index: event.index, text: null });
    }
  },
  tracesWithEvents: async () =>
    state
      .allRecords()
      .filter(({ events }) => [...events.values()].some(({ text }) => text !== null))
      .map(({ org, trace }) => ({ org, id: trace.id })),
});

function createMemoryKeysAndBlobs(
  now: () => number,
  onRevoked: () => void,
): Pick<TraceStore, 'addKey' | 'keys' | 'revokeKey' | 'findKey' | 'putBlob' | 'blob'> & { blobCount: () => number } {
  const blobs = new Map<string, StoredBlobData>();
  const byHash = new Map<string, ApiKeyRecord>();
  const time = () => toTimestamp(Math.floor(now() * 1000));
  return {
    async addKey({ sha256, org, name, scopes }) {
      const key: ApiKeyRecord = { id: `key_${randomUUID()}`, org, name, scopes, created_at: time(), revoked_at: null };
      byHash.set(sha256, key);
      return key;
    },
    keys: async () => [...byHash.values()],
    async revokeKey(id) {
      const [sha256, key] = [...byHash].find(([, each]) => each.id === id && each.revoked_at === null) ?? [];
      if (sha256 === undefined || key === undefined) return false;
      byHash.set(sha256, { ...key, revoked_at: time() });
      onRevoked();
      return true;
    },
    async findKey(sha256) {
      const key = byHash.get(sha256);
      return key?.revoked_at === null ? key : undefined;
    },
    async putBlob(org, blob) {
      const key = `${org} ${blob.sha256}`;
      if (!blobs.has(key)) blobs.set(key, blob);
    },
    blob: async (org, sha256) => blobs.get(`${org} ${sha256}`),
    blobCount: () => blobs.size,
  };
}

/** Scores of runs, traces and blocks. @param now clock in milliseconds since 1970. */
const createMemoryScores = (
  state: MemoryState,
  now: () => number,
): Pick<TraceStore, 'addScore' | 'scores' | 'deleteScore'> => ({
  async addScore(org, input) {
    const score = toScore(input, toTimestamp(Math.floor(now() * 1000)));
    assertTarget(state, org, score);
    const { scores } = state.organization(org);
    const known = scores.get(score.id);
    if (known && !isSameScore(known, score)) throw new TraceStoreError(scoreIdConflict(score.id));
    if (known) return { score: known, isNew: false };
    scores.set(score.id, score);
    return { score, isNew: true };
  },
  async scores(org, query) {
    const found = [...state.organization(org).scores.values()].filter((score) => matches(state, org, score, query));
    const order = { list: 'scores', order: 'asc' } as const;
    return page(found, { ...order, position: ({ id, created_at }) => [created_at, id] }, query);
  },
  async deleteScore(org, id) {
    if (!state.organization(org).scores.delete(id)) throw new TraceStoreError(scoreNotFound(id));
  },
});

function assertTarget(state: MemoryState, org: string, { trace_id, block_id, run }: Score): void {
  if (run !== null && !state.records(org).some(({ trace }) => trace.run === run)) {
    throw new TraceStoreError(runNotFound(run));
  }
  if (trace_id === null) return;
  const { blocks } = state.record(org, trace_id);
  if (block_id === null || blocks.some(({ block }) => block.id === block_id)) return;
  throw new TraceStoreError(blockNotFound(trace_id, block_id));
}

function matches(state: MemoryState, org: string, score: Score, query: ScoreQuery): boolean {
  const { trace_id, block_id, run, name, author } = query;
  const runOf = () => score.run ?? state.organization(org).records.get(score.trace_id ?? '')?.trace.run;
  return (
    (trace_id === undefined || score.trace_id === trace_id) &&
    (block_id === undefined || score.block_id === block_id) &&
    (name === undefined || score.name === name) &&
    (author === undefined || score.author === author) &&
    (run === undefined || runOf() === run)
  );
}
