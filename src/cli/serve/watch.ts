import { openPortProxy } from './entrance.ts';
import type { ListenAddress } from './port.ts';
import { waitForStopSignal } from './stop-signals.ts';
import { ReloadManager } from './succession.ts';

/** Left out, each is as long as people need. */
export interface ReloadLimits {
  /** How long code may take to load. Default: 30 s. */
  readonly loadMs?: number;
  /** How long a request waits while nothing serves. Default: 5 s. */
  readonly holdMs?: number;
}

/**
 * Serves environments until it is stopped, and serves them anew whenever their files change.
 *
 * The module cache of a process cannot be emptied, and what code left running in it cannot be found. So each state of
 * the code, a generation, has a process of its own. This one runs none of the author's code: it keeps the port, and
 * hands each connection to the generation of the time.
 *
 * @throws Error with the code of what the operating system refused about the port.
 */
export async function serveWatching(
  modules: readonly string[],
  address: ListenAddress,
  { loadMs, holdMs }: ReloadLimits = {},
): Promise<void> {
  const proxy = await openPortProxy(address, holdMs);
  const succession = new ReloadManager(modules, proxy, loadMs);
  process.once('exit', () => succession.kill());
  succession.start();
  await waitForStopSignal();
  process.stdout.write('stopping; tearing down the episodes that are left\n');
  await succession.stop();
  process.exit();
}
