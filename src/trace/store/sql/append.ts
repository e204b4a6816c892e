import type { BlockReceipt, TraceId } from '../../../../generated/trace.ts';
import { type BlockCheckResult, checkAppendRequest, idempotencyMismatch, TraceStoreError } from '../../model/index.ts';
import { countBlock, nextMonotonicTime, type TraceCounters, toStoredBlock, toTimestamp } from '../trace-changes.ts';
import type { AppendRequest, AppendResult } from '../trace-store.ts';
import { type LoadedBlockIndex, loadBlockIndexes } from './block-index.ts';
import { toRow } from './block-rows.ts';
import type { SqlDialect, SqlReader, SqlRow } from './driver.ts';
import { findTrace, lockUnlockedTraces, type TraceHead } from './traces.ts';

const IDEMPOTENCY_US = 24 * 3600 * 1_000_000;

/** Environment of an append: its transaction, the SQL of the engine, and the time in milliseconds since 1970. */
export interface AppendContext {
  readonly transaction: SqlReader;
  readonly dialect: SqlDialect;
  readonly now: number;
}

/** A request to append blocks to a trace. */
export interface AppendInput {
  readonly org: string;
  readonly id: TraceId;
  readonly request: AppendRequest;
}

/** A rejected request has written nothing, and does not affect the others of its batch. */
export type SettledAppend = PromiseSettledResult<AppendResult>;

/** Checks and writes the blocks of one request. @throws TraceStoreError if the request breaks a rule. */
export async function appendBlocks(context: AppendContext, { org, id, request }: AppendInput): Promise<AppendResult> {
  const trace = await findTrace(context.transaction, org, id);
  const [result] = await appendTo(context, [{ trace, request }]);
  if (result?.status !== 'fulfilled') throw result?.reason;
  return result.value;
}

/**
 * Checks and writes requests for different traces, with as few statements as for one.
 *
 * @returns the result of each request; undefined if the trace does not exist or is locked, in which case `appendBlocks`
 * reports the error or waits.
 */
export async function appendBatch(
  context: AppendContext,
  appends: readonly AppendInput[],
): Promise<readonly (SettledAppend | undefined)[]> {
  const traces = await lockUnlockedTraces(context.transaction, context.dialect, appends);
  const locked = appends.flatMap(({ request }, index) => {
    const trace = traces[index];
    return trace ? [{ index, trace, request }] : [];
  });
  const results = await appendTo(context, locked);
  const byIndex = new Map(locked.map(({ index }, position) => [index, results[position]]));
  return appends.map((_, index) => byIndex.get(index));
}

interface AppendTarget {
  readonly trace: TraceHead;
  readonly request: AppendRequest;
}

/** Rows that a request writes, and its result. */
interface AppendPlan {
  readonly appended: AppendResult;
  /** Rows of `trace_blocks`. */
  readonly rows: readonly SqlRow[];
  /** Columns of `trace_rows`, with the `rid`. */
  readonly changes: SqlRow;
}

/** A request is written, or has a result without a write: an earlier receipt, or an error. */
type AppendDecision = { readonly plan: AppendPlan } | { readonly result: SettledAppend };

async function appendTo(context: AppendContext, targets: readonly AppendTarget[]): Promise<readonly SettledAppend[]> {
  const { transaction, dialect, now } = context;
  const earlier = await readIdempotentResults(context, targets);
  const known = await loadBlockIndexes(
    transaction,
    dialect,
    targets.map(({ trace, request }, index) => ({ ...trace, body: earlier[index] ? undefined : request.body })),
  );
  const decisions = targets.map(({ trace, request }, index): AppendDecision => {
    const result = earlier[index];
    if (result) return { result };
    const blockIndex = known[index];
    if (!blockIndex) return { result: rejected(new Error('a request has no block index')) };
    try {
      return { plan: planAppend(trace, request, blockIndex, now) };
    } catch (error) {
      return { result: rejected(error) };
    }
  });
  const plans = decisions.map((decision) => ('plan' in decision ? decision.plan : undefined));
  const changing = plans.flatMap((plan) => (plan && plan.rows.length > 0 ? [plan] : []));
  if (changing.length > 0) {
    const rows = changing.flatMap((plan) => plan.rows);
    await dialect.insertAll(transaction, 'trace_blocks', rows);
    const changes = changing.map((plan) => plan.changes);
    await dialect.updateAll(transaction, 'trace_rows', changes, 'rid');
  }
  await storeIdempotentResults(context, targets, plans);
  return decisions.map((decision) => ('plan' in decision ? fulfilled(decision.plan.appended) : decision.result));
}

const fulfilled = (value: AppendResult): SettledAppend => ({ status: 'fulfilled', value });
const rejected = (reason: unknown): SettledAppend => ({ status: 'rejected', reason });

/** Checks a request against the rules. @param now milliseconds since 1970. @throws TraceStoreError for a broken rule. */
function planAppend(trace: TraceHead, request: AppendRequest, known: LoadedBlockIndex, now: number): AppendPlan {
  const { body, limits, changedNumbers = [], isDryRun = false, metadata } = request;
  const verdict = checkAppendRequest(body, { traceId: trace.id, limits, known, changedNumbers });
  if (verdict.failure) throw new TraceStoreError(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const { receipts, rows, changes } = placeBlocks(outcomes, { trace, known, metadata: metadata ?? {}, now });
  const isNew = rows.length > 0;
  if (isDryRun) {
    const withoutTimes = receipts.map((receipt) => ({ ...receipt, created_at: toTimestamp(0) }));
    return { appended: { isBatch, isNew, receipts: withoutTimes }, rows: [], changes };
  }
  const appended = { isBatch, isNew, receipts };
  const [outcome] = outcomes;
  if (isBatch || outcome?.kind !== 'new') return { appended, rows, changes };
  const block = toStoredBlock(outcome.block, receipts[0]?.created_at ?? '', metadata);
  return { appended: { ...appended, block }, rows, changes };
}

interface PlacementContext {
  readonly trace: TraceHead;
  readonly known: LoadedBlockIndex;
  readonly metadata: NonNullable<AppendRequest['metadata']>;
  readonly now: number;
}

/** Assigns ordinals and times to the new blocks, and adds them to the counters of the trace. */
function placeBlocks(outcomes: readonly BlockCheckResult[], { trace, known, metadata, now }: PlacementContext) {
  let counters: TraceCounters = trace;
  let us = trace.updated_us;
  const written = new Map<string, number>();
  const rows: SqlRow[] = [];
  const receipts: BlockReceipt[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind === 'replay') {
      const createdUs = written.get(outcome.id) ?? known.createdUs(outcome.id) ?? us;
      receipts.push({ id: outcome.id, created_at: toTimestamp(createdUs), replayed: true });
      continue;
    }
    const { block, callKey } = outcome;
    us = nextMonotonicTime(now, us);
    const ord = counters.block_count + 1;
    const { columns, counted } = toRow(block, {
      traceRid: trace.rid,
      orgRid: trace.org_rid,
      ord,
      us,
      callKey,
      metadata,
    });
    rows.push(columns);
    counters = countBlock(counters, counted);
    written.set(block.id, us);
    receipts.push({ id: block.id, created_at: toTimestamp(us), replayed: false });
  }
  const { reward_sum, reward_last, reward_max, reward_count, block_count, bytes, error_count } = counters;
  const rewards = { reward_sum, reward_last, reward_max, reward_count };
  return { receipts, rows, changes: { rid: trace.rid, ...rewards, block_count, bytes, error_count, updated_us: us } };
}

/** Reads the first results of requests with a known idempotency key. */
async function readIdempotentResults(
  { transaction, dialect, now }: AppendContext,
  targets: readonly AppendTarget[],
): Promise<readonly (SettledAppend | undefined)[]> {
  const keys = targets.flatMap(({ trace: { rid }, request: { idempotency } }) =>
    idempotency ? [[rid, idempotency.key] as const] : [],
  );
  if (keys.length === 0) return [];
  const rows = await transaction.query<{
    readonly trace_rid: number;
    readonly body_sha256: string;
    readonly appended: string;
  }>(
    `SELECT trace_rid, body_sha256, appended FROM idempotency
     WHERE ${dialect.pairIn('trace_rid', 'key')} AND expires_us > ?`,
    [JSON.stringify(keys), now * 1000],
  );
  const stored = new Map(rows.map((row) => [row.trace_rid, row]));
  return targets.map(({ trace, request: { idempotency } }) => {
    const row = idempotency && stored.get(trace.rid);
    if (!row) return undefined;
    if (row.body_sha256 !== idempotency.bodySha256)
      return rejected(new TraceStoreError(idempotencyMismatch(idempotency.key)));
    // Trusted: `storeIdempotentResults` has written it.
    return fulfilled({ ...(JSON.parse(row.appended) as AppendResult), isNew: false });
  });
}

async function storeIdempotentResults(
  { transaction, dialect, now }: AppendContext,
  targets: readonly AppendTarget[],
  plans: readonly (AppendPlan | undefined)[],
): Promise<void> {
  const rows = targets.flatMap(({ trace: { rid }, request: { idempotency, isDryRun = false } }, index) => {
    const appended = plans[index]?.appended;
    if (!idempotency || isDryRun || !appended) return [];
    const { key, bodySha256: body_sha256 } = idempotency;
    // The block is stored in `trace_blocks`.
    const withoutBlock = JSON.stringify({ ...appended, block: undefined });
    return [{ trace_rid: rid, key, body_sha256, appended: withoutBlock, expires_us: now * 1000 + IDEMPOTENCY_US }];
  });
  if (rows.length === 0) return;
  await transaction.query('DELETE FROM idempotency WHERE expires_us <= ?', [now * 1000]);
  await dialect.insertAll(transaction, 'idempotency', rows);
}
