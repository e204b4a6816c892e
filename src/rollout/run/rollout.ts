import type { OrsClient, RemoteEnvironment } from '../../client/index.ts';
import type { Agent, PlayedTask } from '../agent.ts';
import type { EpisodeRecord, FailureKind, FailureRecord } from '../episode/episode-record.ts';
import { playAll } from './play-all.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunPlan, TaskChoice } from './run-plan.ts';
import type { RunTraces } from './run-traces.ts';
import { type RunResults, summarize } from './summarize.ts';

export interface RolloutOptions {
  /** Of the server that the plan names. */
  readonly client: OrsClient;
  readonly folder: RunFolder;
  readonly agent: Agent;
  /** For the environment; kept nowhere. Default: none. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Episodes at a time. Default: 64. */
  readonly concurrency?: number;
  /** How often an episode is played at most where it fails. Default: 3. */
  readonly attempts?: number;
  /** Default: episodes are not recorded. */
  readonly traces?: RunTraces;
  /** Told at the beginning, and after each episode. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Interrupts the run, which can be gone on with. */
  readonly signal?: AbortSignal;
}

export interface RunProgress {
  readonly ended: number;
  readonly planned: number;
  /** Episodes that were given up. */
  readonly failed: number;
  /** The mean of the scores so far; null without any. */
  readonly mean: number | null;
}

/** What came of a run, and what ended it before its end, if anything did. */
export interface RunEnd {
  readonly results: RunResults;
  readonly stopped: unknown;
}

/**
 * Plays what is missing of a run: each episode of its plan that has not ended yet. What has ended is in the folder, and
 * its trace in the store, before anything else is told of it; so a run can be stopped at any moment, in any way.
 *
 * @throws what the server says to a split or environment that it does not have; Error of the disk.
 */
export async function rollout(options: RolloutOptions): Promise<RunEnd> {
  const { client, folder, agent, traces, secrets = {}, concurrency = 64, attempts = 3 } = options;
  const { plan } = folder;
  const { signal = new AbortController().signal } = options;
  const environment = client.environment(plan.environment);
  const planned = countPlanned(plan, await environment.countTasks(plan.split, { signal }));
  const ended = new Map(folder.ended.map((record) => [keyOf(record), record]));
  await traces?.removeOthers(new Set(folder.ended.flatMap(({ trace_id }) => trace_id ?? [])));

  const failures: Partial<Record<FailureKind, number>> = {};
  const count = ({ kind }: FailureRecord) => {
    failures[kind] = (failures[kind] ?? 0) + 1;
  };
  folder.failures.forEach(count);
  const tally = createTally(folder.ended, planned, options.onProgress);
  const { turns, tokens, seconds } = plan.limits;
  const stopped = await playAll({
    ...{ environment, agent, secrets, concurrency, attempts, traces, signal, reducer: plan.reducer },
    episodes: episodesOf(environment, plan, (key) => ended.has(key), signal),
    limits: { turns, tokens: tokens ?? Infinity, ms: (seconds ?? Infinity) * 1000 },
    labels: { environment: environment.name, split: plan.split, model: plan.agent },
    async onEnded(record) {
      await folder.addEnded(record);
      ended.set(keyOf(record), record);
      tally.ended(record);
    },
    async onFailure(failure) {
      await folder.addFailure(failure);
      count(failure);
      if (!failure.retried) tally.failed();
    },
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const results = summarize(plan, planned, [...ended.values()], failures);
  await folder.writeResults(results);
  return { results, stopped };
}

const keyOf = ({ task, sample }: Pick<EpisodeRecord, 'task' | 'sample'>): string => `${task}/${sample}`;

const countPlanned = ({ tasks, samples }: RunPlan, count: number): number =>
  samples * rangesWithin(tasks, count).reduce((sum, { start, stop }) => sum + (stop - start), 0);

const rangesWithin = (tasks: TaskChoice, count: number) =>
  tasks.map(({ start, stop }) => ({ start: Math.min(start, count), stop: Math.min(stop ?? count, count) }));

/** The samples of a task follow each other, so that its group is soon whole. */
async function* episodesOf(
  environment: RemoteEnvironment,
  { split, tasks, samples }: RunPlan,
  hasEnded: (key: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<{ readonly task: PlayedTask; readonly sample: number }> {
  for (const { start, stop } of tasks) {
    for await (const task of environment.tasks(split, { start, ...(stop !== null && { stop }), signal })) {
      for (let sample = 0; sample < samples; sample++)
        if (!hasEnded(keyOf({ task: task.index, sample }))) yield { task, sample };
    }
  }
}

function createTally(before: readonly EpisodeRecord[], planned: number, onProgress: RolloutOptions['onProgress']) {
  let [count, sum, failed] = [before.length, before.reduce((sum, { score }) => sum + score, 0), 0];
  const tell = () => onProgress?.({ ended: count, planned, failed, mean: count === 0 ? null : sum / count });
  tell();
  return {
    ended({ score }: EpisodeRecord): void {
      count++;
      sum += score;
      tell();
    },
    failed(): void {
      failed++;
      tell();
    },
  };
}
