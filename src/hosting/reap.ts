import type { JSONValue } from '../protocol/index.ts';
import type { Lodger, WorkerHost } from './worker-host.ts';

/** How long the clean-up of one handle may take. */
const REAP_MS = 30_000;

/**
 * Has a fresh worker clean up what lost episodes held outside: the handles of each in the reverse of their order. What
 * fails, in a second worker too if it took the first one with it, is told to the episode's `onError`; the others go on.
 */
export async function reap(lost: readonly Lodger[], startHost: () => WorkerHost): Promise<void> {
  let host: WorkerHost | undefined;
  const living = () => {
    if (!host || host.isOver) host = startHost();
    return host;
  };
  await Promise.all(
    lost.map(async ({ environment, handles, request }) => {
      for (const handle of handles.splice(0).reverse()) {
        const first = living();
        await reapOne(first, environment, handle)
          .catch((error) => {
            if (!first.isOver) throw error;
            return reapOne(living(), environment, handle);
          })
          .catch((error) => request.onError('reap', error));
      }
    }),
  );
  await host?.end('it has nothing left to do');
}

async function reapOne(host: WorkerHost, environment: string, handle: JSONValue): Promise<void> {
  const tooLong = setTimeout(() => void host.end(`cleaning up took longer than ${REAP_MS / 1_000} s`), REAP_MS);
  try {
    await host.link.ask('reap', { environment, handle });
  } finally {
    clearTimeout(tooLong);
  }
}
