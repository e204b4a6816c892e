import type { RemoteEnvironment } from '../../client/index.ts';
import { sum } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { TaskInstance } from '../agent.ts';
import type { EpisodeRecord } from '../episode/episode-record.ts';
import type { RunPlan, TaskRanges } from './run-plan.ts';

/** An episode of a plan. */
export interface PlannedEpisode {
  readonly task: TaskInstance;
  /** SHA-256 of what the server shows of the task. */
  readonly taskHash: string;
  readonly sample: number;
}

/** How many episodes a plan has, of a split with so many tasks. @throws Error where that is none. */
export function countPlanned({ tasks, samples, split, environment }: RunPlan, count: number): number {
  const of = `split '${split}' of '${environment}'`;
  if (count === 0) throw new Error(`there is nothing to play: ${of} has no tasks`);
  const beyond = tasks.find(({ start }) => start >= count);
  if (beyond) throw new Error(`there is no task ${beyond.start}: ${of} has ${count}, from 0 to ${count - 1}`);
  return samples * sum(within(tasks, count).map(({ start, stop }) => stop - start));
}

const within = (tasks: TaskRanges, count: number) =>
  tasks.map(({ start, stop }) => ({ start, stop: Math.min(stop ?? count, count) }));

/** The samples of a task follow each other, so that its group is soon whole. */
export async function* listEpisodes(
  environment: RemoteEnvironment,
  { split, tasks, samples }: RunPlan,
  signal: AbortSignal,
): AsyncGenerator<PlannedEpisode> {
  for (const { start, stop } of tasks) {
    for await (const task of environment.tasks(split, { start, ...(stop !== null && { stop }), signal })) {
      const taskHash = sha256OfJson(task.task);
      // All samples have the same one, and an agent of one of them must not change it for the others.
      const frozen = deepFreeze({ ...task });
      for (let sample = 0; sample < samples; sample++) yield { task: frozen, taskHash, sample };
    }
  }
}

/**
 * Holds the environment to what it was when the run began: as many tasks, and those that were played are the same.
 *
 * @throws Error that says what changed.
 */
export async function assertUnchanged(
  environment: RemoteEnvironment,
  { split, task_count }: RunPlan,
  { count, ended, signal }: { count: number; ended: readonly EpisodeRecord[]; signal: AbortSignal },
): Promise<void> {
  const advice = 'its rewards would not compare, so begin a new run in another folder';
  if (task_count !== undefined && task_count !== count) {
    const what = `split '${split}' of '${environment.name}' had ${task_count} tasks when the run began, and has ${count}`;
    throw new Error(`${what}; ${advice}`);
  }
  const played = new Map(ended.map(({ task, task_hash }) => [task, task_hash]));
  if (played.size === 0) return;
  const indexes = [...played.keys()].sort((one, other) => one - other);
  const range = { start: indexes[0] ?? 0, stop: (indexes.at(-1) ?? 0) + 1, signal };
  for await (const task of environment.tasks(split, range)) {
    const before = played.get(task.index);
    played.delete(task.index);
    if (before === undefined || before === sha256OfJson(task.task)) continue;
    const what = `task ${task.index} of split '${split}' of '${environment.name}' is another than the one that was played`;
    throw new Error(`${what}; ${advice}`);
  }
  const [gone] = played.keys();
  if (gone === undefined) return;
  throw new Error(
    `split '${split}' of '${environment.name}' has no task ${gone} any more, which was played; ${advice}`,
  );
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
