import { OrsConnectionError } from '../../client/index.ts';
import { seededRandom } from '../../core/index.ts';
import type { ValidateOptions } from '../options.ts';
import type { ValidatedEnvironment } from '../target.ts';
import { errorDetail } from './play-episode.ts';

/** Tasks of a split that will be played. */
export interface SplitPlan {
  readonly name: string;
  readonly count: number | undefined;
  readonly failure: string | undefined;
  readonly sampled: readonly number[];
}

/** Splits of an environment that will be played. */
export interface EnvironmentPlan {
  readonly environment: ValidatedEnvironment;
  readonly splits: readonly SplitPlan[];
}

/**
 * Samples the tasks of the requested splits.
 *
 * @throws Error that lists the splits if none of them is requested.
 */
export async function createPlan(
  environment: ValidatedEnvironment,
  requested: readonly string[] | undefined,
  { tasks, seed, signal }: Required<Pick<ValidateOptions, 'tasks' | 'seed' | 'signal'>>,
): Promise<EnvironmentPlan> {
  const { remote } = environment;
  const all = (await remote.splits({ signal })).map(({ name }) => name);
  const names = requested === undefined ? all : all.filter((name) => requested.includes(name));
  if (names.length === 0 && requested !== undefined) {
    throw new Error(`'${remote.name}' has no split ${quoteNames(requested)}; its splits are ${quoteNames(all)}`);
  }
  const splits: SplitPlan[] = [];
  for (const name of names) {
    try {
      const count = await remote.countTasks(name, { signal });
      splits.push({ name, count, failure: undefined, sampled: sampleIndexes(count, tasks, seededRandom(seed)) });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OrsConnectionError) throw error;
      splits.push({ name, count: undefined, failure: errorDetail(error), sampled: [] });
    }
  }
  return { environment, splits };
}

/**
 * Returns the environments with the requested names.
 *
 * @throws Error that lists the environments, for an unknown name.
 */
export function selectEnvironments(
  environments: readonly ValidatedEnvironment[],
  requested: readonly string[] | undefined,
): readonly ValidatedEnvironment[] {
  if (requested === undefined) return environments;
  return requested.map((name) => {
    const found = environments.find(({ remote }) => remote.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    const names = quoteNames(environments.map(({ remote }) => remote.name));
    throw new Error(`unknown environment '${name}'; the environments are ${names}`);
  });
}

const quoteNames = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ') || 'none';

/** Returns `size` different indexes below `count` in ascending order: the first, the last, and random others. */
function sampleIndexes(count: number, size: number, random: () => number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set([0, count - 1].slice(0, size));
  while (chosen.size < size) chosen.add(Math.floor(random() * count));
  return [...chosen].sort((a, b) => a - b);
}
