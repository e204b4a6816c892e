import { offsetTag } from '../proxy-config/nodes.ts';

/** Set for a process that is one of several workers, to its place among them. */
export const WORKER_VARIABLE = 'ORS_SERVE_WORKER';

/** What a worker tells the process above once it listens. */
export interface WorkerReadyMessage {
  readonly kind: 'ready';
}

/**
 * The place of this process among workers, from 0; undefined if it is none. As one it ends with the process above, and
 * commands that the author's code starts are none.
 */
export function workerIndex(): number | undefined {
  const place = process.env[WORKER_VARIABLE];
  if (place === undefined || !process.connected) return undefined;
  delete process.env[WORKER_VARIABLE];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The connection alone keeps no process alive.
  process.channel?.unref();
  return Number(place);
}

/** Where the worker of a place listens, and its tag, if the first one has these. */
export const workerAddress = (
  place: number,
  first: { readonly port: number; readonly nodeTag?: string | undefined },
) => ({
  port: first.port + place,
  nodeTag: offsetTag(first.nodeTag ?? '0000', place),
});

/** Tells the process above that this worker listens; does nothing if there is none. */
export function notifyReady(): void {
  if (process.connected) process.send?.({ kind: 'ready' } satisfies WorkerReadyMessage);
}
