import type { Block, Timestamp, Trace, TraceId, TraceInput } from '../../../generated/trace.ts';
import { canonicalJson } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { NewBlock } from '../model/index.ts';
import { taskKey } from './derive.ts';
import { toTimestamp } from './time.ts';
import type { TraceUpdate } from './trace-store.ts';

/** How traces come to be and change: pure, and the same for every store. Times are microseconds since 1970. */

/** A trace without blocks. */
export function createTraceRecord(id: TraceId, input: TraceInput, us: number): Trace {
  const time = toTimestamp(us);
  const { status, task_spec, tags, metadata, run_info, rollout_info, ...fields } = withDefaults(input);
  return {
    ...fields,
    id,
    task_spec,
    task_key: taskKey(task_spec),
    status,
    tags,
    metadata,
    run_info,
    rollout_info,
    reward_sum: null,
    reward_last: null,
    reward_max: null,
    reward_count: 0,
    block_count: 0,
    bytes: 0,
    error_count: 0,
    created_at: time,
    finished_at: status === 'running' ? null : time,
    updated_at: time,
  };
}

/** Tells inputs apart: the same text for those that differ only in the order of keys and in defaults written out. */
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
});

/** `finished_at` is when it stopped running; a trace that runs again has none. */
export function patchTrace(trace: Trace, update: TraceUpdate, us: number): Trace {
  const { name = trace.name, status = trace.status, tags = trace.tags, metadata = trace.metadata } = update;
  const time = toTimestamp(us);
  return {
    ...trace,
    name,
    status,
    tags,
    metadata,
    run_info: { ...trace.run_info, ...update.run_info },
    rollout_info: { ...trace.rollout_info, ...update.rollout_info },
    finished_at: status === 'running' ? null : (trace.finished_at ?? time),
    updated_at: time,
  };
}

/** A block as it is read once it is written. */
export const toStoredBlock = (block: NewBlock, created_at: Timestamp, metadata: Block['metadata'] = {}): Block =>
  // TypeScript forgets which payload belongs to which sub_type.
  ({ ...block, metadata, created_at, updated_at: created_at }) as Block;

/** The counters that change when blocks are written. */
export type TraceCounters = Pick<
  Trace,
  'reward_sum' | 'reward_last' | 'reward_max' | 'reward_count' | 'block_count' | 'bytes' | 'error_count'
>;

/** What a block adds to the counters of its trace. */
export interface CountedBlock {
  readonly reward: number | null;
  readonly bytes: number;
  readonly is_error: boolean;
}

export function countBlock(counters: TraceCounters, { reward, bytes, is_error }: CountedBlock): TraceCounters {
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

/** JSON has no infinity: a sum that leaves the doubles stays at their end. */
const finite = (value: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));

/**
 * What names the group of a trace: its group_id, or else what its fields say of the task; null where they say nothing of
 * it. Source: trace.schema.json, Trace.group_id.
 */
export function groupKey(
  trace: Pick<Trace, 'group_id' | 'run' | 'environment' | 'split' | 'task_key' | 'task_index' | 'step'>,
): string | null {
  const { group_id, run, environment, split, task_key, task_index, step } = trace;
  const task = task_key ?? task_index;
  return group_id ?? (task === null ? null : canonicalJson([run, environment, split, task, step]));
}
