import type { BlockId, BlockReceipt, JSONObject, SubType, TraceId } from '../../../../generated/trace.ts';
import { isRecord, parseExactJson, stringifyJson } from '../../../core/index.ts';
import {
  annotateMetadata,
  type BlockCheckResult,
  type BlockIndex,
  type BlockJsonTexts,
  canonicalContent,
  checkAppendRequest,
  idempotencyMismatch,
  isBlockId,
  type NewBlock,
  TraceStoreError,
  toJsonTexts,
  toSkeletonFields,
} from '../../model/index.ts';
import { traceKey } from '../change-listeners.ts';
import {
  countBlock,
  countersOf,
  createBlockClock,
  IDEMPOTENCY_MS,
  jsonTextsBytes,
  type TraceCounters,
  toStoredBlock,
  toTimestamp,
} from '../trace-changes.ts';
import type { AppendRequest, AppendResult } from '../trace-store.ts';
import { toContent } from './block-rows.ts';
import type { SqlDialect, SqlReader, SqlRow } from './driver.ts';
import { decodeStoredText, decodeStoredTextOrNull, encodeStoredText, encodeStoredTextOrNull } from './statements.ts';
import { findTrace, SELECT_HEAD, type TraceHead } from './traces.ts';

/** A request to append blocks to a trace. */
export interface AppendInput {
  readonly org: string;
  readonly id: TraceId;
  readonly request: AppendRequest;
}

/** A rejected request has written nothing, and does not affect the others of its batch. */
type SettledAppend = PromiseSettledResult<AppendResult>;

/**
 * Checks and writes the blocks of one request.
 *
 * @param now milliseconds since 1970.
 * @throws TraceStoreError if the request breaks a rule.
 */
export async function appendBlocks(
  transaction: SqlReader,
  { org, id, request }: AppendInput,
  now: number,
): Promise<AppendResult> {
  const trace = await findTrace(transaction, org, id);
  const result = (await appendTo(transaction, [{ trace, request }], now)).get(trace.rid);
  if (result?.status !== 'fulfilled') throw result?.reason;
  return result.value;
}

/**
 * Checks and writes requests for different traces, with as few statements as for one.
 *
 * @param now milliseconds since 1970.
 * @returns the result of each request; undefined if the trace does not exist or is locked, or if another request has the
 * same block id. `appendBlocks` then waits or reports the error.
 */
export async function appendBatch(
  transaction: SqlReader,
  appends: readonly AppendInput[],
  now: number,
): Promise<readonly (SettledAppend | undefined)[]> {
  const traces = await lockUnlockedTraces(transaction, appends);
  const targets = appends.flatMap(({ request }, index) => {
    const trace = traces[index];
    return trace ? [{ trace, request }] : [];
  });
  const results = await appendTo(transaction, targets, now);
  return traces.map((trace) => trace && results.get(trace.rid));
}

/** Reads and locks several traces; undefined for each that does not exist or is locked by another transaction. */
async function lockUnlockedTraces(
  transaction: SqlReader,
  traces: readonly AppendInput[],
): Promise<readonly (TraceHead | undefined)[]> {
  const { dialect, forUpdate } = transaction;
  // The expression makes the engine search the index once per id, not once per id and organization.
  const sql = `${SELECT_HEAD} WHERE ${dialect.columnIn('id')} AND ${dialect.columnIn("(org || '')")}${forUpdate}`;
  const rows = await transaction.query<TraceHead & { readonly org: string }>(sql, [
    dialect.list(new Set(traces.map(({ id }) => id))),
    dialect.list(new Set(traces.map(({ org }) => encodeStoredText(org)))),
  ]);
  const found = new Map(rows.map((row) => [traceKey(row.org, row.id), row]));
  return traces.map(({ org, id }) => found.get(traceKey(encodeStoredText(org), id)));
}

interface AppendTarget {
  readonly trace: TraceHead;
  readonly request: AppendRequest;
}

/** Returns the result of each request by the `rid` of its trace; none for one with a block id that another has. */
async function appendTo(
  transaction: SqlReader,
  targets: readonly AppendTarget[],
  now: number,
): Promise<ReadonlyMap<number, SettledAppend>> {
  const { dialect } = transaction;
  const earlier = await readIdempotentResults(transaction, targets, now);
  const fresh = targets.filter(({ trace }) => !earlier.has(trace.rid));
  const indexOf = await loadBlockIndexes(transaction, fresh);
  const plans = withDistinctIds(
    fresh.map((target): AppendPlan => {
      try {
        return planAppend(target, indexOf(target.trace), now);
      } catch (error) {
        return { target, result: rejected(error), rows: [], changes: [] };
      }
    }),
  );
  const rows = plans.flatMap((plan) => plan.rows);
  if (rows.length > 0) {
    await dialect.insertAll(transaction, 'block_rows', rows);
    const changes = plans.flatMap((plan) => plan.changes);
    await dialect.updateAll(transaction, 'trace_rows', changes, 'rid');
  }
  await storeIdempotentResults(transaction, plans, now);
  return new Map([...earlier, ...plans.map(({ target, result }) => [target.trace.rid, result] as const)]);
}

const fulfilled = (value: AppendResult): SettledAppend => ({ status: 'fulfilled', value });
const rejected = (reason: unknown): SettledAppend => ({ status: 'rejected', reason });

/** The result of a request, and the rows that it writes. */
interface AppendPlan {
  readonly target: AppendTarget;
  readonly result: SettledAppend;
  /** Rows of `block_rows`. */
  readonly rows: readonly SqlRow[];
  /** Columns of `trace_rows` with the `rid`; none without rows. */
  readonly changes: readonly SqlRow[];
}

/** Leaves out plans with a block id that an earlier one has: the insertion of both would fail, and that of all others. */
function withDistinctIds(plans: readonly AppendPlan[]): readonly AppendPlan[] {
  const taken = new Set<string>();
  return plans.filter(({ target, rows }) => {
    const keys = rows.map(({ id }) => keyOf(target.trace.org_rid, String(id)));
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

/** Checks a request against the rules. @throws TraceStoreError for a broken rule. */
function planAppend(target: AppendTarget, known: LoadedBlockIndex, now: number): AppendPlan {
  const { trace, request } = target;
  const { body, limits, times, isDryRun = false, metadata = {} } = request;
  const verdict = checkAppendRequest(body, { traceId: trace.id, limits, known });
  if (verdict.failure) throw new TraceStoreError(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const { receipts, rows, changes } = placeBlocks(outcomes, { trace, known, metadata, times, now });
  const isNew = rows.length > 0;
  if (isDryRun) {
    const withoutTimes = receipts.map((receipt) => ({ ...receipt, created_at: toTimestamp(0) }));
    return { target, result: fulfilled({ isBatch, isNew, receipts: withoutTimes }), rows: [], changes: [] };
  }
  const appended = { isBatch, isNew, receipts };
  const [outcome] = outcomes;
  if (isBatch || outcome?.kind !== 'new') {
    return { target, result: fulfilled(appended), rows, changes: isNew ? [changes] : [] };
  }
  const block = toStoredBlock(outcome.block, receipts[0]?.created_at ?? '', metadata);
  return { target, result: fulfilled({ ...appended, block }), rows, changes: [changes] };
}

interface PlacementContext {
  readonly trace: TraceHead;
  readonly known: LoadedBlockIndex;
  readonly metadata: JSONObject;
  readonly times: AppendRequest['times'];
  readonly now: number;
}

/** Assigns ordinals and times to the new blocks, and adds them to the counters of the trace. */
function placeBlocks(outcomes: readonly BlockCheckResult[], context: PlacementContext) {
  const { trace, known, metadata } = context;
  const same = { trace_rid: trace.rid, org_rid: trace.org_rid };
  let counters: TraceCounters = trace;
  const clock = createBlockClock(context, trace.updated_us, known.lastBlockUs);
  const written = new Map<string, number>();
  const rows: SqlRow[] = [];
  const receipts: BlockReceipt[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'replay') {
      const createdUs = written.get(outcome.id) ?? known.createdUs(outcome.id) ?? trace.updated_us;
      receipts.push({ id: outcome.id, created_at: toTimestamp(createdUs), replayed: true });
      continue;
    }
    const { block, callKey } = outcome;
    const us = clock.next(index);
    const call_key = encodeStoredTextOrNull(callKey);
    const own = { metadata: stringifyJson(annotateMetadata(block.metadata, metadata)), call_key };
    const { columns, counted } = toRow(block, { ...same, ...own, ord: counters.block_count + 1, created_us: us });
    rows.push(columns);
    counters = countBlock(counters, counted);
    written.set(block.id, us);
    receipts.push({ id: block.id, created_at: toTimestamp(us), replayed: false });
  }
  return { receipts, rows, changes: { rid: trace.rid, ...countersOf(counters), updated_us: clock.updatedUs() } };
}

/** Returns the row of a new block, and the values that the counters of its trace depend on. */
function toRow(block: NewBlock, others: SqlRow) {
  const { call_id, seq, name, role, reward, is_error, thread, preview } = toSkeletonFields(block);
  const texts = toJsonTexts(block);
  const bytes = jsonTextsBytes(texts);
  const columns: SqlRow = {
    ...others,
    id: block.id,
    sub_type: block.sub_type,
    parent_block_id: block.parent_block_id,
    call_id: encodeStoredTextOrNull(call_id),
    seq,
    name: encodeStoredTextOrNull(name),
    role,
    reward,
    is_error: is_error ? 1 : 0,
    bytes,
    preview: encodeStoredText(preview),
    thread: encodeStoredTextOrNull(thread ?? null),
    ...texts,
  };
  return { columns, counted: { reward, bytes, is_error } };
}

/** Reads the first results of requests with a known idempotency key, by the `rid` of the trace. */
async function readIdempotentResults(
  transaction: SqlReader,
  targets: readonly AppendTarget[],
  now: number,
): Promise<ReadonlyMap<number, SettledAppend>> {
  const earlier = new Map<number, SettledAppend>();
  const keys = new Map(
    targets.flatMap(({ trace, request: { idempotency } }) => (idempotency ? [[trace.rid, idempotency] as const] : [])),
  );
  if (keys.size === 0) return earlier;
  const rows = await transaction.query<{
    readonly trace_rid: number;
    readonly body_sha256: string;
    readonly appended: string;
  }>(
    `SELECT trace_rid, body_sha256, appended FROM idempotency
     WHERE ${transaction.dialect.pairIn('trace_rid', 'key')} AND expires_us > ?`,
    [JSON.stringify([...keys].map(([rid, { key }]) => [rid, key])), now * 1000],
  );
  for (const { trace_rid, body_sha256, appended } of rows) {
    const used = keys.get(trace_rid);
    const isOther = used !== undefined && used.bodySha256 !== body_sha256;
    const result = isOther
      ? rejected(new TraceStoreError(idempotencyMismatch(used.key)))
      : // Trusted: `storeIdempotentResults` has written it.
        fulfilled({ ...(JSON.parse(appended) as AppendResult), isNew: false });
    earlier.set(trace_rid, result);
  }
  return earlier;
}

async function storeIdempotentResults(
  transaction: SqlReader,
  plans: readonly AppendPlan[],
  now: number,
): Promise<void> {
  const rows = plans.flatMap(({ target: { trace, request }, result }) => {
    const { idempotency, isDryRun = false } = request;
    if (!idempotency || isDryRun || result.status === 'rejected') return [];
    const { key, bodySha256: body_sha256 } = idempotency;
    // The block is stored in `block_rows`.
    const appended = JSON.stringify({ ...result.value, block: undefined });
    return [{ trace_rid: trace.rid, key, body_sha256, appended, expires_us: (now + IDEMPOTENCY_MS) * 1000 }];
  });
  if (rows.length === 0) return;
  await transaction.query('DELETE FROM idempotency WHERE expires_us <= ?', [now * 1000]);
  await transaction.dialect.insertAll(transaction, 'idempotency', rows);
}

/** Index of the stored blocks that a request mentions. */
interface LoadedBlockIndex extends BlockIndex {
  /** Returns when a block was written, in microseconds since 1970. */
  createdUs(id: BlockId): number | undefined;
  /** Time of the last block of the trace; 0 if it has none, or if the request has no times. */
  readonly lastBlockUs: number;
}

interface KnownRow {
  readonly id: BlockId;
  readonly org_rid: number;
  readonly trace_id: TraceId;
  readonly sub_type: SubType;
  readonly parent_block_id: BlockId | null;
  readonly call_id: string | null;
  readonly created_us: number;
}

/** Loads the blocks that the rules may look up for each request, because the rules are synchronous. */
async function loadBlockIndexes(
  transaction: SqlReader,
  targets: readonly AppendTarget[],
): Promise<(trace: TraceHead) => LoadedBlockIndex> {
  const requests = targets.map(({ trace, request }) => ({ trace, mentions: mentionsIn(request.body) }));
  const lastBlocks = await readLastBlocks(transaction, targets);
  const rows = await readRows(transaction, requests);
  const replayed = requests.flatMap(({ trace, mentions }) =>
    [...mentions.ids].flatMap((id) => {
      const row = rows.get(keyOf(trace.org_rid, id));
      return row?.trace_id === trace.id ? [row] : [];
    }),
  );
  const contents = await readContents(transaction, replayed);
  const calls = await readCalls(transaction, requests);
  const results = await readResults(transaction, requests, rows);
  return ({ rid, org_rid }) => ({
    block(id) {
      const row = rows.get(keyOf(org_rid, id));
      return row && { trace_id: row.trace_id, sub_type: row.sub_type, call_id: decodeStoredTextOrNull(row.call_id) };
    },
    content: (id) => contents.get(keyOf(org_rid, id)),
    call: (callKey) => calls.get(keyOf(rid, callKey)),
    result: (callKey, seq) => results.get(keyOf(rid, seq, callKey)),
    createdUs: (id) => rows.get(keyOf(org_rid, id))?.created_us,
    lastBlockUs: lastBlocks.get(rid) ?? 0,
  });
}

/** Reads the time of the last block of each trace whose request has times, by its `rid`. */
async function readLastBlocks(
  transaction: SqlReader,
  targets: readonly AppendTarget[],
): Promise<ReadonlyMap<number, number>> {
  const last = new Map<number, number>();
  for (const { trace, request } of targets) {
    if (!request.times) continue;
    const [row] = await transaction.query<{ readonly created_us: number }>(
      'SELECT created_us FROM block_rows WHERE trace_rid = ? AND ord = ?',
      [trace.rid, trace.block_count],
    );
    if (row) last.set(trace.rid, row.created_us);
  }
  return last;
}

interface IndexedRequest {
  readonly trace: TraceHead;
  readonly mentions: ReturnType<typeof mentionsIn>;
}

/** Joins parts into one key; numbers come first, so that a text with spaces is unambiguous. */
const keyOf = (...parts: readonly (number | string)[]): string => parts.join(' ');

/** Collects the ids that the rules may look up from a body that is not validated yet; skips values of a wrong type. */
function mentionsIn(body: unknown) {
  const ids = new Set<BlockId>();
  const parents = new Set<BlockId>();
  /** Keys of the calls in the request. */
  const callKeys = new Set<string>();
  /** `call_id` of calls and results. */
  const callIds = new Set<string>();
  const seqs = new Set<number>();
  const blocks: readonly unknown[] = isRecord(body) && Array.isArray(body.blocks) ? body.blocks : [body];
  for (const block of blocks) {
    if (!isRecord(block)) continue;
    const { id, parent_block_id, sub_type, payload } = block;
    const { call_id, seq } = isRecord(payload) ? payload : {};
    const callId = typeof call_id === 'string' ? call_id : undefined;
    if (isBlockId(id)) ids.add(id);
    if (isBlockId(parent_block_id)) parents.add(parent_block_id);
    if (callId !== undefined) callIds.add(callId);
    if (sub_type === 'TOOL_CALL' && (callId ?? isBlockId(id))) callKeys.add(callId ?? String(id));
    if (Number.isSafeInteger(seq)) seqs.add(Number(seq));
  }
  return { ids, parents, callKeys, callIds, seqs };
}

/** Reads the mentioned blocks by organization and id. */
async function readRows(
  transaction: SqlReader,
  requests: readonly IndexedRequest[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const ids = requests.flatMap(({ mentions }) => [...mentions.ids, ...mentions.parents]);
  if (ids.length === 0) return new Map();
  const { dialect } = transaction;
  const rows = await transaction.query<KnownRow>(
    `SELECT b.id, b.org_rid, t.id AS trace_id, b.sub_type, b.parent_block_id, b.call_id, b.created_us
     FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid WHERE ${OWN_IDS(dialect, 'b.')}`,
    [dialect.list(ids), dialect.list(new Set(requests.map(({ trace }) => trace.org_rid)))],
  );
  return new Map(rows.map((row) => [keyOf(row.org_rid, row.id), row]));
}

/** Condition for ids within organizations. `+ 0` makes the engine search the index once per id, not once per pair. */
const OWN_IDS = (dialect: SqlDialect, table = '') =>
  `${dialect.columnIn(`${table}id`)} AND ${dialect.columnIn(`(${table}org_rid + 0)`)}`;

async function readContents(transaction: SqlReader, known: readonly KnownRow[]): Promise<ReadonlyMap<string, string>> {
  if (known.length === 0) return new Map();
  const { dialect } = transaction;
  const rows = await transaction.query<
    BlockJsonTexts & { readonly id: BlockId; readonly org_rid: number; readonly metadata: string }
  >(`SELECT id, org_rid, payload, raw, extra, metadata FROM block_rows WHERE ${OWN_IDS(dialect)}`, [
    dialect.list(known.map(({ id }) => id)),
    dialect.list(new Set(known.map(({ org_rid }) => org_rid))),
  ]);
  const contents = new Map(rows.map((row) => [keyOf(row.org_rid, row.id), row]));
  return new Map(
    known.flatMap(({ id, org_rid, trace_id, sub_type, parent_block_id }) => {
      const key = keyOf(org_rid, id);
      const row = contents.get(key);
      if (!row) return [];
      const content = { sub_type, parent_block_id, ...toContent(row), metadata: parseExactJson(row.metadata) };
      return [[key, canonicalContent(content, trace_id)] as const];
    }),
  );
}

async function readCalls(
  transaction: SqlReader,
  requests: readonly IndexedRequest[],
): Promise<ReadonlyMap<string, BlockId>> {
  const pairs = requests.flatMap(({ trace, mentions }) =>
    [...mentions.callKeys].map((key) => [trace.rid, encodeStoredText(key)]),
  );
  if (pairs.length === 0) return new Map();
  const rows = await transaction.query<Omit<ResultRow, 'seq'>>(
    `SELECT call_key, trace_rid, id FROM block_rows
     WHERE sub_type = 'TOOL_CALL' AND ${transaction.dialect.pairIn('trace_rid', 'call_key')}`,
    [JSON.stringify(pairs)],
  );
  return new Map(rows.map(({ call_key, trace_rid, id }) => [keyOf(trace_rid, decodeStoredText(call_key)), id]));
}

interface ResultRow {
  readonly trace_rid: number;
  readonly seq: number;
  readonly call_key: string;
  readonly id: BlockId;
}

async function readResults(
  transaction: SqlReader,
  requests: readonly IndexedRequest[],
  known: ReadonlyMap<string, KnownRow>,
): Promise<ReadonlyMap<string, BlockId>> {
  const numbered = requests.filter(({ mentions }) => mentions.seqs.size > 0);
  if (numbered.length === 0) return new Map();
  const { dialect } = transaction;
  const seqs = new Set(numbered.flatMap(({ mentions }) => [...mentions.seqs]));
  const pairs = numbered.flatMap((request) =>
    keysOf(request, known).map((key) => [request.trace.rid, encodeStoredText(key)]),
  );
  const rows = await transaction.query<ResultRow>(
    `SELECT call_key, trace_rid, seq, id FROM block_rows WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL
     AND ${dialect.pairIn('trace_rid', 'call_key')} AND ${dialect.columnIn('seq')}`,
    [JSON.stringify(pairs), dialect.list(seqs)],
  );
  return new Map(
    rows.map(({ trace_rid, seq, call_key, id }) => [keyOf(trace_rid, seq, decodeStoredText(call_key)), id]),
  );
}

/** Keys that the calls of the results in a request may have. */
function keysOf({ trace, mentions }: IndexedRequest, known: ReadonlyMap<string, KnownRow>): string[] {
  const { callKeys, callIds, ids, parents } = mentions;
  const callIdsOfParents = [...ids, ...parents].flatMap((id) => {
    const call_id = known.get(keyOf(trace.org_rid, id))?.call_id ?? null;
    return call_id === null ? [] : [decodeStoredText(call_id)];
  });
  return [...new Set([...callKeys, ...callIds, ...parents, ...callIdsOfParents])];
}
