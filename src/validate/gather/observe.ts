import { OrsConnectionError } from '../../client/index.ts';
import { sleep } from '../../core/index.ts';
import { getTaskAt } from '../../environment/index.ts';
import type { Evidence, LifecycleEvidence, SplitEvidence, TaskEvidence, TaskListing } from '../evidence.ts';
import { requestOutOfRangeTasks } from './ask-beyond.ts';
import type { UncaughtErrorCollector } from './hear-uncaught.ts';
import { listSplit } from './list-split.ts';
import { observeLifecycle } from './live.ts';
import type { ValidationSettings } from './options.ts';
import type { EnvironmentPlan, SplitPlan } from './plan.ts';
import { detailOf } from './play-run.ts';
import { playTask, type ValidatedEnvironment } from './play-task.ts';
import { createTrials, type TrialInputRegistry } from './trials.ts';

/** A split that is being looked at. */
interface SplitEvidenceDraft extends SplitEvidence {
  failure: string | undefined;
  listings: TaskListing[];
  outOfRange: SplitEvidence['outOfRange'];
  readonly tasks: TaskEvidence[];
}

export interface EvidenceCollector {
  /** What was seen so far; grows while it is gathered. */
  readonly evidence: Evidence;
  /** Looks at everything. Rejects if the signal aborts, or the server cannot be reached. */
  collect(onTask: () => void): Promise<void>;
}

/** Gets ready to look at an environment. */
export function createEvidenceCollector(
  { subject, splits }: EnvironmentPlan,
  terms: ValidationSettings,
  {
    ears,
    ...known
  }: Pick<Evidence, 'maxReward' | 'secondCopyFailure'> & { readonly ears: UncaughtErrorCollector | undefined },
): EvidenceCollector {
  const { source, remote } = subject;
  const trials = createTrials(terms.inputs);
  const lives: LifecycleEvidence[] = [];
  const uncaught: string[] = [];
  const seen = splits.map(({ name, count, failure }): SplitEvidenceDraft => {
    return { name, count, failure, listings: [], outOfRange: [], tasks: [] };
  });
  const { tools, untried } = trials;
  const facts = { hasSource: source !== undefined, hasSolve: source?.hooks.solve !== undefined };
  return {
    evidence: {
      environment: remote.name,
      ...known,
      ...facts,
      tools,
      untriedTools: untried,
      splits: seen,
      lifecycles: lives,
      uncaught,
    },
    async collect(onTask) {
      try {
        await trials.addTools(await remote.tools({ signal: terms.signal }));
        lives.push(...(await livesOf(subject, splits, trials, terms)));
        for (const [at, plan] of splits.entries()) {
          await gatherSplit(subject, plan, seen[at] as SplitEvidenceDraft, trials, terms, onTask);
        }
        // What a call left running may throw a little later.
        if (ears) await sleep(50, terms.signal);
      } finally {
        uncaught.push(...(ears?.take() ?? []));
      }
    },
  };
}

async function livesOf(
  { source }: ValidatedEnvironment,
  splits: readonly SplitPlan[],
  trials: TrialInputRegistry,
  terms: ValidationSettings,
): Promise<readonly LifecycleEvidence[]> {
  const split = splits.find(({ sampled }) => sampled.length > 0);
  if (!source || !split) return [];
  try {
    return await observeLifecycle(source, split.name, split.sampled[0] ?? 0, trials, terms);
  } catch (error) {
    terms.signal.throwIfAborted();
    return [
      { how: 'begun', split: split.name, index: 0, failures: [detailOf(error)], leakedResources: [], episodes: 1 },
    ];
  }
}

async function gatherSplit(
  subject: ValidatedEnvironment,
  { name, count, sampled }: SplitPlan,
  seen: SplitEvidenceDraft,
  trials: TrialInputRegistry,
  terms: ValidationSettings,
  onTask: () => void,
): Promise<void> {
  if (count === undefined) return;
  const { remote, secondCopy, source } = subject;
  try {
    seen.listings = await listSplit(remote, secondCopy, name, sampled, terms);
    seen.outOfRange = await requestOutOfRangeTasks(remote, name, count, terms);
    for (const index of sampled) {
      const { task: shown } = await remote.task(name, index, { signal: terms.signal });
      const whole = source && (await getTaskAt(source, name, index));
      const place = { split: name, index, shown, whole, isFirst: index === sampled[0] };
      seen.tasks.push(await playTask(subject, place, trials, terms));
      onTask();
    }
  } catch (error) {
    terms.signal.throwIfAborted();
    if (error instanceof OrsConnectionError) throw error;
    seen.failure = detailOf(error);
  }
}
