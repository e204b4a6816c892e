import type { RunDetails, Timestamp, Trace, TraceSummary } from '../../../generated/trace.ts';
import { isRecord, meanOf } from '../../core/index.ts';
import { groupKey } from './select-traces.ts';

/** Times of a trace. An imported trace has new times, and its original ones in its metadata. */
export interface TraceTimes {
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Time of the import, if the trace was imported. */
  readonly imported_at: string | undefined;
}

export function toTraceTimes(trace: Pick<Trace, 'metadata' | 'created_at' | 'finished_at'>): TraceTimes {
  const { metadata, created_at, finished_at } = trace;
  const own = isRecord(metadata.imported) ? metadata.imported : {};
  if (!isTime(own.created_at)) return { created_at, finished_at, imported_at: undefined };
  const finishedAt = isTime(own.finished_at) ? own.finished_at : null;
  return { created_at: own.created_at, finished_at: finishedAt, imported_at: created_at };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Fields of a trace in which scripts report what it used. */
type ReportedTrace = Pick<Trace, 'metadata' | 'rollout_info'>;

/** Token counts that a trace reports. */
export interface TraceTokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number;
}

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'];
const TOTAL = ['total_tokens', 'totalTokens'];
const COST = ['cost', 'total_cost', 'cost_usd', 'total_cost_usd', 'totalCost'];

/** Objects in which usage is looked for, in their order. */
function usagesOf({ metadata, rollout_info }: ReportedTrace) {
  const places: readonly unknown[] = [metadata.usage, rollout_info.usage, metadata, rollout_info];
  return places.filter(isRecord);
}

/** Reads `usage` of the metadata or rollout_info of a trace, by the names that providers use. */
export function readTokenUsage(trace: ReportedTrace): TraceTokenUsage | undefined {
  for (const fields of usagesOf(trace)) {
    const [input, output, total] = [INPUT, OUTPUT, TOTAL].map((names) => amountIn(fields, names));
    if (input !== undefined || output !== undefined || total !== undefined)
      return { input, output, total: total ?? (input ?? 0) + (output ?? 0) };
  }
  return undefined;
}

/** Reads the cost that a trace reports, in the places of its token usage. */
export const readCost = (trace: ReportedTrace): number | undefined =>
  usagesOf(trace)
    .map((fields) => amountIn(fields, COST))
    .find((cost) => cost !== undefined);

const amountIn = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined =>
  names.map((name) => fields[name]).find(isAmount);

/** Rejects negative and absurdly large counts. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** Returns the fields of a trace that statistics need. */
export function toTraceSummary(trace: Trace): TraceSummary {
  const { id, run, environment, split, task_index, task_key, step, model, status } = trace;
  const { reward_sum, block_count, error_count, metadata, rollout_info } = trace;
  const { created_at, finished_at } = toTraceTimes(trace);
  const numbers = scalarsIn([rollout_info, metadata], isNumber);
  return {
    ...{ id, run, environment, split, task_index, task_key, step, model, status, block_count, error_count },
    group_key: groupKey(trace),
    reward: reward_sum,
    tokens: readTokenUsage(trace)?.total ?? null,
    cost: readCost(trace) ?? null,
    values: Object.fromEntries(numbers),
    created_at: withMicroseconds(created_at),
    finished_at: finished_at === null ? null : withMicroseconds(finished_at),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Formats a time of an import as the store does. */
const withMicroseconds = (time: string): Timestamp =>
  /T\d\d:\d\d:\d\d\.\d{6}Z$/.test(time) ? time : `${new Date(time).toISOString().slice(0, -1)}000Z`;

const MAX_SCALARS = 50;
const MAX_DEPTH = 3;
const MAX_TEXT = 200;

/** Lists values in objects by their path, such as `usage.input_tokens`; of equal paths, the first object's counts. */
function scalarsIn<T>(objects: readonly object[], isListed: (value: unknown) => value is T): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const visit = (fields: object, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(fields)) {
      if (found.size === MAX_SCALARS) return;
      const path = prefix + key;
      if (isListed(value) && !found.has(path)) found.set(path, value);
      else if (isRecord(value) && depth < MAX_DEPTH) visit(value, `${path}.`, depth + 1);
    }
  };
  for (const fields of objects) visit(fields, '', 1);
  return found;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'boolean' || isNumber(value) || (typeof value === 'string' && value.length <= MAX_TEXT);

/** Returns the scalars that describe a run, from its newest trace. */
export const toRunInfo = ({ run_info, metadata }: Pick<Trace, 'run_info' | 'metadata'>): RunDetails['info'] => {
  // `run_id` and the times of an import are not settings.
  const { imported: _, run_id: __, ...settings } = metadata;
  return Object.fromEntries(scalarsIn([run_info, settings], isScalar));
};

/** A name and how many traces have it. */
export interface CountedName {
  readonly name: string;
  readonly count: number;
}

const MAX_NAMES = 20;

/** Returns distinct names, the most frequent first. */
export function frequentNames(counted: Iterable<CountedName>): string[] {
  const totals = new Map<string, number>();
  for (const { name, count } of counted) totals.set(name, (totals.get(name) ?? 0) + count);
  return [...totals]
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}

/** Returns true for tags that say how an episode ended, which `ors rollout` writes. */
export const isOutcomeTag = (tag: string): boolean => tag.startsWith('stop:') || tag.startsWith('failed:');

/** Mean reward of a training step; null if none of its traces has a reward. */
export interface StepMean {
  readonly step: number;
  readonly mean: number | null;
}

const MAX_TREND = 32;

/** Joins steps, which ascend, to at most 32 means of consecutive ones. */
export function toTrend(steps: readonly StepMean[]): RunDetails['trend'] {
  const size = Math.ceil(steps.length / MAX_TREND);
  return Array.from({ length: Math.ceil(steps.length / Math.max(1, size)) }, (_, index) => {
    const means = steps.slice(index * size, (index + 1) * size).flatMap(({ mean }) => mean ?? []);
    const mean = meanOf(means);
    return mean !== null && Number.isFinite(mean) ? mean : null;
  });
}
