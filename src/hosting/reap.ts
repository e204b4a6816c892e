import { Mutex, previewJson, withTimeout } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { describeThrown } from './thrown.ts';
import { WorkerGone } from './worker-gone.ts';
import type { Lodger, WorkerHost } from './worker-host.ts';

/** How long the clean-up of one handle may take. */
const REAP_MS = 30_000;
/** A worker in which a clean-up lets nothing else run for this long is ended. */
const STUCK_MS = 5_000;

/**
 * Has fresh workers clean up what lost episodes held outside, the handles of each in the reverse of their order: those of
 * all episodes at once in one worker, and what is left when that goes one after another, so that none pays for another.
 * What fails or does not end in time is told to the episode's `onError`. Sets `reaped` of each at once.
 */
export async function reap(lost: readonly Lodger[], startHost: () => WorkerHost): Promise<void> {
  let host = startHost();
  const mutex = new Mutex();
  const watch = setInterval(() => void host.endIfStuck(STUCK_MS), 1_000);
  const reapAlone = async (lodger: Lodger) => {
    while (lodger.handles.length > 0) {
      if (host.ending) host = startHost();
      await reapIn(host, lodger);
      if (host.ending) tellLeft(lodger, lodger.handles.splice(-1), host.ending.error ?? host.ending.why);
    }
  };
  const inTurn = (lodger: Lodger): Promise<void> =>
    mutex.run(() => reapAlone(lodger)).catch((error) => tellLeft(lodger, lodger.handles.splice(0), error));
  for (const lodger of lost) {
    lodger.reaped = reapIn(host, lodger).then(() => (lodger.handles.length > 0 ? inTurn(lodger) : undefined));
  }
  await Promise.all(lost.map(({ reaped }) => reaped));
  clearInterval(watch);
  await host.end('it had nothing left to do');
}

/** Takes what is done or cannot be done from the handles; what is left when the worker goes stays there. */
async function reapIn(host: WorkerHost, { environment, handles, session }: Lodger): Promise<void> {
  while (handles.length > 0) {
    const handle = handles.at(-1) as JSONValue;
    const tooLong = () => leftError(handle, `its reap took longer than ${REAP_MS / 1_000} s`);
    try {
      await withTimeout(REAP_MS, host.link.ask('reap', { environment, handle }), tooLong);
    } catch (error) {
      if (error instanceof WorkerGone) return;
      session.onError('reap', error);
    }
    handles.pop();
  }
}

function tellLeft({ session }: Lodger, handles: readonly JSONValue[], why: unknown): void {
  for (const handle of handles) session.onError('reap', leftError(handle, describeWhy(why)));
}

const describeWhy = (why: unknown): string => (typeof why === 'string' ? why : describeThrown(why, 'message'));

const leftError = (handle: JSONValue, why: string) =>
  new Error(`what the handle ${previewJson(handle)} names may be left: ${why}`);
