import { OrsClientError, OrsConnectionError, type RemoteEnvironment, type TaskHandle } from '../../client/index.ts';
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
