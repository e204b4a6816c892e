import type { ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { hasCode } from '../index.ts';

/**
 * Sends a signal to a child process that was spawned as `detached`, and to its process group; on Windows, which has no
 * groups, only to the process. Does nothing if all have ended.
 */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    // EPERM: the rest of the group runs as another user now.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Describes how a child process ended, by the arguments of `exit` and `close`: `exit code 1`, `signal SIGKILL`. */
export const endingOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;

/** Reads a stream as UTF-8. @returns returns the end of the text so far, at most `max` UTF-16 code units. */
export function tailOf(stream: Readable, max: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-max);
  });
  return () => tail;
}

/**
 * Starts a worker thread that runs a module of this package. Built modules are bundled, so the module is found from the
 * folder of the package; from sources, tsx loads it, unless `ORS_BUILT_WORKERS` is set: that takes a third of the time.
 *
 * @param source path of the module in the package.
 * @example
 * const worker = startPackageWorker('src/hosting/worker.ts', { workerData: { module } });
 */
export function startPackageWorker(source: `src/${string}.ts`, options: WorkerOptions): Worker {
  if (import.meta.url.endsWith('.js') || process.env.ORS_BUILT_WORKERS !== undefined) {
    const built = `dist/${source.replace(/\.ts$/, '.js')}`;
    return new Worker(new URL(built, import.meta.resolve('ors-kit/package.json')), options);
  }
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const module = JSON.stringify(new URL(`../../../${source}`, import.meta.url).href);
  const code = `import(${tsx}).then(({ register }) => register()).then(() => import(${module}));`;
  return new Worker(code, { ...options, eval: true });
}

/** Identifies a process beyond its id, which the system reuses. */
export interface ProcessIdentity {
  readonly host: string;
  /** Id of the last boot of the machine; empty except on Linux. */
  readonly boot: string;
  /** PID namespace, which differs between containers; empty except on Linux. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time in clock ticks since the boot; empty if the process has ended, and except on Linux. */
  readonly start: string;
}

/** Returns the identity of a process of this machine and container. @default the current process */
export const processIdentity = (pid: number = process.pid): ProcessIdentity => ({
  host: hostname(),
  ...currentRun(),
  pid,
  start: startOf(pid) ?? '',
});

/**
 * Returns the state of a process. The state of a process of another host or container is `unknown`, because its id means
 * nothing here.
 */
export function processState({ host, boot, namespace, pid, start }: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  const here = currentRun();
  if (host !== hostname()) return 'unknown';
  if (boot !== here.boot) return 'gone';
  if (namespace !== here.namespace) return 'unknown';
  if (!isRunning(pid)) return 'gone';
  const startNow = startOf(pid);
  const isSame = start === '' || startNow === undefined || startNow === start;
  return isSame ? 'running' : 'gone';
}

/** Returns the identity as one word. */
export const identityToText = ({ host, boot, namespace, pid, start }: ProcessIdentity): string =>
  [host, boot, namespace, pid, start].join('|');

/** Inverse of `identityToText`. Returns undefined for other texts. */
export function identityFromText(text: string): ProcessIdentity | undefined {
  const [host, boot, namespace, pid, start, more] = text.split('|');
  if (host === undefined || boot === undefined || namespace === undefined || start === undefined) return undefined;
  if (more !== undefined || !/^[1-9]\d*$/.test(pid ?? '')) return undefined;
  return { host, boot, namespace, pid: Number(pid), start };
}

let knownRun: Pick<ProcessIdentity, 'boot' | 'namespace'> | undefined;

/** Reads once what does not change while this process runs. */
function currentRun(): Pick<ProcessIdentity, 'boot' | 'namespace'> {
  knownRun ??= {
    boot: readProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '',
    namespace: readProc(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  };
  return knownRun;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is a process of another user.
    return !hasCode(error, 'ESRCH');
  }
}

function startOf(pid: number): string | undefined {
  const stat = readProc(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of the program is in parentheses and may contain anything. The start is the 20th field after it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Returns undefined except on Linux, for ended processes, and if `/proc` is not mounted or hides processes. */
function readProc(read: () => string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return read();
  } catch {
    return undefined;
  }
}
