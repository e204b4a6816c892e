import type { BlockReceipt } from '../../../../generated/trace.ts';
import { type BlockCheckResult, checkAppendRequest, TraceStoreError } from '../../model/index.ts';
import { nextMonotonicTime, toTimestamp } from '../time.ts';
import { countBlock, type TraceCounters, toStoredBlock } from '../trace-changes.ts';
import type { AppendRequest, AppendResult } from '../trace-store.ts';
import { toRow } from './block-rows.ts';
import type { SqlRow } from './driver.ts';
import type { GrowingTrace } from './find-trace.ts';
import type { LoadedBlockIndex } from './known-rows.ts';

/** What a request writes, and is answered. */
export interface AppendPlan {
  readonly appended: AppendResult;
  /** Of `trace_blocks`. */
  readonly rows: readonly SqlRow[];
  /** Of `trace_rows`, with the `rid`. */
  readonly changes: SqlRow;
}

/** Holds a request against the rules. @param now milliseconds since 1970. @throws Refusal. */
export function planAppend(
  trace: GrowingTrace,
  request: AppendRequest,
  known: LoadedBlockIndex,
  now: number,
): AppendPlan {
  const { body, limits, changedNumbers = [], isDryRun = false, metadata } = request;
  const verdict = checkAppendRequest(body, { traceId: trace.id, limits, known, changedNumbers });
  if (verdict.failure) throw new TraceStoreError(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const { receipts, rows, changes } = placeAll(outcomes, { trace, known, metadata: metadata ?? {}, now });
  const isNew = rows.length > 0;
  if (isDryRun) return { appended: { isBatch, isNew, receipts: receipts.map(rehearsed) }, rows: [], changes };
  const appended = { isBatch, isNew, receipts };
  const [outcome] = outcomes;
  if (isBatch || outcome?.kind !== 'new') return { appended, rows, changes };
  const block = toStoredBlock(outcome.block, receipts[0]?.created_at ?? '', metadata);
  return { appended: { ...appended, block }, rows, changes };
}

const rehearsed = (receipt: BlockReceipt): BlockReceipt => ({ ...receipt, created_at: toTimestamp(0) });

interface AppendPlanContext {
  readonly trace: GrowingTrace;
  readonly known: LoadedBlockIndex;
  readonly metadata: NonNullable<AppendRequest['metadata']>;
  readonly now: number;
}

function placeAll(outcomes: readonly BlockCheckResult[], { trace, known, metadata, now }: AppendPlanContext) {
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
