import { OrsClientError, OrsConnectionError } from '../../client/index.ts';
import { sleep } from '../../core/index.ts';
import { getTaskAt } from '../../environment/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { errorDetail } from '../../trial/index.ts';
import type { Evidence, LifecycleEvidence, SplitEvidence, TaskEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import { createReturnObserver } from './come-back.ts';
import { observeLifecycle } from './lifecycle.ts';
import { listSplit, requestOutOfRangeTasks } from './list-split.ts';
import type { ValidatedEnvironment } from './plan.ts';
import { playTask, type SampledTask } from './play-task.ts';
import { createTrialInputs, type TrialInputRegistry } from './trial-inputs.ts';

/** Time for errors of calls that are still running to surface. */
const LATE_ERRORS_MS = 50;

/**
 * Creates the collector of one environment. `evidence` grows while `collect` plays everything. `collect` rejects if the
 * signal aborts or the server cannot be reached.
 *
 * @param uncaughtErrors errors so far; moved to the evidence.
 */
export function createEvidenceCollector(
  environment: ValidatedEnvironment,
  splits: readonly SplitEvidence[],
  settings: ValidationSettings,
  known: Pick<Evidence, 'maxReward' | 'secondCopyFailure'>,
  uncaughtErrors: string[],
) {
  const { source, remote } = environment;
  const trials = createTrialInputs(settings.inputs);
  const observeReturns = createReturnObserver(source, trials, settings);
  const lifecycles: LifecycleEvidence[] = [];
  const uncaught: string[] = [];
  const evidence: Evidence = {
    ...known,
    environment: remote.name,
    hasSource: source !== undefined,
    hasSolve: source?.hooks.solve !== undefined,
    durability: source?.durability,
    tools: trials.tools,
    missingSecrets: [],
    untriedTools: trials.untried,
    splits,
    lifecycles,
    uncaught,
  };
  async function collect(onTask: () => void): Promise<void> {
    try {
      await trials.addTools(await remote.tools({ signal: settings.signal }));
      evidence.missingSecrets = await findMissingSecrets(environment, settings);
      lifecycles.push(...(await collectLifecycles(environment, splits, trials, settings)));
      const play = async (task: SampledTask) => {
        const played = await playTask(environment, task, trials, settings);
        return { ...played, returns: await observeReturns?.(task) };
      };
      for (const split of splits) await collectSplit(environment, split, play, settings, onTask);
      if (source) await sleep(LATE_ERRORS_MS, settings.signal);
    } finally {
      uncaught.push(...uncaughtErrors.splice(0));
    }
  }
  return { evidence, collect };
}

/** Returns the secrets that the environment needs and the run does not have. Servers may not list them. */
async function findMissingSecrets(
  { remote }: ValidatedEnvironment,
  { secrets, signal }: ValidationSettings,
): Promise<readonly string[]> {
  const needed = await remote.requiredSecrets({ signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof OrsClientError) return [];
    throw error;
  });
  return needed.filter((name) => !Object.hasOwn(secrets, name));
}

/** Observes the lifecycle of the first sampled task. */
async function collectLifecycles(
  { source }: ValidatedEnvironment,
  splits: readonly SplitEvidence[],
  trials: TrialInputRegistry,
  settings: ValidationSettings,
): Promise<readonly LifecycleEvidence[]> {
  const split = splits.find(({ sampled }) => sampled.length > 0);
  if (!source || !split) return [];
  const index = split.sampled[0] ?? 0;
  try {
    return await observeLifecycle({ environment: source, split: split.name, index, trials, settings });
  } catch (error) {
    settings.signal.throwIfAborted();
    const failures = [errorDetail(error)];
    return [{ how: 'started', split: split.name, index: 0, failures, leakedResources: [], episodes: 1 }];
  }
}

async function collectSplit(
  environment: ValidatedEnvironment,
  split: SplitEvidence,
  play: (task: SampledTask) => Promise<TaskEvidence>,
  settings: ValidationSettings,
  onTask: () => void,
): Promise<void> {
  const { name, count, sampled } = split;
  if (count === undefined) return;
  const { remote, secondCopy, source } = environment;
  try {
    split.listings = await listSplit(remote, secondCopy, name, sampled, settings);
    split.outOfRange = await requestOutOfRangeTasks(remote, name, count, settings);
    for (const index of sampled) {
      const { task: publicTask } = await remote.task(name, index, { signal: settings.signal });
      const fullTask = source && (await getTaskAt(source, name, index));
      const task = { split: name, index, publicTask, fullTask, isFirst: index === sampled[0] };
      split.tasks.push(await play(task));
      onTask();
    }
  } catch (error) {
    settings.signal.throwIfAborted();
    if (error instanceof OrsConnectionError) throw error;
    split.failure = errorDetail(error);
  }
}

/** Collects uncaught errors, which would end the process of a server, until it is disposed. */
export function collectUncaughtErrors() {
  const errors: string[] = [];
  const onUncaught = (thrown: unknown) => void errors.push(describeThrown(thrown, 'message'));
  process.on('uncaughtException', onUncaught);
  return { errors, [Symbol.dispose]: () => void process.off('uncaughtException', onUncaught) };
}
