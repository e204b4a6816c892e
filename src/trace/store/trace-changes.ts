import type {
  Block,
  BlockSkeleton,
  JSONObject,
  Timestamp,
  Trace,
  TraceId,
  TraceInput,
  TraceWarning,
} from '../../../generated/trace.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import {
  annotateMetadata,
  type BlockJsonTexts,
  blockReward,
  isErrorResult,
  jsonTextBytes,
  type NewBlock,
  TraceStoreError,
  toJsonTexts,
  validationError,
} from '../model/index.ts';
import type { AppendRequest, TraceUpdate } from './trace-store.ts';

/** Pure functions that create and change traces, the same for every store. Times are microseconds since 1970. */

/** Time for which an idempotency key returns its first receipts, in ms. */
export const IDEMPOTENCY_MS = 24 * 3600 * 1000;

/** Creates a trace without blocks. @throws TraceStoreError VALIDATION for an invalid parent. */
export function createTraceRecord(id: TraceId, input: TraceInput, us: number): Trace {
  const time = toTimestamp(us);
  const fields = withDefaults(input);
  checkParent(id, input);
  return {
    ...fields,
    id,
    task_key: fields.task_spec === null ? null : sha256OfJson(fields.task_spec),
    reward_sum: null,
    reward_last: null,
    reward_max: null,
    reward_count: 0,
    block_count: 0,
    bytes: 0,
    error_count: 0,
    created_at: time,
    finished_at: fields.status === 'running' ? null : time,
    updated_at: time,
  };
}

/** Returns the same hash for inputs that differ only in the order of keys and in explicit defaults. */
export const inputHash = (input: TraceInput): string => sha256OfJson(withDefaults(input));

const withDefaults = (input: TraceInput) => ({
  name: input.name ?? null,
  run: input.run ?? null,
  environment: input.environment ?? null,
  variant: input.variant ?? null,
  split: input.split ?? null,
  task_index: input.task_index ?? null,
  task_spec: input.task_spec ?? null,
  group_id: input.group_id ?? null,
  step: input.step ?? null,
  rollout_index: input.rollout_index ?? null,
  model: input.model ?? null,
  tags: input.tags ?? [],
  metadata: input.metadata ?? {},
  run_info: input.run_info ?? {},
  rollout_info: input.rollout_info ?? {},
  status: input.status ?? 'running',
  // Absent from other traces, whose hash is that of traces written before there were parents.
  ...parentOf(input),
});

/** Returns the fields about the parent of a trace, without null. */
export const parentOf = ({
  parent_trace_id,
  parent_calls,
}: Pick<TraceInput, 'parent_trace_id' | 'parent_calls'>): Pick<Trace, 'parent_trace_id' | 'parent_calls'> => ({
  ...(parent_trace_id != null && { parent_trace_id }),
  ...(parent_calls != null && { parent_calls }),
});

function checkParent(id: TraceId, { parent_trace_id = null, parent_calls = null }: TraceInput): void {
  const problem =
    parent_trace_id === id
      ? { path: '/parent_trace_id', expected: 'the id of another trace', got: 'the id of this one' }
      : parent_trace_id === null && parent_calls !== null
        ? { path: '/parent_calls', expected: 'left out without parent_trace_id', got: String(parent_calls) }
        : undefined;
  if (problem) throw new TraceStoreError(validationError([{ rule: 'parent', ...problem }]));
}

/** Sets `finished_at` to the time at which the trace stopped running; clears it if the trace runs again. */
export function patchTrace(trace: Trace, update: TraceUpdate, us: number): Trace {
  const { name = trace.name, status = trace.status, tags = trace.tags, metadata = trace.metadata } = update;
  const { step = trace.step, task_index = trace.task_index } = update;
  const time = toTimestamp(us);
  return {
    ...trace,
    name,
    status,
    tags,
    metadata,
    step,
    task_index,
    ...warningsOf([...(trace.warnings ?? []), ...(update.warnings ?? [])]),
    run_info: { ...trace.run_info, ...update.run_info },
    rollout_info: { ...trace.rollout_info, ...update.rollout_info },
    finished_at: status === 'running' ? null : (trace.finished_at ?? time),
    updated_at: time,
  };
}

/** Maximum number of warnings of a trace. */
const MAX_WARNINGS = 100;

/** Returns each warning once, as a field of a trace without the field if there are none. */
function warningsOf(warnings: readonly TraceWarning[]): Pick<Trace, 'warnings'> {
  const unique = new Map(warnings.map((warning) => [JSON.stringify(warning), warning]));
  return unique.size === 0 ? {} : { warnings: [...unique.values()].slice(0, MAX_WARNINGS) };
}

/** Returns the block as later reads return it. @param annotations metadata of the server. */
export const toStoredBlock = (block: NewBlock, created_at: Timestamp, annotations: JSONObject = {}): Block =>
  // The spread loses which payload belongs to which sub_type.
  ({
    ...block,
    metadata: annotateMetadata(block.metadata, annotations),
    created_at,
    updated_at: created_at,
  }) as Block;

/** Returns the fields of a stored block that a client can write. */
export const withoutTimes = ({ created_at: _, updated_at: __, ...block }: Block) => block;

/** Counters that change when blocks are written. */
export const COUNTERS = [
  'block_count',
  'bytes',
  'error_count',
  'reward_count',
  'reward_sum',
  'reward_last',
  'reward_max',
] as const;

export type TraceCounters = Pick<Trace, (typeof COUNTERS)[number]>;

export const countersOf = (trace: TraceCounters): TraceCounters =>
  // The entries are those of `TraceCounters`.
  Object.fromEntries(COUNTERS.map((name) => [name, trace[name]])) as unknown as TraceCounters;

/** @param block values that the counters depend on. */
export function countBlock(
  counters: TraceCounters,
  { reward, bytes, is_error }: Pick<BlockSkeleton, 'reward' | 'bytes' | 'is_error'>,
): TraceCounters {
  const { reward_sum, reward_max, reward_count } = counters;
  const rewards =
    reward === null
      ? {}
      : {
          reward_sum: finite((reward_sum ?? 0) + reward),
          reward_last: reward,
          reward_max: Math.max(reward_max ?? reward, reward),
          reward_count: reward_count + 1,
        };
  return {
    ...counters,
    ...rewards,
    block_count: counters.block_count + 1,
    bytes: counters.bytes + bytes,
    error_count: counters.error_count + (is_error ? 1 : 0),
  };
}

export const countStoredBlock = (counters: TraceCounters, block: NewBlock): TraceCounters =>
  countBlock(counters, { reward: blockReward(block), bytes: blockBytes(block), is_error: isErrorResult(block) });

/** Clamps a sum that overflows: JSON has no infinity. */
const finite = (value: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));

/** Stored size of a block. */
export const blockBytes = (block: NewBlock): number => jsonTextsBytes(toJsonTexts(block));

/** Stored size of a block by its texts. Buffer is several times as fast as the portable default. */
export const jsonTextsBytes = (texts: BlockJsonTexts): number => jsonTextBytes(texts, Buffer.byteLength);

/** The last formatted second: most times that are formatted in succession are in the same second. */
let last = { second: 0, text: '1970-01-01T00:00:00' };

/** Formats microseconds since 1970 as RFC 3339 text in UTC with six decimals, which sorts like the number. */
export function toTimestamp(us: number): Timestamp {
  const second = Math.floor(us / 1_000_000);
  if (second !== last.second) last = { second, text: new Date(second * 1000).toISOString().slice(0, 19) };
  return `${last.text}.${String(us - second * 1_000_000).padStart(6, '0')}Z`;
}

/** @param timestamp RFC 3339 text in UTC; decimals after the sixth are cut. */
export function toMicroseconds(timestamp: Timestamp): number {
  const [, seconds = timestamp, decimals = ''] = timestamp.match(/^(.*?)(?:\.(\d+))?Z$/) ?? [];
  return Date.parse(`${seconds}Z`) * 1000 + Number(decimals.slice(0, 6).padEnd(6, '0'));
}

/**
 * Time of a change in microseconds: now, but always after the previous change, so that times order all writes even
 * within a millisecond, and when the clock is set back.
 *
 * @param now milliseconds since 1970.
 */
export const nextMonotonicTime = (now: number, lastUs: number): number => Math.max(Math.floor(now * 1000), lastUs + 1);

/**
 * Assigns the times of new blocks, in microseconds: each is after the block before it. Without times of their own, they
 * are after the last change of the trace as well.
 *
 * @param lastBlockUs time of the last block of the trace; 0 if it has none.
 */
export function createBlockClock(
  { times, now }: { readonly times: AppendRequest['times']; readonly now: number },
  updatedUs: number,
  lastBlockUs: number,
) {
  let us = times ? lastBlockUs : updatedUs;
  return {
    next(index: number): number {
      us = nextMonotonicTime(times?.[index] ?? now, us);
      return us;
    },
    /** Time of the change of the trace, which is at least the time of its last block. */
    updatedUs: (): number => (times ? Math.max(us, nextMonotonicTime(now, updatedUs)) : us),
  };
}
