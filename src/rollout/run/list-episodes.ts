import type { RemoteEnvironment, TaskHandle } from '../../client/index.ts';
import { sum } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { EpisodeRecord } from '../episode/episode-record.ts';
import type { RunPlan } from './run-files.ts';

/** Episode of a plan. */
export interface PlannedEpisode {
  readonly task: TaskHandle;
  /** SHA-256 of the public task. */
  readonly taskHash: string;
  readonly sample: number;
}

/**
 * Returns the number of episodes of a plan.
 *
 * @param count the number of tasks in the split.
 * @throws Error if there are none.
 * @example
 * const planned = countPlanned(plan, await client.environment(plan.environment).countTasks(plan.split));
 */
export function countPlanned({ tasks, samples, split, environment }: RunPlan, count: number): number {
  const subject = `split '${split}' of '${environment}'`;
  if (count === 0) throw new Error(`there is nothing to play: ${subject} has no tasks`);
  const beyond = tasks.find(({ start }) => start >= count);
  if (beyond) throw new Error(`invalid task ${beyond.start}: ${subject} has ${count} tasks, from 0 to ${count - 1}`);
  return samples * sum(tasks.map(({ start, stop }) => Math.min(stop ?? count, count) - start));
}

/** Key of an episode in its run. */
export const episodeKey = ({ task, sample }: Pick<EpisodeRecord, 'task' | 'sample'>): string => `${task}/${sample}`;

/**
 * Lists the episodes of a plan that have not ended. The samples of a task follow each other, so that its group is complete
 * early.
 *
 * @param ended has the keys of the episodes that have ended.
 */
export async function* listMissingEpisodes(
  environment: RemoteEnvironment,
  { split, tasks, samples }: RunPlan,
  ended: Pick<ReadonlyMap<string, unknown>, 'has'>,
  signal: AbortSignal,
): AsyncGenerator<PlannedEpisode> {
  for (const { start, stop } of tasks) {
    for await (const task of environment.tasks(split, { start, ...(stop !== null && { stop }), signal })) {
      const taskHash = sha256OfJson(task.task);
      // Shared by all samples, so no agent may change it.
      const frozen = deepFreeze({ ...task });
      for (let sample = 0; sample < samples; sample++) {
        if (!ended.has(episodeKey({ task: task.index, sample }))) yield { task: frozen, taskHash, sample };
      }
    }
  }
}

/**
 * Asserts that the environment is the same as when the run began: as many tasks, and the same ones as those played.
 *
 * @throws Error that names the difference.
 */
export async function assertUnchanged(
  environment: RemoteEnvironment,
  { split, task_count }: RunPlan,
  { count, ended, signal }: { count: number; ended: readonly EpisodeRecord[]; signal: AbortSignal },
): Promise<void> {
  const subject = `split '${split}' of '${environment.name}'`;
  const advice = 'the rewards would not be comparable, so start a new run in another folder';
  if (task_count !== undefined && task_count !== count) {
    throw new Error(`${subject} had ${task_count} tasks when the run began, and now has ${count}; ${advice}`);
  }
  const played = new Map(ended.map(({ task, task_hash }) => [task, task_hash]));
  if (played.size === 0) return;
  const indexes = [...played.keys()].sort((one, other) => one - other);
  const range = { start: indexes[0] ?? 0, stop: (indexes.at(-1) ?? 0) + 1, signal };
  for await (const task of environment.tasks(split, range)) {
    const hash = played.get(task.index);
    played.delete(task.index);
    if (hash === undefined || hash === sha256OfJson(task.task)) continue;
    throw new Error(`task ${task.index} of ${subject} differs from the one that was played; ${advice}`);
  }
  const [missing] = played.keys();
  if (missing === undefined) return;
  throw new Error(`task ${missing} of ${subject} was played, and no longer exists; ${advice}`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
