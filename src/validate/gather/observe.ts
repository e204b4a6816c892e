import { OrsConnectionError } from '../../client/index.ts';
import { sleep } from '../../core/index.ts';
import { taskAt } from '../../environment/index.ts';
import type { Evidence, Life, Listing, SplitEvidence, TaskEvidence } from '../evidence.ts';
import { askBeyond } from './ask-beyond.ts';
import type { Ears } from './hear-uncaught.ts';
import { listSplit } from './list-split.ts';
import { live } from './live.ts';
import type { Terms } from './options.ts';
import type { Plan, SplitPlan } from './plan.ts';
import { detailOf } from './play-run.ts';
import { playTask, type Subject } from './play-task.ts';
import { createTrials, type ToolTrials } from './trials.ts';

/** A split that is being looked at. */
interface OpenSplit extends SplitEvidence {
  failure: string | undefined;
  listings: Listing[];
  beyond: SplitEvidence['beyond'];
  readonly tasks: TaskEvidence[];
}

export interface Observation {
  /** What was seen so far; grows while it is gathered. */
  readonly evidence: Evidence;
  /** Looks at everything. Rejects if the signal aborts, or the server cannot be reached. */
  gather(onTask: () => void): Promise<void>;
}

/** Gets ready to look at an environment. */
export function observationOf(
  { subject, splits }: Plan,
  terms: Terms,
  { ears, ...known }: Pick<Evidence, 'maxReward' | 'freshFailure'> & { readonly ears: Ears | undefined },
): Observation {
  const { source, remote } = subject;
  const trials = createTrials(terms.inputs);
  const lives: Life[] = [];
  const uncaught: string[] = [];
  const seen = splits.map(({ name, count, failure }): OpenSplit => {
    return { name, count, failure, listings: [], beyond: [], tasks: [] };
  });
  const { tools, untried } = trials;
  const facts = { hasSource: source !== undefined, hasSolve: source?.author.solve !== undefined };
  return {
    evidence: { environment: remote.name, ...known, ...facts, tools, untried, splits: seen, lives, uncaught },
    async gather(onTask) {
      try {
        await trials.learn(await remote.tools({ signal: terms.signal }));
        lives.push(...(await livesOf(subject, splits, trials, terms)));
        for (const [at, plan] of splits.entries()) {
          await gatherSplit(subject, plan, seen[at] as OpenSplit, trials, terms, onTask);
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
  { source }: Subject,
  splits: readonly SplitPlan[],
  trials: ToolTrials,
  terms: Terms,
): Promise<readonly Life[]> {
  const split = splits.find(({ sampled }) => sampled.length > 0);
  if (!source || !split) return [];
  try {
    return await live(source, split.name, split.sampled[0] ?? 0, trials, terms);
  } catch (error) {
    terms.signal.throwIfAborted();
    return [{ how: 'begun', split: split.name, index: 0, failures: [detailOf(error)], left: [], episodes: 1 }];
  }
}

async function gatherSplit(
  subject: Subject,
  { name, count, sampled }: SplitPlan,
  seen: OpenSplit,
  trials: ToolTrials,
  terms: Terms,
  onTask: () => void,
): Promise<void> {
  if (count === undefined) return;
  const { remote, fresh, source } = subject;
  try {
    seen.listings = await listSplit(remote, fresh, name, sampled, terms);
    seen.beyond = await askBeyond(remote, name, count, terms);
    for (const index of sampled) {
      const { task: shown } = await remote.task(name, index, { signal: terms.signal });
      const whole = source && (await taskAt(source, name, index));
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
