import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settlesWithin, withTimeout } from '../../core/index.ts';
import { endingOf } from '../../core/node/index.ts';
import type { SessionInfo } from '../../server/index.ts';
import { SERVER_PROCESS_VARIABLE, type ServerProcessCommand, type ServerProcessReport } from './messages.ts';

/** How long a generation may take to load; code that never comes to its end does not. */
const LOAD_MS = 30_000;
/** How long a generation has to say which sessions end; one that is caught in a loop never does. */
const ANSWER_MS = 3_000;
/** How long the teardown of its sessions may take. */
const TEARDOWN_MS = 30_000;

export interface ServerProcessEnd {
  readonly sessions: readonly SessionInfo[];
  /** How the process ended, if it did so without a word. */
  readonly cause?: string;
}

/** A process with one state of the author's code: started, ready, retired, gone. */
export interface ServerProcess {
  /** The names of its environments. Rejects with what kept them from loading. */
  readonly ready: Promise<readonly string[]>;
  /** When its sessions end, which are these. */
  readonly ended: Promise<ServerProcessEnd>;
  readonly exited: Promise<void>;
  /** Has it answer on a connection. */
  accept(socket: Socket): void;
  /** Has it end its sessions, then itself; it is killed if it does not. Its connections move to another generation. */
  drain(): void;
  /** The same, where there is no other. */
  stop(): void;
  kill(): void;
}

export interface ServerProcessListener {
  /** A file that the process imports; may be told again. */
  readonly onImport: (path: string) => void;
  /** A connection that it had not taken over when it ended. */
  readonly onSocketReturned: (socket: Socket) => void;
}

/** Runs this same command line once more, in a process that serves what it is handed. */
export function startServerProcess(
  { onImport, onSocketReturned }: ServerProcessListener,
  loadMs = LOAD_MS,
): ServerProcess {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    // Node itself then reports what is imported, as it does for `node --watch`.
    env: { ...process.env, [SERVER_PROCESS_VARIABLE]: '1', WATCH_REPORT_DEPENDENCIES: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // What cannot be told to a process is told by its exit.
  child.on('error', () => {});
  const { ready, ended, exited } = fate(child, onImport, loadMs);
  const untaken = new Set<Socket>();
  // Not before everybody knows that it is gone.
  const giveBack = (socket: Socket) => void exited.then(() => setImmediate(onSocketReturned, socket));
  void exited.then(() => untaken.forEach(giveBack));
  const order = (what: ServerProcessCommand, socket?: Socket, done?: (error: Error | null) => void) =>
    child.connected && child.send(what, socket, done);
  const end = (kind: 'retire' | 'stop') => {
    order({ kind });
    killAfter(ANSWER_MS, ended);
    killAfter(TEARDOWN_MS, exited);
  };
  const killAfter = (ms: number, until: Promise<unknown>) => {
    void settlesWithin(ms, until).then((isOver) => isOver || child.kill('SIGKILL'));
  };
  return {
    ready,
    ended,
    exited,
    accept(socket) {
      if (!child.connected) return giveBack(socket);
      untaken.add(socket);
      order({ kind: 'connection' }, socket, (error) => {
        if (!error) untaken.delete(socket);
      });
    },
    drain: () => end('retire'),
    stop: () => end('stop'),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** What becomes of a process, as it reports it or as its exit does. */
function fate(
  child: ChildProcess,
  onImport: (path: string) => void,
  loadMs: number,
): Pick<ServerProcess, 'ready' | 'ended' | 'exited'> {
  const report = <Kind extends ServerProcessReport['kind']>(kind: Kind) =>
    new Promise<Extract<ServerProcessReport, { kind: Kind }>>((resolve) => {
      // The cast: what has this kind is of this shape, unless the author's code sends such messages itself.
      child.on('message', (message: ServerProcessReport | null) => {
        if (message?.kind === kind) resolve(message as Extract<ServerProcessReport, { kind: Kind }>);
      });
    });
  child.on('message', (message) => importedFiles(message).forEach(onImport));
  const disconnected = new Promise<void>((resolve) => child.once('disconnect', resolve));
  // The last reports may still be on their way when the process is gone.
  const cause = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => void disconnected.then(() => resolve(endingOf(code, signal))));
  });
  const loaded = Promise.race([
    report('ready').then(({ environments }) => environments),
    report('failed').then(({ message }) => Promise.reject(new Error(message))),
    cause.then((cause) => Promise.reject(new Error(`the environments ended their process as they loaded (${cause})`))),
  ]);
  const ready = withTimeout(loadMs, loaded, () => {
    child.kill('SIGKILL');
    return new Error(`the environments do not load: they had not loaded after ${loadMs / 1_000} s`);
  });
  // Nobody asks a generation that was killed for a newer one.
  ready.catch(() => undefined);
  return {
    ready,
    ended: Promise.race([report('ended'), cause.then((cause) => ({ sessions: [], cause }))]),
    exited: cause.then(() => undefined),
  };
}

/** The paths in a message of Node's about imports; other messages have none. */
function importedFiles(message: unknown): string[] {
  const { 'watch:import': urls = [], 'watch:require': paths = [] } = (message ?? {}) as Record<string, unknown[]>;
  return [...urls, ...paths].flatMap((at) => {
    if (typeof at !== 'string') return [];
    if (!at.startsWith('file:')) return isAbsolute(at) ? [at] : [];
    return [fileURLToPath(at.replace(/[?#].*$/, ''))];
  });
}
