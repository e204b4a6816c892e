import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errorMessage, sleep } from '../../core/index.ts';
import { type HostingOptions, loadEnvironments } from '../../hosting/index.ts';
import { createHttpServer, createServer, type OrsServer, type ServerOptions } from '../../server/index.ts';
import { describeExit, onStopSignal, reportUnexpectedExit } from '../process.ts';
import type { ServerRecording } from './recording.ts';
import { onUncaughtError } from './serve-once.ts';
import { SERVER_PROCESS_VARIABLE, type ServerProcessCommand, type ServerProcessReport } from './server-process.ts';

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
    await report({ kind: 'failed', message: errorMessage(error) });
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

interface ConnectionServer {
  readonly accept: (socket: Socket) => void;
  /** Closes each connection with its next response. Resolves when all are closed, or the time is over. */
  readonly drain: () => Promise<void>;
  /** Resolves when no response is pending, or the time is over. */
  readonly waitForResponses: () => Promise<void>;
}

/** Serves connections that another process accepted. */
function serveConnections(server: OrsServer, options: ServerOptions): ConnectionServer {
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
    accept(socket) {
      open++;
      socket.once('close', () => open--);
      // A client may close its half after the request.
      socket.allowHalfOpen = true;
      http.emit('connection', socket);
      socket.resume();
    },
    async drain() {
      isDraining = true;
      // Their headers have announced keep-alive already.
      for (const [response, socket] of pending) response.once('finish', () => socket.end());
      await wait(() => open === 0, DRAIN_STEPS);
      await waitForResponses();
    },
    waitForResponses,
  };
}
