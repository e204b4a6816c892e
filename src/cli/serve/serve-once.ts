import type { Logger } from 'pino';
import { type HostingOptions, loadEnvironments } from '../../hosting/index.ts';
import { type ListenOptions, type RunningServer, type ServerOptions, serve } from '../../server/index.ts';
import { notifyReady } from '../workers/as-worker.ts';
import { describeExit, reportUnexpectedExit } from './guard-exit.ts';
import type { ServerRecording } from './recording.ts';
import { waitForStopSignal } from './stop-signals.ts';
import { onUncaughtError } from './uncaught.ts';

/**
 * Serves environments until the process is told to stop, or an error that nothing caught ends it; then the episodes are
 * torn down and the process exits.
 *
 * @throws Error if an environment does not load, or the address cannot be listened on.
 */
export async function serveOnce(
  modules: readonly string[],
  options: ListenOptions & ServerOptions & { readonly log: Logger },
  hosting: HostingOptions,
  recording?: Pick<ServerRecording, 'close'>,
): Promise<never> {
  const release = reportUnexpectedExit((code) =>
    server
      ? describeExit(code, server.sessionCount)
      : `the environments ended their process as they loaded (exit code ${code})`,
  );
  let server: RunningServer | undefined;
  try {
    const environments = await loadEnvironments(modules, hosting);
    server = await serve(environments, options);
    await untilOver(
      server,
      environments.map(({ name }) => name),
      { log: options.log, release },
    );
  } finally {
    release();
  }
  await recording?.close();
  // What the environments have opened must not keep the process.
  process.exit();
}

async function untilOver(
  server: RunningServer,
  names: readonly string[],
  { log, release }: { readonly log: Logger; readonly release: () => void },
): Promise<void> {
  const failed = new Promise<'failure'>((resolve) => onUncaughtError(server, log, () => resolve('failure')));
  // Whoever reads that it serves may stop it at once.
  const stopping = waitForStopSignal(release);
  process.stdout.write(`ors serves ${names.join(', ')} on ${server.url}\n`);
  process.stdout.write(`reference of the operations: ${server.url}/docs/\n`);
  process.stdout.write(`to look at them and play: ${server.url}/ui/\n`);
  notifyReady();
  const reason = await Promise.race([stopping, failed]);
  // People who stop a server want it to end; what stops services gives those who play the time to finish.
  if ((reason === 'SIGTERM' || reason === 'SIGHUP') && server.sessionCount > 0) {
    process.stdout.write(`draining: no new episodes; sessions that are left: ${server.sessionCount}\n`);
    const drained = server.drain();
    if ((await Promise.race([drained, failed])) !== 'failure') return;
  }
  process.stdout.write('stopping; tearing down the episodes that are left\n');
  await server.close();
}
