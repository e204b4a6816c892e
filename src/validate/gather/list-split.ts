import type { RemoteEnvironment } from '../../client/index.ts';
import { canonicalJson } from '../../core/index.ts';
import type { TaskListing } from '../evidence.ts';
import type { ValidationSettings } from './options.ts';

/** More tasks than this are not compared one by one. */
const MAX_LISTED = 200;
const SMALL_PAGE = 7;

/**
 * Asks for the same tasks several times: in one piece, again, in small pieces, one by one where they are sampled, and of
 * a second copy of the environment.
 */
export async function listSplit(
  remote: RemoteEnvironment,
  fresh: RemoteEnvironment | undefined,
  split: string,
  sampled: readonly number[],
  { signal }: ValidationSettings,
): Promise<TaskListing[]> {
  const count = await remote.countTasks(split, { signal });
  const stop = Math.min(count, MAX_LISTED);
  const inPages = async (asked: string, from: RemoteEnvironment, pageSize: number): Promise<TaskListing> => {
    const tasks = new Map<number, string>();
    for await (const { index, task } of from.tasks(split, { stop, pageSize, signal })) {
      tasks.set(index, canonicalJson(task));
    }
    return { description: asked, count: await from.countTasks(split, { signal }), tasks };
  };
  const oneByOne = async (asked: string, from: RemoteEnvironment): Promise<TaskListing> => {
    const tasks = new Map<number, string>();
    for (const index of sampled) tasks.set(index, canonicalJson((await from.task(split, index, { signal })).task));
    return { description: asked, count: await from.countTasks(split, { signal }), tasks };
  };
  const whole = Math.max(1, stop);
  return [
    await inPages('in one piece', remote, whole),
    await inPages('in one piece again', remote, whole),
    await inPages(`in pieces of ${SMALL_PAGE}`, remote, SMALL_PAGE),
    await oneByOne('one by one', remote),
    await oneByOne('one by one again', remote),
    ...(fresh
      ? [
          await inPages('of a second copy of the module', fresh, whole),
          await oneByOne('one by one of a second copy of the module', fresh),
        ]
      : []),
  ];
}
