import type { Trace } from '../../../../generated/trace.ts';
import { formatNumber, sum } from '../../../core/index.ts';
import { readTokenUsage } from '../../../trace/model/index.ts';

export { readCost, readTokenUsage, type TraceTimes, toTraceTimes } from '../../../trace/model/index.ts';

type ReportedTrace = Pick<Trace, 'metadata' | 'rollout_info'>;

/** Returns the total tokens of the traces that report them; undefined if none does. */
export function totalTokens(traces: readonly ReportedTrace[]): number | undefined {
  const given = traces.flatMap((trace) => readTokenUsage(trace)?.total ?? []);
  return given.length === 0 ? undefined : sum(given);
}

/** Reads the comparative reward of a rollout within its group, which runs add to the metadata. */
export const readGroupReward = ({ metadata: { group_reward } }: ReportedTrace): number | undefined =>
  typeof group_reward === 'number' ? group_reward : undefined;

/** Reads the note that a user has added to a trace; empty if there is none. */
export const readNote = ({ metadata: { note } }: Pick<Trace, 'metadata'>): string =>
  typeof note === 'string' ? note : '';

/** Formats a cost in US dollars with the digits that matter: `$1.25`, `$0.0042`. */
export const formatCost = (usd: number): string => `$${usd >= 1 ? usd.toFixed(2) : formatNumber(usd, 2)}`;

/** Formats the known parts of a task: `gsm8k test[12]`. */
export function formatTaskName(task: ListedTask): string {
  const { environment, split, task_index, task_key } = task;
  const index = task_index !== null ? `[${task_index}]` : task_key !== null ? ` ${task_key.slice(0, 8)}` : '';
  return `${[environment, split].filter(Boolean).join(' ')}${index}` || '–';
}

/** Task of a trace or a group. */
export type ListedTask = Pick<Trace, 'environment' | 'split' | 'task_index' | 'task_key'>;
