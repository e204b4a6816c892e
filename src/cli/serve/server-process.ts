import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settlesWithin, withTimeout } from '../../core/index.ts';
import { endingOf } from '../../core/node/index.ts';
import type { SessionInfo } from '../../server/index.ts';

/** Longest time to load. */
const LOAD_MS = 30_000;
/** Time for a process to report the sessions that end; a blocked one never does. */
const REPORT_TIMEOUT_MS = 3_000;
/** Time for the teardown of its sessions. */
const TEARDOWN_MS = 30_000;

export interface ServerProcessEnd {
  readonly sessions: readonly SessionInfo[];
  /** Exit of the process, if it was unexpected. */
  readonly cause?: string;
}

/** A process that serves one version of the author's code. */
export type ServerProcess = ReturnType<typeof startServerProcess>;

interface ServerProcessListener {
  /** Called for each imported file, possibly several times. */
  readonly onImport: (path: string) => void;
  /** Called for a connection that the process had not accepted when it ended. */
  readonly onSocketReturned: (socket: Socket) => void;
}

/** Runs the same command line in a child process that serves the connections that it gets. */
export function startServerProcess({ onImport, onSocketReturned }: ServerProcessListener, loadMs = LOAD_MS) {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    // Makes Node report imports, as for `node --watch`.
    env: { ...process.env, [SERVER_PROCESS_VARIABLE]: '1', WATCH_REPORT_DEPENDENCIES: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // A message that cannot be sent is followed by the exit of the process.
  child.on('error', () => {});
  const { ready, ended, exited } = observe(child, onImport, loadMs);
  const pending = new Set<Socket>();
  // After the listeners of `exited`, which stop forwarding to this process.
  const returnSocket = (socket: Socket) => void exited.then(() => setImmediate(onSocketReturned, socket));
  void exited.then(() => pending.forEach(returnSocket));
  const send = (command: ServerProcessCommand, socket?: Socket, done?: (error: Error | null) => void) =>
    child.connected && child.send(command, socket, done);
  const end = (kind: 'retire' | 'stop') => {
    send({ kind });
    killAfter(REPORT_TIMEOUT_MS, ended);
    killAfter(TEARDOWN_MS, exited);
  };
  const killAfter = (ms: number, until: Promise<unknown>) => {
    void settlesWithin(ms, until).then((isOver) => isOver || child.kill('SIGKILL'));
  };
  return {
    ready,
    ended,
    exited,
    /** Passes a connection to the process. */
    accept(socket: Socket) {
      if (!child.connected) return returnSocket(socket);
      pending.add(socket);
      send({ kind: 'connection' }, socket, (error) => {
        if (!error) pending.delete(socket);
      });
    },
    /** Ends its sessions, then the process; kills it after a timeout. Its connections move to the next process. */
    drain: () => end('retire'),
    /** The same without a next process. */
    stop: () => end('stop'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Observes a process: its reports and its exit. */
function observe(child: ChildProcess, onImport: (path: string) => void, loadMs: number) {
  const report = <Kind extends ServerProcessReport['kind']>(kind: Kind) =>
    new Promise<Extract<ServerProcessReport, { kind: Kind }>>((resolve) => {
      // A message of this kind has this shape, unless author code sends such messages.
      child.on('message', (message: ServerProcessReport | null) => {
        if (message?.kind === kind) resolve(message as Extract<ServerProcessReport, { kind: Kind }>);
      });
    });
  child.on('message', (message) => importedFiles(message).forEach(onImport));
  const disconnected = new Promise<void>((resolve) => child.once('disconnect', resolve));
  // Reports may arrive after the exit.
  const cause = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => void disconnected.then(() => resolve(endingOf(code, signal))));
  });
  const loaded = Promise.race([
    report('ready').then(({ environments }) => environments),
    report('failed').then(({ message, codeFrame }) => Promise.reject(Object.assign(new Error(message), { codeFrame }))),
    cause.then((cause) => Promise.reject(new Error(`the environments ended the process while loading (${cause})`))),
  ]);
  const ready = withTimeout(loadMs, loaded, () => {
    child.kill('SIGKILL');
    return new Error(`the environments did not load within ${loadMs / 1_000} s`);
  });
  // A process that was killed for a newer one rejects unobserved.
  ready.catch(() => undefined);
  const crashed = cause.then((cause) => ({ sessions: [], cause }));
  return {
    /** Resolves to the names of its environments. Rejects if they do not load. */
    ready,
    /** Resolves when its sessions end. */
    ended: Promise.race<ServerProcessEnd>([report('ended'), crashed]),
    exited: cause.then(() => undefined),
  };
}

/** Returns the paths in Node's messages about imports. */
function importedFiles(message: unknown): string[] {
  const { 'watch:import': urls = [], 'watch:require': paths = [] } = (message ?? {}) as Record<string, unknown[]>;
  return [...urls, ...paths].flatMap((at) => {
    if (typeof at !== 'string') return [];
    if (!at.startsWith('file:')) return isAbsolute(at) ? [at] : [];
    return [fileURLToPath(at.replace(/[?#].*$/, ''))];
  });
}

/** Message of a server process to its parent. */
export type ServerProcessReport =
  | { readonly kind: 'ready'; readonly environments: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly codeFrame?: string | undefined }
  /** Its sessions end now: it drains, or it crashed. */
  | { readonly kind: 'ended'; readonly sessions: readonly SessionInfo[] };

/**
 * Message to a server process: serve the connection that comes with the message; or end its sessions and exit, because
 * another process replaces it (retire) or the server stops (stop).
 */
export interface ServerProcessCommand {
  readonly kind: 'connection' | 'retire' | 'stop';
}

/** Set for a server process. */
export const SERVER_PROCESS_VARIABLE = 'ORS_SERVE_GENERATION';
