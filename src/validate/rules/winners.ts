import { reachesBound } from '../../protocol/index.ts';
import { type EpisodeRun, type Evidence, totalReward } from '../evidence.ts';
import type { FindingLevel, RuleFinding } from '../finding.ts';
import { formatShare } from '../words.ts';

/** Sampled tasks of which a run of some kind gets `maxReward`, a finding per split; where most are, that is an error. */
export function* findMaxRewardRuns(
  { splits, maxReward }: Evidence,
  isTried: (run: EpisodeRun) => boolean,
  describe: (run: EpisodeRun, tasks: string) => string,
): Generator<RuleFinding> {
  if (maxReward === undefined) return;
  for (const { name, tasks } of splits) {
    const tried = tasks.filter(({ runs }) => runs.some((run) => isTried(run) && !run.failure));
    const won = tried.flatMap(({ index, runs }) => {
      const run = runs.find((each) => isTried(each) && !each.failure && reachesBound(totalReward(each), maxReward));
      return run ? [{ index, run }] : [];
    });
    const [first] = won;
    if (!first) continue;
    const level: FindingLevel = won.length * 2 > tried.length ? 'error' : 'warning';
    yield {
      level,
      split: name,
      index: first.index,
      message: describe(first.run, formatShare(won.length, tried.length)),
    };
  }
}
