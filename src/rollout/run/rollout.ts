import type { JSONObject, TraceInput } from '../../../generated/trace.ts';
import type { OrsClient, RemoteEnvironment } from '../../client/index.ts';
import { abortable, createRedactor, definedFields, fieldsOf, sum } from '../../core/index.ts';
import type { Agent } from '../agent.ts';
import type { EpisodeRecord, FailureKind, FailureRecord } from '../episode/episode-record.ts';
import { assertUnchanged, countPlanned, episodeKey, listMissingEpisodes } from './list-episodes.ts';
import { playAll } from './play-all.ts';
import type { RunPlan } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunTraces } from './run-traces.ts';
import { createGroupScorer } from './score-groups.ts';
import { type FailureReason, type RunResults, summarizeRun } from './summarize.ts';

/**
 * Options for `rollout`.
 *
 * @example
 * const options: RolloutOptions = { client, folder, agent, concurrency: 16, onProgress: ({ mean }) => console.log(mean) };
 */
export interface RolloutOptions {
  /** Client of the server that the plan names. */
  readonly client: OrsClient;
  readonly folder: RunFolder;
  readonly agent: Agent;
  /** Secrets for the environment; never stored. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Number of concurrent episodes. @default 64 */
  readonly concurrency?: number;
  /** Maximum number of attempts of an episode. @default 3 */
  readonly attempts?: number;
  /** Traces in which the episodes are recorded. @default none */
  readonly traces?: RunTraces;
  /** Called at the start, after each episode, and when the comparison of a group begins or ends. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Receives warnings, one sentence each. */
  readonly onNotice?: (notice: string) => void;
  /** Redacts further secrets in texts before they are written, such as API keys. `secrets` are always redacted. */
  readonly redact?: (text: string) => string;
  /** Interrupts the run, which can be resumed. */
  readonly signal?: AbortSignal;
}

/**
 * State of a run.
 *
 * @example
 * const onProgress = ({ ended, planned, mean }: RunProgress) => console.error(`${ended}/${planned}: ${mean}`);
 * await rollout({ client, folder, agent, onProgress });
 */
export interface RunProgress {
  /** Number of episodes that have ended, failed ones included. */
  readonly ended: number;
  /** Number of episodes of the plan. */
  readonly planned: number;
  /** Number of episodes of which all attempts failed. */
  readonly failed: number;
  /** Number of groups whose rollouts are being compared, or wait for it. */
  readonly comparing: number;
  /** Mean of the scores so far; null if there are none. */
  readonly mean: number | null;
}

/**
 * Outcome of `rollout`.
 *
 * @example
 * const { results, error }: RolloutOutcome = await rollout({ client, folder, agent });
 * if (error !== undefined) console.error('resume the run later', error);
 */
export interface RolloutOutcome {
  readonly results: RunResults;
  /** Error that ended the run early; undefined if it is complete. */
  readonly error: unknown;
}

/**
 * Plays the episodes of a plan that have not ended yet. Each one is in the folder, and its trace in the store, before its
 * end is reported, so a run can be killed at any time and resumed.
 *
 * @throws errors of the server for an unknown environment or split; Error if the plan selects no task, or the environment
 * has changed since the run began; the signal's reason before the first episode.
 * @example
 * await using folder = await createRunFolder('runs/maze', plan);
 * const { results, error } = await rollout({ client, folder, agent });
 */
export async function rollout(options: RolloutOptions): Promise<RolloutOutcome> {
  const { client, folder, agent, traces, secrets = {}, concurrency = 64, attempts = 3 } = options;
  const { plan } = folder;
  const { signal = new AbortController().signal } = options;
  const environment = client.environment(plan.environment);
  const count = await environment.countTasks(plan.split, { signal });
  const planned = await prepareRun(options, environment, { count, signal });
  const ended = new Map(folder.completed.map((record) => [episodeKey(record), record]));
  const failures = countFailures(folder.failures);
  let failed = 0;
  let total = sum(folder.completed.map(({ score }) => score));
  const notify = () => {
    const mean = ended.size === 0 ? null : total / ended.size;
    options.onProgress?.({ ended: ended.size, planned, failed, comparing: scorer.comparing(), mean });
  };
  const { turns, tokens, seconds } = plan.limits;
  const redactor = createRedactor(secrets);
  const { redact = (text: string) => text } = options;
  const redactAll = (text: string) => redact(redactor.text(text));
  const scorer = createGroupScorer({
    environment,
    folder,
    secrets,
    concurrency,
    attempts,
    traces,
    signal,
    redact: redactAll,
    onNotice: options.onNotice,
    onChange: notify,
  });
  notify();
  scorer.addCompleted();

  const error = await errorOf(
    playAll({
      environment,
      agent,
      secrets,
      toolset: plan.toolset,
      branch: plan.branch,
      concurrency,
      attempts,
      traces,
      signal,
      reducer: plan.reducer,
      episodes: listMissingEpisodes(environment, plan, ended, signal),
      limits: Object.freeze({ turns, tokens: tokens ?? Infinity, ms: (seconds ?? Infinity) * 1000 }),
      labels: traceLabels(plan, environment.name),
      redact: redactAll,
      async onCompleted(record, messages) {
        const isCompared = messages !== undefined && plan.samples > 1;
        // Before the record, so that a run that is killed between them can compare the episode later.
        if (isCompared) await folder.addCandidate({ task: record.task, sample: record.sample, messages });
        await folder.addCompleted(record);
        if (isCompared) scorer.add(record, messages);
        ended.set(episodeKey(record), record);
        total += record.score;
        notify();
      },
      async onFailure(failure) {
        await folder.addFailure(failure);
        failures.add(failure);
        if (failure.retried) return;
        failed += 1;
        notify();
      },
    }),
  );
  const scoringError = await errorOf(scorer.settled());
  const results = summarizeRun(plan, planned, [...ended.values()], failures.totals(), scorer.records());
  const writeError = await errorOf(folder.writeResults(results));
  return { results, error: error ?? scoringError ?? writeError };
}

/**
 * Compares the environment with the plan, and removes traces of interrupted episodes.
 *
 * @returns the number of planned episodes.
 */
async function prepareRun(
  { folder: { plan, completed }, traces, onNotice }: RolloutOptions,
  environment: RemoteEnvironment,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<number> {
  await assertUnchanged(environment, plan, { count, ended: completed, signal });
  const planned = countPlanned(plan, count);
  const recorded = new Set(completed.flatMap(tracesOf));
  const missing = (await abortable(signal, () => traces?.removeOthers(plan.id ?? '', recorded))) ?? [];
  if (missing.length > 0) {
    const problem = `${missing.length} of the ${recorded.size} traces of completed episodes are no longer in the store`;
    onNotice?.(`${problem}, such as ${missing[0]}; the rewards of these episodes still count`);
  }
  return planned;
}

/** Returns the ids of the traces of an episode: its own, and those of its continuations. */
const tracesOf = ({ trace_id, branches = [] }: EpisodeRecord): string[] =>
  [{ trace_id }, ...branches.flatMap(({ continuations }) => continuations)].flatMap(({ trace_id }) => trace_id ?? []);

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Fields of each trace that describe its run. */
function traceLabels({ split, agent, step, id, settings }: RunPlan, environment: string): TraceInput {
  const { temperature, top_p, max_output_tokens } = fieldsOf(settings.agent);
  const sampling = definedFields({ temperature, top_p, max_output_tokens }) as JSONObject;
  const metadata = { ...(id !== undefined && { run_id: id }), ...(Object.keys(sampling).length > 0 && { sampling }) };
  return { environment, split, model: agent, step: step ?? null, metadata };
}

/** Number of failure reasons in the results. */
const MAX_REASONS = 5;
/** Maximum number of different reasons that are counted: each message may contain a different number. */
const MAX_COUNTED_REASONS = 1_000;

/** Counts failed attempts by kind and by message. */
function countFailures(before: readonly FailureRecord[]) {
  const kinds: Partial<Record<FailureKind, number>> = {};
  const reasons = new Map<string, FailureReason>();
  const add = ({ kind, message }: FailureRecord) => {
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const known = reasons.get(`${kind} ${message}`);
    if (!known && reasons.size >= MAX_COUNTED_REASONS) return;
    reasons.set(`${kind} ${message}`, { kind, message, count: (known?.count ?? 0) + 1 });
  };
  before.forEach(add);
  return {
    add,
    totals(): Pick<RunResults, 'failures' | 'failure_reasons'> {
      const sorted = [...reasons.values()].sort((one, other) => other.count - one.count);
      return { failures: { ...kinds }, failure_reasons: sorted.slice(0, MAX_REASONS) };
    },
  };
}
