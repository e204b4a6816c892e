import { OrsConnectionError } from '../../client/index.ts';
import { seededRandom } from '../../core/index.ts';
import type { ValidateOptions } from './options.ts';
import { detailOf } from './play-run.ts';
import type { ValidatedEnvironment } from './play-task.ts';
import { sampleIndexes } from './sample.ts';

/** What will be looked at of one split. */
export interface SplitPlan {
  readonly name: string;
  readonly count: number | undefined;
  readonly failure: string | undefined;
  readonly sampled: readonly number[];
}

/** What will be looked at of one environment. */
export interface EnvironmentPlan {
  readonly subject: ValidatedEnvironment;
  readonly splits: readonly SplitPlan[];
}

/** @throws Error naming the splits that there are, if none of an environment's is chosen. */
export async function createPlan(
  subject: ValidatedEnvironment,
  requested: readonly string[] | undefined,
  { tasks, seed, signal }: Required<Pick<ValidateOptions, 'tasks' | 'seed' | 'signal'>>,
): Promise<EnvironmentPlan> {
  const { remote } = subject;
  const all = (await remote.splits({ signal })).map(({ name }) => name);
  const names = requested === undefined ? all : all.filter((name) => requested.includes(name));
  if (names.length === 0 && requested !== undefined) {
    throw new Error(`'${remote.name}' has no split ${quoted(requested)}; its splits are ${quoted(all)}`);
  }
  const splits: SplitPlan[] = [];
  for (const name of names) {
    try {
      const count = await remote.countTasks(name, { signal });
      splits.push({ name, count, failure: undefined, sampled: sampleIndexes(count, tasks, seededRandom(seed)) });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OrsConnectionError) throw error;
      splits.push({ name, count: undefined, failure: detailOf(error), sampled: [] });
    }
  }
  return { subject, splits };
}

/** The subjects of these names. @throws Error naming those that there are, for a name that is none. */
export function selectSubjects(
  subjects: readonly ValidatedEnvironment[],
  requested: readonly string[] | undefined,
): readonly ValidatedEnvironment[] {
  if (requested === undefined) return subjects;
  return requested.map((name) => {
    const found = subjects.find(({ remote }) => remote.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw new Error(
      `there is no environment '${name}'; there are ${quoted(subjects.map(({ remote }) => remote.name))}`,
    );
  });
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ') || 'none';
