import { Mutex, previewJson, withTimeout } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { describeThrown } from './thrown.ts';
import { WorkerLostError } from './worker-gone.ts';
import type { WorkerEpisode, WorkerHost } from './worker-host.ts';

/** How long the clean-up of one handle may take. */
const HANDLE_CLEANUP_TIMEOUT_MS = 30_000;
/** A worker in which a clean-up lets nothing else run for this long is ended. */
const UNRESPONSIVE_MS = 5_000;

/**
 * Has fresh workers clean up what lost episodes held outside, the handles of each in the reverse of their order: those of
 * all episodes at once in one worker, and what is left when that goes one after another, so that none pays for another.
 * What fails or does not end in time is told to the episode's `onError`. Sets `reaped` of each at once.
 */
export async function cleanUpOrphans(lost: readonly WorkerEpisode[], startHost: () => WorkerHost): Promise<void> {
  let host = startHost();
  const mutex = new Mutex();
  const watch = setInterval(() => void host.terminateIfUnresponsive(UNRESPONSIVE_MS), 1_000);
  const reapAlone = async (episode: WorkerEpisode) => {
    while (episode.handles.length > 0) {
      if (host.exit) host = startHost();
      await reapIn(host, episode);
      if (host.exit) tellLeft(episode, episode.handles.splice(-1), host.exit.error ?? host.exit.why);
    }
  };
  const enqueue = (episode: WorkerEpisode): Promise<void> =>
    mutex.run(() => reapAlone(episode)).catch((error) => tellLeft(episode, episode.handles.splice(0), error));
  for (const episode of lost) {
    episode.cleanedUp = reapIn(host, episode).then(() => (episode.handles.length > 0 ? enqueue(episode) : undefined));
  }
  await Promise.all(lost.map(({ cleanedUp }) => cleanedUp));
  clearInterval(watch);
  await host.terminate('it had nothing left to do');
}

/** Takes what is done or cannot be done from the handles; what is left when the worker goes stays there. */
async function reapIn(host: WorkerHost, { environment, handles, session }: WorkerEpisode): Promise<void> {
  while (handles.length > 0) {
    const handle = handles.at(-1) as JSONValue;
    const tooLong = () => leftError(handle, `its reap took longer than ${HANDLE_CLEANUP_TIMEOUT_MS / 1_000} s`);
    try {
      await withTimeout(HANDLE_CLEANUP_TIMEOUT_MS, host.link.call('reap', { environment, handle }), tooLong);
    } catch (error) {
      if (error instanceof WorkerLostError) return;
      session.onError('reap', error);
    }
    handles.pop();
  }
}

function tellLeft({ session }: WorkerEpisode, handles: readonly JSONValue[], why: unknown): void {
  for (const handle of handles) session.onError('reap', leftError(handle, describeWhy(why)));
}

const describeWhy = (why: unknown): string => (typeof why === 'string' ? why : describeThrown(why, 'message'));

const leftError = (handle: JSONValue, why: string) =>
  new Error(`what the handle ${previewJson(handle)} names may be left: ${why}`);
