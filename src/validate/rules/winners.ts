import { isAtLeast } from '../../protocol/index.ts';
import { type Evidence, type Run, totalOf } from '../evidence.ts';
import type { Found, Level } from '../finding.ts';
import { share } from '../words.ts';

/** Sampled tasks of which a run of some kind gets `maxReward`, a finding per split; where most are, that is an error. */
export function* winners(
  { splits, maxReward }: Evidence,
  isTried: (run: Run) => boolean,
  describe: (run: Run, tasks: string) => string,
): Generator<Found> {
  if (maxReward === undefined) return;
  for (const { name, tasks } of splits) {
    const tried = tasks.filter(({ runs }) => runs.some((run) => isTried(run) && !run.failure));
    const won = tried.flatMap(({ index, runs }) => {
      const run = runs.find((each) => isTried(each) && !each.failure && isAtLeast(totalOf(each), maxReward));
      return run ? [{ index, run }] : [];
    });
    const [first] = won;
    if (!first) continue;
    const level: Level = won.length * 2 > tried.length ? 'error' : 'warning';
    yield { level, split: name, index: first.index, message: describe(first.run, share(won.length, tried.length)) };
  }
}
