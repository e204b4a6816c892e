import { OrsConnectionError } from '../../client/index.ts';
import { seededRandom } from '../../core/index.ts';
import type { SplitEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import type { ValidatedEnvironment } from '../target.ts';
import { errorDetail } from './play-episode.ts';

/**
 * Samples the tasks of the requested splits.
 *
 * @throws Error that lists the splits if none of them is requested.
 */
export async function planSplits(
  { remote }: ValidatedEnvironment,
  { splits: requested, tasks, seed, signal }: ValidationSettings,
): Promise<SplitEvidence[]> {
  const all = (await remote.splits({ signal })).map(({ name }) => name);
  const names = requested === undefined ? all : all.filter((name) => requested.includes(name));
  if (names.length === 0 && requested !== undefined) {
    throw new Error(`'${remote.name}' has no split ${quoteNames(requested)}; its splits are ${quoteNames(all)}`);
  }
  const splits = names.map((name): SplitEvidence => {
    return { name, count: undefined, failure: undefined, sampled: [], listings: [], outOfRange: [], tasks: [] };
  });
  for (const split of splits) {
    try {
      split.count = await remote.countTasks(split.name, { signal });
      split.sampled = sampleIndexes(split.count, tasks, seededRandom(seed));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OrsConnectionError) throw error;
      split.failure = errorDetail(error);
    }
  }
  return splits;
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
