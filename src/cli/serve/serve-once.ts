import type { Logger } from 'pino';
import { describeThrown, type HostingOptions, loadEnvironments } from '../../hosting/index.ts';
import {
  type ListenOptions,
  type OrsServer,
  type RunningServer,
  type ServerOptions,
  serve,
} from '../../server/index.ts';
import { describeExit, reportUnexpectedExit, waitForStopSignal } from '../process.ts';
import { notifyReady } from '../workers/flags.ts';
import type { ServerRecording } from './recording.ts';

/**
 * Serves environments until a stop signal or an uncaught error; then tears the episodes down and exits.
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
      : `the environments ended the process while loading (exit code ${code})`,
  );
  let server: RunningServer | undefined;
  try {
    const environments = await loadEnvironments(modules, hosting);
    server = await serve(environments, options);
    await serveUntilStopped(
      server,
      environments.map(({ name }) => name),
      { log: options.log, release },
    );
  } finally {
    release();
  }
  await recording?.close();
  // Handles that the environments opened must not keep the process alive.
  process.exit();
}

async function serveUntilStopped(
  server: RunningServer,
  names: readonly string[],
  { log, release }: { readonly log: Logger; readonly release: () => void },
): Promise<void> {
  const failed = new Promise<'failure'>((resolve) => onUncaughtError(server, log, () => resolve('failure')));
  // Before the first line is printed: its reader may stop the server immediately.
  const stopping = waitForStopSignal(release);
  process.stdout.write(`ors serves ${names.join(', ')} on ${server.url}\n`);
  process.stdout.write(`API reference: ${server.url}/docs/\n`);
  process.stdout.write(`viewer and playground: ${server.url}/ui/\n`);
  notifyReady();
  const reason = await Promise.race([stopping, failed]);
  // Ctrl-C stops immediately; a service manager lets open episodes finish.
  if ((reason === 'SIGTERM' || reason === 'SIGHUP') && server.sessionCount > 0) {
    process.stdout.write(`draining: no new episodes; open sessions: ${server.sessionCount}\n`);
    const drained = server.drain();
    if ((await Promise.race([drained, failed])) !== 'failure') return;
  }
  process.stdout.write('stopping; tearing down the open episodes\n');
  await server.close();
}

/**
 * Handles uncaught errors and unhandled rejections: a tool's code may fail after its call. Each is logged as fatal, without
 * the secrets of the open sessions. Calls `end` for a graceful exit with code 1.
 */
export function onUncaughtError(server: Pick<OrsServer, 'redact'>, log: Logger, end: () => void): void {
  process.on('uncaughtException', (thrown) => {
    process.exitCode = 1;
    const error = server.redact(describeThrown(thrown, 'stack'));
    const message = 'an uncaught error ends this process';
    if (log.isLevelEnabled('fatal')) log.fatal({ error }, message);
    // Reported even if the log is silent.
    else process.stderr.write(`ors: ${message}: ${error}\n`);
    end();
  });
}
