import type { OrsClient, RemoteEnvironment } from '../../client/index.ts';
import { abortable, createRedactor } from '../../core/index.ts';
import type { Agent } from '../agent.ts';
import type { EpisodeRecord } from '../episode/episode-record.ts';
import { countFailures } from './count-failures.ts';
import { assertUnchanged, countPlanned, listEpisodes } from './list-episodes.ts';
import { playAll } from './play-all.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunTraces } from './run-traces.ts';
import { type RunResults, summarizeRun } from './summarize.ts';

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
  /** Told what is no failure, and yet not as it should be: one sentence. */
  readonly onNotice?: (notice: string) => void;
  /** Takes out of a text what nobody may read, such as a key, before it is written. `secrets` are taken out anyway. */
  readonly redact?: (text: string) => string;
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
export interface RolloutOutcome {
  readonly results: RunResults;
  readonly error: unknown;
}

/**
 * Plays what is missing of a run: each episode of its plan that has not ended yet. What has ended is in the folder, and
 * its trace in the store, before anything else is told of it; so a run can be stopped at any moment, in any way.
 *
 * @throws what the server says to a split or environment that it does not have; Error where the plan has no task that is
 * there, or the environment is not what it was when the run began; the signal's reason, as long as nothing is played.
 */
export async function rollout(options: RolloutOptions): Promise<RolloutOutcome> {
  const { client, folder, agent, traces, secrets = {}, concurrency = 64, attempts = 3 } = options;
  const { plan } = folder;
  const { signal = new AbortController().signal } = options;
  const environment = client.environment(plan.environment);
  const count = await environment.countTasks(plan.split, { signal });
  const planned = await begin(options, environment, { count, signal });
  const ended = new Map(folder.completed.map((record) => [keyOf(record), record]));
  const failures = countFailures(folder.failures);
  const tally = createTally(folder.completed, planned, options.onProgress);
  const { turns, tokens, seconds } = plan.limits;
  const redactor = createRedactor(secrets);
  const stopped = await playAll({
    ...{ environment, agent, secrets, concurrency, attempts, traces, signal, reducer: plan.reducer },
    episodes: without(listEpisodes(environment, plan, signal), (episode) => ended.has(keyOf(episode))),
    limits: Object.freeze({ turns, tokens: tokens ?? Infinity, ms: (seconds ?? Infinity) * 1000 }),
    labels: labelsOf(plan, environment.name),
    redact: (text) => (options.redact ?? plain)(redactor.text(text)),
    async onCompleted(record) {
      await folder.addCompleted(record);
      ended.set(keyOf(record), record);
      tally.ended(record);
    },
    async onFailure(failure) {
      await folder.addFailure(failure);
      failures.add(failure);
      if (!failure.retried) tally.failed();
    },
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const results = summarizeRun(plan, planned, [...ended.values()], failures.totals());
  const unwritten = await folder.writeResults(results).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { results, error: stopped ?? unwritten };
}

/** Holds the plan to what is there, and takes away what was left half-way. @returns how many episodes are planned. */
async function begin(
  { folder: { plan, completed }, traces, onNotice }: RolloutOptions,
  environment: RemoteEnvironment,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<number> {
  await assertUnchanged(environment, plan, { count, ended: completed, signal });
  const planned = countPlanned(plan, count);
  const recorded = new Set(completed.flatMap(({ trace_id }) => trace_id ?? []));
  const gone = (await abortable(signal, () => traces?.removeOthers(plan.id ?? '', recorded))) ?? [];
  if (gone.length > 0) {
    const what = `${gone.length} of the ${recorded.size} traces of episodes that ended are not in the store any more`;
    onNotice?.(`${what}, such as ${gone[0]}; their rewards count all the same`);
  }
  return planned;
}

/** What every trace says of its run. */
const labelsOf = ({ split, agent, step, id }: RunPlan, environment: string) => ({
  ...{ environment, split, model: agent, step: step ?? null },
  ...(id !== undefined && { metadata: { run_id: id } }),
});

const plain = (text: string): string => text;

const keyOf = (of: { readonly task: number | { readonly index: number }; readonly sample: number }): string =>
  `${typeof of.task === 'number' ? of.task : of.task.index}/${of.sample}`;

async function* without<T>(items: AsyncIterable<T>, isLeftOut: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (!isLeftOut(item)) yield item;
}

function createTally(before: readonly EpisodeRecord[], planned: number, onProgress: RolloutOptions['onProgress']) {
  let [count, sum, failed] = [before.length, before.reduce((sum, { score }) => sum + score, 0), 0];
  const notify = () => onProgress?.({ ended: count, planned, failed, mean: count === 0 ? null : sum / count });
  notify();
  return {
    ended({ score }: EpisodeRecord): void {
      count++;
      sum += score;
      notify();
    },
    failed(): void {
      failed++;
      notify();
    },
  };
}
