import { OrsClientError, OrsConnectionError, type RemoteEnvironment } from '../../client/index.ts';
import { canonicalJson } from '../../core/index.ts';
import type { SplitEvidence, TaskListing } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import { playEpisode } from './play-episode.ts';

/** Maximum number of tasks that are compared. */
const MAX_LISTED = 200;
const SMALL_PAGE = 7;

/**
 * Lists the same tasks in several ways: in one page, again, in small pages, the sampled ones by index, and from a second
 * copy of the environment.
 */
export async function listSplit(
  remote: RemoteEnvironment,
  secondCopy: RemoteEnvironment | undefined,
  split: string,
  sampled: readonly number[],
  { signal }: ValidationSettings,
): Promise<TaskListing[]> {
  const count = await remote.countTasks(split, { signal });
  const stop = Math.min(count, MAX_LISTED);
  const inPages = async (description: string, from: RemoteEnvironment, pageSize: number): Promise<TaskListing> => {
    const tasks = new Map<number, string>();
    for await (const { index, task } of from.tasks(split, { stop, pageSize, signal })) {
      tasks.set(index, canonicalJson(task));
    }
    return { description, count: await from.countTasks(split, { signal }), tasks };
  };
  const byIndex = async (description: string, from: RemoteEnvironment): Promise<TaskListing> => {
    const tasks = new Map<number, string>();
    for (const index of sampled) tasks.set(index, canonicalJson((await from.task(split, index, { signal })).task));
    return { description, count: await from.countTasks(split, { signal }), tasks };
  };
  const whole = Math.max(1, stop);
  const listings = [
    await inPages('in one piece', remote, whole),
    await inPages('in one piece again', remote, whole),
    await inPages(`in pieces of ${SMALL_PAGE}`, remote, SMALL_PAGE),
    await byIndex('one by one', remote),
    await byIndex('one by one again', remote),
  ];
  if (secondCopy) {
    listings.push(await inPages('of a second copy of the module', secondCopy, whole));
    listings.push(await byIndex('one by one of a second copy of the module', secondCopy));
  }
  return listings;
}

/** Requests tasks and an episode beyond the last task. */
export async function requestOutOfRangeTasks(
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
