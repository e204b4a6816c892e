import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errorMessage } from '../../core/index.ts';
import { type HostingOptions, loadEnvironments } from '../../hosting/index.ts';
import { createServer, type OrsServer, type ServerOptions } from '../../server/index.ts';
import { serveConnections } from './answer-connections.ts';
import { describeExit, reportUnexpectedExit } from './guard-exit.ts';
import { SERVER_PROCESS_VARIABLE, type ServerProcessCommand, type ServerProcessReport } from './messages.ts';
import type { ServerRecording } from './recording.ts';
import { onStopSignal } from './stop-signals.ts';
import { onUncaughtError } from './uncaught.ts';

/** Whether this process is to serve what another one hands it. */
export const isServerProcess = (): boolean => process.env[SERVER_PROCESS_VARIABLE] !== undefined && process.connected;

/** Serves environments on the connections that the process above hands over; ends when that says so, or is gone. */
export async function runServerProcess(
  modules: readonly string[],
  options: ServerOptions & { readonly log: Logger },
  hosting: HostingOptions,
  recording?: Pick<ServerRecording, 'close'>,
): Promise<void> {
  // Commands that the author's code starts are none.
  delete process.env[SERVER_PROCESS_VARIABLE];
  // Ctrl-C and a hang-up reach every process of the terminal, and the one above decides.
  onStopSignal(() => {});
  let end = async (_: 'retire' | 'stop', exitCode: number): Promise<void> => process.exit(exitCode);
  process.once('disconnect', () => void end('stop', 0));

  const { server, names } = await load(modules, options, hosting);
  const connections = serveConnections(server, options);
  let isEnding = false;
  const release = reportUnexpectedExit((code) => describeExit(code, server.sessionCount));
  // Too late for an answer, but what is written now arrives.
  process.once('exit', () => void (isEnding || report({ kind: 'ended', sessions: server.sessions })));
  end = async (kind, exitCode) => {
    if (isEnding) return;
    isEnding = true;
    const told = report({ kind: 'ended', sessions: server.sessions });
    await Promise.all([told, server.close(), kind === 'retire' && connections.drain()]);
    await connections.waitForResponses();
    await recording?.close();
    release();
    process.exit(exitCode);
  };
  onUncaughtError(server, options.log, () => void end('retire', 1));
  process.on('message', (order: ServerProcessCommand | null, socket?: Socket) => {
    if (order?.kind === 'retire' || order?.kind === 'stop') void end(order.kind, 0);
    // The client may have hung up on the way here.
    else if (order?.kind === 'connection' && socket) connections.accept(socket);
  });
  await report({ kind: 'ready', environments: names });
}

async function load(
  modules: readonly string[],
  options: ServerOptions,
  hosting: HostingOptions,
): Promise<{ server: OrsServer; names: readonly string[] }> {
  try {
    const environments = await loadEnvironments(modules, hosting);
    return { server: createServer(environments, options), names: environments.map(({ name }) => name) };
  } catch (error) {
    await report({ kind: 'failed', message: errorMessage(error) });
    process.exit(1);
  }
}

/** Resolves when it is sent, or there is nobody left to send it to. */
function report(what: ServerProcessReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(what, () => resolve());
    else resolve();
  });
}
