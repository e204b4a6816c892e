import type { TraceId } from '../../../../generated/trace.ts';
import { idempotencyMismatch, TraceStoreError } from '../../model/index.ts';
import type { AppendRequest, AppendResult } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { findTrace, type GrowingTrace, lockUnlockedTraces } from './find-trace.ts';
import { loadBlockIndexes } from './known-rows.ts';
import { type AppendPlan, planAppend } from './plan-append.ts';

const DAY_US = 24 * 3600 * 1_000_000;

/** What a write takes from its store. */
export interface AppendContext {
  readonly transaction: SqlReader;
  readonly dialect: SqlDialect;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Blocks for a trace. */
export interface AppendInput {
  readonly org: string;
  readonly id: TraceId;
  readonly request: AppendRequest;
}

/** A refused request has written nothing, and those beside it go on. */
export type SettledAppend = PromiseSettledResult<AppendResult>;

/** Checks and writes the blocks of a request, in a transaction. @throws Refusal. */
export async function appendBlocks(context: AppendContext, { org, id, request }: AppendInput): Promise<AppendResult> {
  const trace = await findTrace(context.transaction, org, id);
  const [response] = await appendTo(context, [{ trace, request }]);
  if (response?.status !== 'fulfilled') throw response?.reason;
  return response.value;
}

/**
 * The same for traces that differ, with as few statements as for one.
 *
 * @returns an answer to each; undefined where the trace is not there or somebody else writes into it, which only `append`
 * finds out or waits for.
 */
export async function appendBatch(
  context: AppendContext,
  appends: readonly AppendInput[],
): Promise<readonly (SettledAppend | undefined)[]> {
  const traces = await lockUnlockedTraces(context.transaction, context.dialect, appends);
  const found = appends.flatMap(({ request }, place) => {
    const trace = traces[place];
    return trace ? [{ place, trace, request }] : [];
  });
  const answers = await appendTo(context, found);
  const byPlace = new Map(found.map(({ place }, index) => [place, answers[index]]));
  return appends.map((_, place) => byPlace.get(place));
}

interface AppendTarget {
  readonly trace: GrowingTrace;
  readonly request: AppendRequest;
}

/** What becomes of a request: it is written, or was answered without. */
type AppendDecision = { readonly plan: AppendPlan } | { readonly answer: SettledAppend };

async function appendTo(context: AppendContext, targets: readonly AppendTarget[]): Promise<readonly SettledAppend[]> {
  const { transaction, dialect, now } = context;
  const earlier = await readAnswers(context, targets);
  const known = await loadBlockIndexes(
    transaction,
    dialect,
    targets.map(({ trace, request }, place) => ({ ...trace, body: earlier[place] ? undefined : request.body })),
  );
  const decisions = targets.map(({ trace, request }, place): AppendDecision => {
    const response = earlier[place];
    const rows = known[place];
    if (response || !rows) return { answer: response ?? rejected(new Error('nothing was read for a request')) };
    try {
      return { plan: planAppend(trace, request, rows, now) };
    } catch (error) {
      return { answer: rejected(error) };
    }
  });
  const plans = decisions.map((each) => ('plan' in each ? each.plan : undefined));
  await write(
    context,
    plans.filter((plan) => plan !== undefined),
  );
  await keepAnswers(context, targets, plans);
  return decisions.map((each) => ('plan' in each ? fulfilled(each.plan.appended) : each.answer));
}

const fulfilled = (value: AppendResult): SettledAppend => ({ status: 'fulfilled', value });
const rejected = (reason: unknown): SettledAppend => ({ status: 'rejected', reason });

async function write({ transaction, dialect }: AppendContext, plans: readonly AppendPlan[]): Promise<void> {
  const changing = plans.filter(({ rows }) => rows.length > 0);
  if (changing.length === 0) return;
  await dialect.insertAll(
    transaction,
    'trace_blocks',
    changing.flatMap(({ rows }) => rows),
  );
  await dialect.updateAll(
    transaction,
    'trace_rows',
    changing.map(({ changes }) => changes),
    'rid',
  );
}

/** What those with a key were answered the first time. */
async function readAnswers(
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
  const kept = new Map(rows.map((row) => [row.trace_rid, row]));
  return targets.map(({ trace, request: { idempotency } }) => {
    const row = idempotency && kept.get(trace.rid);
    if (!row) return undefined;
    if (row.body_sha256 !== idempotency.bodySha256)
      return rejected(new TraceStoreError(idempotencyMismatch(idempotency.key)));
    // Written below.
    return fulfilled({ ...(JSON.parse(row.appended) as AppendResult), isNew: false });
  });
}

async function keepAnswers(
  { transaction, dialect, now }: AppendContext,
  targets: readonly AppendTarget[],
  plans: readonly (AppendPlan | undefined)[],
): Promise<void> {
  const rows = targets.flatMap(({ trace: { rid }, request: { idempotency, isDryRun = false } }, place) => {
    const appended = plans[place]?.appended;
    if (!idempotency || isDryRun || !appended) return [];
    const { key, bodySha256: body_sha256 } = idempotency;
    // The block itself is among the blocks.
    const kept = JSON.stringify({ ...appended, block: undefined });
    return [{ trace_rid: rid, key, body_sha256, appended: kept, expires_us: now * 1000 + DAY_US }];
  });
  if (rows.length === 0) return;
  await transaction.query('DELETE FROM idempotency WHERE expires_us <= ?', [now * 1000]);
  await dialect.insertAll(transaction, 'idempotency', rows);
}
