import { OrsClientError, OrsConnectionError, type RemoteEnvironment, type TaskHandle } from '../../client/index.ts';
import { canonicalJson, sleep } from '../../core/index.ts';
import { getTaskAt } from '../../environment/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import { errorDetail } from '../../trial/index.ts';
import type { Evidence, LifecycleEvidence, SplitEvidence, TaskEvidence, TaskListing } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import { createReturnObserver } from './come-back.ts';
import { observeLifecycle } from './lifecycle.ts';
import type { ValidatedEnvironment } from './plan.ts';
import { playEpisode } from './play-episode.ts';
import { playTask, type SampledTask } from './play-task.ts';
import { createTrialInputs, type TrialInputRegistry } from './trial-inputs.ts';

/** Time for errors of calls that are still running to surface. */
const LATE_ERRORS_MS = 50;
/** Maximum number of tasks that are compared. */
const MAX_LISTED = 200;
const SMALL_PAGE = 7;

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

/**
 * Lists the same tasks in several ways: in one page, again, in small pages, the sampled ones by index, and from a second
 * copy of the environment.
 */
async function listSplit(
  remote: RemoteEnvironment,
  secondCopy: RemoteEnvironment | undefined,
  split: string,
  sampled: readonly number[],
  { signal }: ValidationSettings,
): Promise<TaskListing[]> {
  const stop = Math.min(await remote.countTasks(split, { signal }), MAX_LISTED);
  const list = async (description: string, from: RemoteEnvironment, pageSize?: number): Promise<TaskListing> => {
    const tasks = new Map<number, string>();
    const add = ({ index, task }: TaskHandle) => tasks.set(index, canonicalJson(task));
    if (pageSize === undefined) {
      for (const index of sampled) add(await from.task(split, index, { signal }));
    } else {
      for await (const task of from.tasks(split, { stop, pageSize, signal })) add(task);
    }
    const count = await from.countTasks(split, { signal });
    return { description, isPaged: pageSize !== undefined, count, tasks };
  };
  const whole = Math.max(1, stop);
  const listings = [
    await list('in one page', remote, whole),
    await list('in one page again', remote, whole),
    await list(`in pages of ${SMALL_PAGE}`, remote, SMALL_PAGE),
    await list('one by one', remote),
    await list('one by one again', remote),
  ];
  if (secondCopy) {
    listings.push(await list('from a second copy of the module', secondCopy, whole));
    listings.push(await list('one by one from a second copy of the module', secondCopy));
  }
  return listings;
}

/** Requests tasks and an episode beyond the last task. */
async function requestOutOfRangeTasks(
  remote: RemoteEnvironment,
  split: string,
  count: number,
  settings: ValidationSettings,
): Promise<SplitEvidence['outOfRange']> {
  const requested = [];
  for (const index of [count, count + 1_000_000]) {
    const refused = await isRejected(() => remote.task(split, index, { signal: settings.signal }), settings);
    requested.push({ description: 'the task', index, refused });
  }
  const run = await playEpisode(remote, { split, index: count }, { kind: 'idle' }, settings);
  return [...requested, { description: 'an episode of the task', index: count, refused: run.failure !== undefined }];
}

async function isRejected(request: () => Promise<unknown>, { signal }: ValidationSettings): Promise<boolean> {
  try {
    await request();
    return false;
  } catch (error) {
    signal.throwIfAborted();
    // The client throws a RangeError if it looked up the index in the whole list.
    const isRejection = error instanceof RangeError || error instanceof OrsClientError;
    if (!isRejection || error instanceof OrsConnectionError) throw error;
    return true;
  }
}

/** Collects uncaught errors, which would end the process of a server, until it is disposed. */
export function collectUncaughtErrors() {
  const errors: string[] = [];
  const onUncaught = (thrown: unknown) => void errors.push(describeThrown(thrown, 'message'));
  process.on('uncaughtException', onUncaught);
  return { errors, [Symbol.dispose]: () => void process.off('uncaughtException', onUncaught) };
}
