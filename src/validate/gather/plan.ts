import { OrsConnectionError, type RemoteEnvironment } from '../../client/index.ts';
import { seededRandom, UnknownNameError } from '../../core/index.ts';
import type { Environment } from '../../environment/index.ts';
import { errorDetail, sampleIndexes } from '../../trial/index.ts';
import type { SplitEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';

/** One environment, over HTTP and, if its code is available, in this process. */
export interface ValidatedEnvironment {
  readonly remote: RemoteEnvironment;
  /** The same environment in a second copy of its module. */
  readonly secondCopy?: RemoteEnvironment | undefined;
  readonly source?: Environment | undefined;
}

/**
 * Samples the tasks of the requested splits.
 *
 * @throws UnknownNameError that lists the splits if none of them is requested.
 */
export async function planSplits(
  { remote }: ValidatedEnvironment,
  { splits: requested, tasks, seed, signal }: ValidationSettings,
): Promise<SplitEvidence[]> {
  const all = (await remote.splits({ signal })).map(({ name }) => name);
  const names = requested === undefined ? all : all.filter((name) => requested.includes(name));
  const [unknown] = requested ?? [];
  if (names.length === 0 && unknown !== undefined)
    throw new UnknownNameError('split', unknown, all, `in '${remote.name}'`);
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
