import type { BlockReceipt, TraceId } from '../../../../generated/trace.ts';
import { checkRequest, idempotencyMismatch, type Outcome, Refusal } from '../../model/index.ts';
import { nextTime, timestampOf } from '../time.ts';
import { type Counters, countBlock, writtenBlock } from '../trace-changes.ts';
import type { Appended, AppendRequest } from '../trace-store.ts';
import { toRow } from './block-rows.ts';
import type { Columns, Dialect, SqlReader } from './driver.ts';
import { findTrace, type GrowingTrace } from './find-trace.ts';
import { type KnownRows, readKnown } from './known-rows.ts';
import { insert, update } from './statements.ts';

const DAY_US = 24 * 3600 * 1_000_000;

/** What a write takes from its store. */
export interface AppendContext {
  readonly transaction: SqlReader;
  readonly dialect: Dialect;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Checks and writes the blocks of a request, in a transaction. @throws Refusal. */
export async function append(
  context: AppendContext,
  org: string,
  id: TraceId,
  request: AppendRequest,
): Promise<Appended> {
  const { transaction, dialect } = context;
  const { body, limits, changedNumbers = [], isDryRun = false } = request;
  const trace = await findTrace(transaction, org, id);
  const earlier = await readAnswer(context, trace.rid, request.idempotency);
  if (earlier) return { ...earlier, isNew: false };
  const known = await readKnown(transaction, dialect, trace, body);
  const verdict = checkRequest(body, { traceId: id, limits, known, changedNumbers });
  if (verdict.failure) throw new Refusal(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const isNew = outcomes.some(({ kind }) => kind === 'new');
  const receipts = await (isDryRun ? rehearse(outcomes) : write(context, trace, { outcomes, known, request }));
  const appended = { isBatch, isNew, receipts };
  if (isDryRun) return appended;
  await keepAnswer(context, trace.rid, request.idempotency, appended);
  const [outcome] = outcomes;
  if (isBatch || outcome?.kind !== 'new') return appended;
  return { ...appended, block: writtenBlock(outcome.block, receipts[0]?.created_at ?? '', request.metadata) };
}

const rehearse = (outcomes: readonly Outcome[]): BlockReceipt[] =>
  outcomes.map((outcome) => ({
    id: outcome.kind === 'new' ? outcome.block.id : outcome.id,
    created_at: timestampOf(0),
    replayed: outcome.kind === 'replay',
  }));

interface Checked {
  readonly outcomes: readonly Outcome[];
  readonly known: KnownRows;
  readonly request: AppendRequest;
}

async function write(
  { transaction, dialect, now }: AppendContext,
  trace: GrowingTrace,
  { outcomes, known, request: { metadata = {} } }: Checked,
): Promise<BlockReceipt[]> {
  let counters: Counters = trace;
  let us = trace.updated_us;
  const written = new Map<string, number>();
  const rows: Columns[] = [];
  const receipts: BlockReceipt[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind === 'replay') {
      const createdUs = written.get(outcome.id) ?? known.createdUs(outcome.id) ?? us;
      receipts.push({ id: outcome.id, created_at: timestampOf(createdUs), replayed: true });
      continue;
    }
    const { block, callKey } = outcome;
    us = nextTime(now, us);
    const ord = counters.block_count + 1;
    const { columns, counted } = toRow(block, { traceRid: trace.rid, ord, us, callKey, metadata });
    rows.push(columns);
    counters = countBlock(counters, counted);
    written.set(block.id, us);
    receipts.push({ id: block.id, created_at: timestampOf(us), replayed: false });
  }
  if (rows.length > 0) {
    await dialect.insertAll(transaction, 'trace_blocks', rows);
    const { reward_sum, reward_last, reward_max, reward_count, block_count, bytes, error_count } = counters;
    const rewards = { reward_sum, reward_last, reward_max, reward_count };
    const changes = { ...rewards, block_count, bytes, error_count, updated_us: us };
    await update(transaction, 'trace_rows', changes, ['rid', trace.rid]);
  }
  return receipts;
}

async function readAnswer(
  { transaction, now }: AppendContext,
  rid: number,
  idempotency: AppendRequest['idempotency'],
): Promise<Appended | undefined> {
  if (!idempotency) return undefined;
  const [row] = await transaction.query<{ readonly body_sha256: string; readonly appended: string }>(
    'SELECT body_sha256, appended FROM idempotency WHERE trace_rid = ? AND key = ? AND expires_us > ?',
    [rid, idempotency.key, now * 1000],
  );
  if (row && row.body_sha256 !== idempotency.bodySha256) throw new Refusal(idempotencyMismatch(idempotency.key));
  // Written below.
  return row && (JSON.parse(row.appended) as Appended);
}

async function keepAnswer(
  { transaction, now }: AppendContext,
  rid: number,
  idempotency: AppendRequest['idempotency'],
  appended: Appended,
): Promise<void> {
  if (!idempotency) return;
  await transaction.query('DELETE FROM idempotency WHERE expires_us <= ?', [now * 1000]);
  await insert(transaction, 'idempotency', {
    trace_rid: rid,
    key: idempotency.key,
    body_sha256: idempotency.bodySha256,
    appended: JSON.stringify(appended),
    expires_us: now * 1000 + DAY_US,
  });
}
