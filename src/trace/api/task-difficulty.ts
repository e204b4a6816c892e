import type { Block, ResponseChars, TaskDifficulty, Trace } from '../../../generated/trace.ts';
import { BoundedMap, groupBy, meanOf, ownProperty, quantilesOf, sum } from '../../core/index.ts';
import { restoreBlobs } from '../fit/index.ts';
import type { TraceStore } from '../store/index.ts';
import { argumentsText } from './rollout-messages.ts';

interface EnvironmentPath {
  readonly owner: string;
  readonly name: string;
}

interface DifficultyQuery {
  readonly variant?: string;
  readonly split?: string;
  readonly model_name?: string;
  readonly min_model_params?: number;
  readonly max_model_params?: number;
  readonly training_stage?: string;
}

interface Rollout {
  readonly trace: Trace;
  readonly reward: number;
  readonly task_index: number;
}

/**
 * Aggregates the traces of an environment by split, variant and task. Traces without a reward or a task_index, and those
 * that continue another one, are left out. Source: openreward 0.1.167, get_task_difficulty.
 */
export async function readTaskDifficulty(
  store: TraceStore,
  org: string,
  { owner, name }: EnvironmentPath,
  query: DifficultyQuery,
): Promise<TaskDifficulty[]> {
  const rollouts: Rollout[] = [];
  // The recorder of a server knows no owner.
  for (const environment of [`${owner}/${name}`, name]) {
    for await (const trace of tracesOf(store, org, environment, query)) {
      const { reward_sum: reward, task_index } = trace;
      if (reward !== null && task_index !== null && isRequested(trace, query))
        rollouts.push({ trace, reward, task_index });
    }
  }
  const tasks = groupBy(rollouts, ({ trace, task_index }) => JSON.stringify([trace.split, trace.variant, task_index]));
  const found: TaskDifficulty[] = [];
  for (const group of tasks.values()) found.push(await toDifficulty(store, org, group));
  return found.sort(
    (one, other) =>
      compareNullable(one.split, other.split) ||
      compareNullable(one.variant, other.variant) ||
      one.task_index - other.task_index,
  );
}

async function* tracesOf(
  store: TraceStore,
  org: string,
  environment: string,
  { split }: DifficultyQuery,
): AsyncGenerator<Trace> {
  let cursor: string | null = null;
  do {
    const position: { cursor?: string } = cursor === null ? {} : { cursor };
    const page = await store.traces(org, {
      environment,
      has_parent: false,
      limit: 1000,
      ...(split !== undefined && { split }),
      ...position,
    });
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function isRequested(
  { variant, model, run_info }: Trace,
  { variant: only, model_name, min_model_params: min, max_model_params: max, training_stage }: DifficultyQuery,
): boolean {
  const { model_params: params } = run_info;
  const isSized = min === undefined && max === undefined;
  return (
    (only === undefined || variant === only) &&
    (model_name === undefined || model === model_name || run_info.model_name === model_name) &&
    (training_stage === undefined || run_info.training_stage === training_stage) &&
    (isSized || (typeof params === 'number' && params >= (min ?? -Infinity) && params <= (max ?? Infinity)))
  );
}

const compareNullable = (one: string | null, other: string | null): number =>
  one === other ? 0 : one === null ? -1 : other === null ? 1 : one < other ? -1 : 1;

async function toDifficulty(
  store: TraceStore,
  org: string,
  group: readonly [Rollout, ...Rollout[]],
): Promise<TaskDifficulty> {
  const [{ trace, task_index }] = group;
  const rewards = group.map(({ reward }) => reward);
  const lengths: number[] = [];
  for (const rollout of group) lengths.push(await readResponseLength(store, org, rollout.trace));
  return {
    split: trace.split,
    variant: trace.variant,
    task_index,
    // Divides first: a sum of large rewards could overflow.
    avg_reward: sum(rewards.map((reward) => reward / rewards.length)),
    min_reward: Math.min(...rewards),
    max_reward: Math.max(...rewards),
    num_rollouts: group.length,
    response_chars: summarizeLengths(lengths),
  };
}

function summarizeLengths(lengths: readonly number[]): ResponseChars {
  const parts = quantilesOf(lengths, [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]);
  const [p1, p10, p25, p50, p75, p90, p99] = parts.map((part) => part ?? 0) as SevenNumbers;
  return { mean: meanOf(lengths) ?? 0, p1, p10, p25, p50, p75, p90, p99 };
}

type SevenNumbers = [number, number, number, number, number, number, number];

/** Lengths of traces, which change only when blocks are added, by organization, trace and number of blocks. */
const MAX_CACHED = 100_000;
const caches = new WeakMap<TraceStore, BoundedMap<string, number>>();

async function readResponseLength(store: TraceStore, org: string, { id, block_count }: Trace): Promise<number> {
  const cache = caches.get(store) ?? new BoundedMap<string, number>(MAX_CACHED);
  caches.set(store, cache);
  const key = JSON.stringify([org, id, block_count]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const length = await countResponse(store, org, id);
  cache.set(key, length);
  return length;
}

/** Maximum size of a read. */
const PAGE = { limit: 200, bytes: 1024 * 1024 };

async function countResponse(store: TraceStore, org: string, id: string): Promise<number> {
  let length = 0;
  let after = 0;
  for (;;) {
    const page = await store.blocks(org, id, { after, ...PAGE });
    for (const { block } of page) length += await countBlock(store, org, block);
    const last = page.at(-1);
    if (!last) return length;
    after = last.ord;
  }
}

/** Returns the characters of a block that the model has written, 0 for any other block. */
async function countBlock(store: TraceStore, org: string, block: Block): Promise<number> {
  const isResponse =
    block.sub_type === 'TOOL_CALL' ||
    (block.sub_type === 'THINK' && ownProperty(block.extra, 'hidden') !== true) ||
    (block.sub_type === 'MESSAGE' && block.payload.role === 'assistant');
  if (!isResponse || ownProperty(block.extra, 'inferred') === true) return 0;
  const whole = await restoreBlobs(block, async (sha256) => (await store.blob(org, sha256))?.data);
  if (whole.sub_type === 'THINK') return countCharacters(whole.payload.text);
  if (whole.sub_type === 'TOOL_CALL') return countCharacters(argumentsText(whole.payload.arguments));
  if (whole.sub_type !== 'MESSAGE') return 0;
  const { content } = whole.payload;
  if (typeof content === 'string') return countCharacters(content);
  return sum(content.map((part) => (typeof part.text === 'string' ? countCharacters(part.text) : 0)));
}

/** Counts code points, as Python does. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
