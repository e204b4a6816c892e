import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { codeFrameOf, errorMessage, sleep } from '../../core/index.ts';
import { describeThrown, type HostingOptions, loadEnvironments } from '../../hosting/index.ts';
import {
  createHttpServer,
  createServer,
  type ListenOptions,
  type OrsServer,
  type RunningServer,
  type ServerOptions,
  serve,
} from '../../server/index.ts';
import { describeExit, onStopSignal, reportUnexpectedExit, waitForStopSignal } from '../process.ts';
import { notifyReady } from '../workers/serve-workers.ts';
import type { ServerRecording } from './recording.ts';
import { SERVER_PROCESS_VARIABLE, type ServerProcessCommand, type ServerProcessReport } from './server-process.ts';

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
    await serveUntilStopped(server, environments, options.log, release);
  } finally {
    release();
  }
  await recording?.close();
  // Handles that the environments opened must not keep the process alive.
  process.exit();
}

async function serveUntilStopped(
  server: RunningServer,
  environments: readonly { readonly name: string }[],
  log: Logger,
  release: () => void,
): Promise<void> {
  const failed = new Promise<'failure'>((resolve) => onUncaughtError(server, log, () => resolve('failure')));
  // Before the first line is printed: its reader may stop the server immediately.
  const stopping = waitForStopSignal(release);
  process.stdout.write(`ors serves ${environments.map(({ name }) => name).join(', ')} on ${server.url}\n`);
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

/** Returns true in a child process that `startServerProcess` started. */
export const isServerProcess = (): boolean => process.env[SERVER_PROCESS_VARIABLE] !== undefined && process.connected;

/** Serves environments on the connections of the parent process; exits on its command, or when it is gone. */
export async function runServerProcess(
  modules: readonly string[],
  options: ServerOptions & { readonly log: Logger },
  hosting: HostingOptions,
  recording?: Pick<ServerRecording, 'close'>,
): Promise<void> {
  // Commands that author code starts must not inherit it.
  delete process.env[SERVER_PROCESS_VARIABLE];
  // Signals of the terminal reach every process; the parent decides.
  onStopSignal(() => {});
  let end = async (_: 'retire' | 'stop', exitCode: number): Promise<void> => process.exit(exitCode);
  process.once('disconnect', () => void end('stop', 0));

  const { server, names } = await load(modules, options, hosting);
  const connections = serveConnections(server, options);
  let isEnding = false;
  const release = reportUnexpectedExit((code) => describeExit(code, server.sessionCount));
  // A message that is written now still arrives.
  process.once('exit', () => void (isEnding || report({ kind: 'ended', sessions: server.sessions })));
  end = async (kind, exitCode) => {
    if (isEnding) return;
    isEnding = true;
    const reported = report({ kind: 'ended', sessions: server.sessions });
    await Promise.all([reported, server.close(), kind === 'retire' && connections.drain()]);
    await connections.waitForResponses();
    await recording?.close();
    release();
    process.exit(exitCode);
  };
  onUncaughtError(server, options.log, () => void end('retire', 1));
  process.on('message', (command: ServerProcessCommand | null, socket?: Socket) => {
    if (command?.kind === 'retire' || command?.kind === 'stop') void end(command.kind, 0);
    // Without a socket, the client has disconnected meanwhile.
    else if (command?.kind === 'connection' && socket) connections.accept(socket);
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
    await report({ kind: 'failed', message: errorMessage(error), codeFrame: codeFrameOf(error) });
    process.exit(1);
  }
}

/** Resolves when the report is sent, or the parent is gone. */
function report(message: ServerProcessReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}

// Counted in steps instead of by a clock: each step reads the requests that have arrived, even on a slow machine.
const STEP_MS = 20;
/** Steps in which a keep-alive connection may still send a request; the response closes it. */
const DRAIN_STEPS = 50;
/** Steps for pending responses. */
const RESPONSE_STEPS = 250;

/** Serves connections that another process accepted. */
function serveConnections(server: OrsServer, options: ServerOptions) {
  const http = createHttpServer(server, options);
  const pending = new Map<ServerResponse, Socket>();
  let open = 0;
  let isDraining = false;
  const track = ({ socket }: IncomingMessage, response: ServerResponse) => {
    pending.set(response, socket);
    response.once('close', () => pending.delete(response));
    if (isDraining) response.setHeader('Connection', 'close');
  };
  http.prependListener('request', track).prependListener('checkContinue', track);
  const wait = async (isOver: () => boolean, steps: number) => {
    // One step at least, for requests that are on their way.
    for (let step = 0; step < steps && (step === 0 || !isOver()); step++) await sleep(STEP_MS);
  };
  const waitForResponses = () => wait(() => pending.size === 0, RESPONSE_STEPS);
  return {
    accept(socket: Socket): void {
      open++;
      socket.once('close', () => open--);
      // A client may close its half after the request.
      socket.allowHalfOpen = true;
      http.emit('connection', socket);
      socket.resume();
    },
    /** Closes each connection with its next response. Resolves when all are closed, or the time is over. */
    async drain(): Promise<void> {
      isDraining = true;
      // Their headers have announced keep-alive already.
      for (const [response, socket] of pending) response.once('finish', () => socket.end());
      await wait(() => open === 0, DRAIN_STEPS);
      await waitForResponses();
    },
    /** Resolves when no response is pending, or the time is over. */
    waitForResponses,
  };
}
