import type { Trace } from '../../../../generated/trace.ts';
import { fieldsOf, isRecord, sum } from '../../../core/index.ts';

/** Times of a trace. An imported trace has new times, and its original ones in its metadata. */
export interface TraceTimes {
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Time of the import, if the trace was imported. */
  readonly imported_at: string | undefined;
}

export function toTraceTimes(trace: Pick<Trace, 'metadata' | 'created_at' | 'finished_at'>): TraceTimes {
  const { metadata, created_at, finished_at } = trace;
  const own = fieldsOf(metadata.imported);
  if (!isTime(own.created_at)) return { created_at, finished_at, imported_at: undefined };
  const finishedAt = isTime(own.finished_at) ? own.finished_at : null;
  return { created_at: own.created_at, finished_at: finishedAt, imported_at: created_at };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

type ReportedTrace = Pick<Trace, 'metadata' | 'rollout_info'>;

/** Returns the total tokens of the traces that report them; undefined if none does. */
export function totalTokens(traces: readonly ReportedTrace[]): number | undefined {
  const given = traces.flatMap((trace) => readTokenUsage(trace)?.total ?? []);
  return given.length === 0 ? undefined : sum(given);
}

/** Reads the comparative reward of a rollout within its group, which runs add to the metadata. */
export const readGroupReward = ({ metadata: { group_reward } }: ReportedTrace): number | undefined =>
  typeof group_reward === 'number' ? group_reward : undefined;

/** Token counts that a trace reports. */
interface TraceTokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number;
}

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'];
const TOTAL = ['total_tokens', 'totalTokens'];

/** Reads `usage` of the metadata or rollout_info of a trace, by the names that providers use. */
export function readTokenUsage({ metadata, rollout_info }: ReportedTrace): TraceTokenUsage | undefined {
  for (const fields of [metadata.usage, rollout_info.usage, metadata, rollout_info]) {
    if (!isRecord(fields)) continue;
    const [input, output, total] = [INPUT, OUTPUT, TOTAL].map((names) =>
      names.map((name) => fields[name]).find(isAmount),
    );
    if (input !== undefined || output !== undefined || total !== undefined)
      return { input, output, total: total ?? (input ?? 0) + (output ?? 0) };
  }
  return undefined;
}

/** Rejects negative and absurdly large counts. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** Formats the known parts of a task: `gsm8k test[12]`. */
export function formatTaskName(task: ListedTask): string {
  const { environment, split, task_index, task_key } = task;
  const index = task_index !== null ? `[${task_index}]` : task_key !== null ? ` ${task_key.slice(0, 8)}` : '';
  return `${[environment, split].filter(Boolean).join(' ')}${index}` || '–';
}

/** Task of a trace or a group. */
export type ListedTask = Pick<Trace, 'environment' | 'split' | 'task_index' | 'task_key'>;
