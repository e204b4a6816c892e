import { OrsConnectionError } from '../../client/index.ts';
import { sleep } from '../../core/index.ts';
import { getTaskAt } from '../../environment/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import type { Evidence, LifecycleEvidence, SplitEvidence, TaskEvidence, TaskListing } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import type { ValidatedEnvironment } from '../target.ts';
import { observeLifecycle } from './lifecycle.ts';
import { listSplit, requestOutOfRangeTasks } from './list-split.ts';
import type { EnvironmentPlan, SplitPlan } from './plan.ts';
import { errorDetail } from './play-episode.ts';
import { playTask } from './play-task.ts';
import { createTrialInputs, type TrialInputRegistry } from './trial-inputs.ts';

export interface EvidenceCollector {
  /** Evidence so far; grows while it is collected. */
  readonly evidence: Evidence;
  /** Plays everything. Rejects if the signal aborts, or the server cannot be reached. */
  collect(onTask: () => void): Promise<void>;
}

/** Time for errors of calls that are still running to surface. */
const LATE_ERRORS_MS = 50;

interface KnownEvidence extends Pick<Evidence, 'maxReward' | 'secondCopyFailure'> {
  readonly uncaughtErrors: UncaughtErrorCollector | undefined;
}

/** Evidence of a split that is being collected. */
interface SplitEvidenceDraft extends SplitEvidence {
  failure: string | undefined;
  listings: TaskListing[];
  outOfRange: SplitEvidence['outOfRange'];
  readonly tasks: TaskEvidence[];
}

/** Creates the collector of one environment. */
export function createEvidenceCollector(
  plan: EnvironmentPlan,
  settings: ValidationSettings,
  { uncaughtErrors, maxReward, secondCopyFailure }: KnownEvidence,
): EvidenceCollector {
  const { source, remote } = plan.environment;
  const trials = createTrialInputs(settings.inputs);
  const lifecycles: LifecycleEvidence[] = [];
  const uncaught: string[] = [];
  const splits = plan.splits.map(({ name, count, failure }): SplitEvidenceDraft => {
    return { name, count, failure, listings: [], outOfRange: [], tasks: [] };
  });
  return {
    evidence: {
      environment: remote.name,
      hasSource: source !== undefined,
      hasSolve: source?.hooks.solve !== undefined,
      maxReward,
      tools: trials.tools,
      untriedTools: trials.untried,
      splits,
      lifecycles,
      secondCopyFailure,
      uncaught,
    },
    async collect(onTask) {
      try {
        await trials.addTools(await remote.tools({ signal: settings.signal }));
        lifecycles.push(...(await collectLifecycles(plan, trials, settings)));
        for (const [at, split] of plan.splits.entries()) {
          await collectSplit(plan.environment, split, splits[at] as SplitEvidenceDraft, trials, settings, onTask);
        }
        if (uncaughtErrors) await sleep(LATE_ERRORS_MS, settings.signal);
      } finally {
        uncaught.push(...(uncaughtErrors?.take() ?? []));
      }
    },
  };
}

/** Observes the lifecycle of the first sampled task. */
async function collectLifecycles(
  { environment: { source }, splits }: EnvironmentPlan,
  trials: TrialInputRegistry,
  settings: ValidationSettings,
): Promise<readonly LifecycleEvidence[]> {
  const split = splits.find(({ sampled }) => sampled.length > 0);
  if (!source || !split) return [];
  try {
    return await observeLifecycle(source, split.name, split.sampled[0] ?? 0, trials, settings);
  } catch (error) {
    settings.signal.throwIfAborted();
    const failures = [errorDetail(error)];
    return [{ how: 'started', split: split.name, index: 0, failures, leakedResources: [], episodes: 1 }];
  }
}

async function collectSplit(
  environment: ValidatedEnvironment,
  { name, count, sampled }: SplitPlan,
  evidence: SplitEvidenceDraft,
  trials: TrialInputRegistry,
  settings: ValidationSettings,
  onTask: () => void,
): Promise<void> {
  if (count === undefined) return;
  const { remote, secondCopy, source } = environment;
  try {
    evidence.listings = await listSplit(remote, secondCopy, name, sampled, settings);
    evidence.outOfRange = await requestOutOfRangeTasks(remote, name, count, settings);
    for (const index of sampled) {
      const { task: publicTask } = await remote.task(name, index, { signal: settings.signal });
      const fullTask = source && (await getTaskAt(source, name, index));
      const task = { split: name, index, publicTask, fullTask, isFirst: index === sampled[0] };
      evidence.tasks.push(await playTask(environment, task, trials, settings));
      onTask();
    }
  } catch (error) {
    settings.signal.throwIfAborted();
    if (error instanceof OrsConnectionError) throw error;
    evidence.failure = errorDetail(error);
  }
}

export interface UncaughtErrorCollector extends Disposable {
  /** Returns and forgets the errors so far. */
  take(): string[];
}

/** Collects uncaught errors, which would end the process of a server. */
export function collectUncaughtErrors(): UncaughtErrorCollector {
  const errors: string[] = [];
  const onUncaught = (thrown: unknown) => void errors.push(describeThrown(thrown, 'message'));
  process.on('uncaughtException', onUncaught);
  return {
    take: () => errors.splice(0),
    [Symbol.dispose]: () => void process.off('uncaughtException', onUncaught),
  };
}
