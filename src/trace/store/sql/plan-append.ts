import type { BlockReceipt } from '../../../../generated/trace.ts';
import { checkRequest, type Outcome, Refusal } from '../../model/index.ts';
import { nextTime, timestampOf } from '../time.ts';
import { type Counters, countBlock, writtenBlock } from '../trace-changes.ts';
import type { Appended, AppendRequest } from '../trace-store.ts';
import { toRow } from './block-rows.ts';
import type { Columns } from './driver.ts';
import type { GrowingTrace } from './find-trace.ts';
import type { KnownRows } from './known-rows.ts';

/** What a request writes, and is answered. */
export interface Plan {
  readonly appended: Appended;
  /** Of `trace_blocks`. */
  readonly rows: readonly Columns[];
  /** Of `trace_rows`, with the `rid`. */
  readonly changes: Columns;
}

/** Holds a request against the rules. @param now milliseconds since 1970. @throws Refusal. */
export function planAppend(trace: GrowingTrace, request: AppendRequest, known: KnownRows, now: number): Plan {
  const { body, limits, changedNumbers = [], isDryRun = false, metadata } = request;
  const verdict = checkRequest(body, { traceId: trace.id, limits, known, changedNumbers });
  if (verdict.failure) throw new Refusal(verdict.failure);
  const { isBatch, outcomes } = verdict;
  const { receipts, rows, changes } = placeAll(outcomes, { trace, known, metadata: metadata ?? {}, now });
  const isNew = rows.length > 0;
  if (isDryRun) return { appended: { isBatch, isNew, receipts: receipts.map(rehearsed) }, rows: [], changes };
  const appended = { isBatch, isNew, receipts };
  const [outcome] = outcomes;
  if (isBatch || outcome?.kind !== 'new') return { appended, rows, changes };
  const block = writtenBlock(outcome.block, receipts[0]?.created_at ?? '', metadata);
  return { appended: { ...appended, block }, rows, changes };
}

const rehearsed = (receipt: BlockReceipt): BlockReceipt => ({ ...receipt, created_at: timestampOf(0) });

interface Placing {
  readonly trace: GrowingTrace;
  readonly known: KnownRows;
  readonly metadata: NonNullable<AppendRequest['metadata']>;
  readonly now: number;
}

function placeAll(outcomes: readonly Outcome[], { trace, known, metadata, now }: Placing) {
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
    receipts.push({ id: block.id, created_at: timestampOf(us), replayed: false });
  }
  const { reward_sum, reward_last, reward_max, reward_count, block_count, bytes, error_count } = counters;
  const rewards = { reward_sum, reward_last, reward_max, reward_count };
  return { receipts, rows, changes: { rid: trace.rid, ...rewards, block_count, bytes, error_count, updated_us: us } };
}
