import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { deferred, hasCode, readLines, settlesWithin } from '../core/index.ts';
import { killGroup } from '../core/node/index.ts';
import {
  assertReadablePaths,
  bubblewrapArguments,
  limitCommand,
  NAMESPACES,
  writeUserFiles,
} from './bubblewrap-arguments.ts';
import { candidateIsolations, chooseIsolation, type IsolationMethod } from './choose-isolation.ts';
import { explainBubblewrapError, findProgram, inheritedFiles, SANDBOX_PATH_VARIABLE } from './host-programs.ts';
import { epollLimits, OPEN_FILES } from './limits.ts';
import { type ProgramSpec, runToEnd, type SandboxBackend, type StartedProgram } from './run-program.ts';
import { buildSeccompFilter } from './seccomp.ts';
import { openStorage, type SandboxVolume } from './storage.ts';
import { SandboxError, type SandboxLimits, type SandboxOptions } from './types.ts';
import { measureDiskUsage, watchUsage } from './watch-usage.ts';

/** Pipes in addition to stdin, stdout and stderr. */
const [ARGUMENTS_FD, STATUS_FD, LIFE_FD, SECCOMP_FD] = [3, 4, 5, 6];
/** Time for the processes in the sandbox to end before the process group is killed from outside. */
const KILL_MS = 2_000;

/** Opens a folder that persists. Each command runs in separate namespaces, which end with the command. */
export async function openBubblewrap(
  options: SandboxOptions,
  limits: SandboxLimits,
  snapshot?: string,
): Promise<SandboxBackend> {
  assertSystem();
  assertReadablePaths(options.readable ?? []);
  const isolation = await chooseIsolation(candidateIsolations(options, limits), async (candidate) => {
    const trial = await openWith(candidate, options, limits);
    try {
      await runTrue(trial);
    } finally {
      await trial.remove();
    }
  });
  return openWith(isolation, options, limits, snapshot);
}

async function openWith(
  isolation: IsolationMethod,
  options: SandboxOptions,
  limits: SandboxLimits,
  snapshot?: string,
): Promise<SandboxBackend> {
  const storage = await openStorage(isolation.storage, isolation.separation, limits, snapshot);
  try {
    await writeUserFiles(storage.folder);
  } catch (error) {
    await storage.remove();
    throw error;
  }
  return {
    provider: 'bubblewrap',
    handle: { provider: 'bubblewrap', folder: storage.folder },
    workdir: '/work',
    guarantees: { ...isolation.guarantees, copyOnWrite: storage.isShared },
    saved: { root: '/', names: ['work', 'tmp'] },
    start: createStarter(storage, isolation, options, limits),
    remove: () => storage.remove(),
  };
}

/** Creates the function that starts programs with limits. */
function createStarter(
  storage: SandboxVolume,
  isolation: IsolationMethod,
  options: SandboxOptions,
  limits: SandboxLimits,
) {
  const { readable = [], loopback = false } = options;
  const filter = buildSeccompFilter(loopback);
  const isWatched = !isolation.guarantees.diskLimit;
  let diskBefore = 0;
  return (program: ProgramSpec): StartedProgram => {
    const inside = bubblewrapArguments(storage, program.env, readable, isolation.closesNamespaces);
    const epoll = isolation.guarantees.ownUser ? undefined : epollLimits(limits.processes, userWatches());
    const openFiles = epoll?.openFiles ?? OPEN_FILES;
    const argv = limitCommand(program.argv, limits, openFiles, diskBefore > limits.diskBytes);
    const child = spawnBubblewrap(storage, inside, { ...program, argv }, filter);
    const status = readStatus(child.stdio[STATUS_FD] as Readable);
    return {
      child,
      kill: () => killFromInside(child, status.root),
      watch: (reached, failed) => {
        const watched = {
          root: status.root,
          devices: storage.devices,
          disk: isWatched ? { folder: storage.folder, before: diskBefore } : undefined,
          // Folders of /proc belong to the subordinate user; from outside, not even the server's user may list them.
          enter: isolation.separation.kind === 'subordinate' ? () => storage.enter : undefined,
          watches: epoll?.watches,
        };
        const unwatch = watchUsage(watched, limits, reached, failed);
        return async () => {
          await unwatch();
          if (isWatched) diskBefore = await measureDiskUsage(storage.folder);
        };
      },
      exitCode: async (stderr) => {
        const exitCode = await status.exitCode;
        if (exitCode === undefined) throw new SandboxError('failed', explainBubblewrapError(stderr));
        return exitCode;
      },
    };
  };
}

/** Returns the maximum number of epoll watches of a user. */
function userWatches(): number {
  return Number(readFileSync('/proc/sys/fs/epoll/max_user_watches', 'latin1'));
}

/** Reports missing requirements when a sandbox is created, not when it is used. */
function assertSystem(): void {
  if (process.platform !== 'linux') {
    throw new SandboxError('unavailable', `bubblewrap is for Linux, and this is ${process.platform}: use 'docker'`);
  }
  const [major = 0, minor = 0] = release().split('.').map(Number);
  // Earlier kernels count processes per user, not per user namespace.
  if (major > 5 || (major === 5 && minor >= 14)) return;
  throw new SandboxError('unavailable', `bubblewrap needs Linux 5.14 or newer, and this is ${release()}: use 'docker'`);
}

/** Runs a first command without measuring memory and disk. Rejects if it cannot be run. */
async function runTrue(backend: SandboxBackend): Promise<void> {
  const { watch: _unwatched, ...program } = backend.start({ argv: ['true'], env: {}, hasInput: false });
  await runToEnd(program, { timeoutMs: 30_000, stdoutBytes: 0, stderrBytes: 4_096 }).end;
}

/**
 * Runs bubblewrap and, outside of the sandbox, a watcher for the end of this process or thread: when it ends, the pipe to
 * the watcher breaks, and the watcher kills the process group. bubblewrap's `--die-with-parent` has gaps while a sandbox
 * is set up: its process inside waits forever if the one outside dies early, for example because of the broken status
 * pipe, so the group is killed at the end too. Every other process is waited for by its parent, since this process, if it
 * is the init of a container, would not reap them. The exit code arrives through another pipe.
 */
const WATCHED = `
  (read -r nothing <&${LIFE_FD}; kill -9 -$$) <&- >&- 2>&- ${ARGUMENTS_FD}<&- ${STATUS_FD}>&- ${SECCOMP_FD}<&- &
  watcher=$!
  "$@" ${LIFE_FD}<&-
  exec >&- 2>&- <&- ${STATUS_FD}>&-
  kill -9 $watcher
  wait
  kill -9 -$$`;

function spawnBubblewrap(
  storage: SandboxVolume,
  inside: string[],
  { argv, hasInput }: ProgramSpec,
  filter?: Buffer,
): ChildProcess {
  const child = spawn(
    findProgram('sh'),
    [
      ...['-c', WATCHED, 'sh', ...storage.enter, findProgram('bwrap')],
      ...['--args', `${ARGUMENTS_FD}`, '--json-status-fd', `${STATUS_FD}`],
      ...(filter ? ['--seccomp', `${SECCOMP_FD}`] : []),
      ...NAMESPACES,
      '--',
      ...argv,
    ],
    {
      // The server's variables may contain secrets. Commands can read this one in /proc/1/environ.
      env: { PATH: SANDBOX_PATH_VARIABLE },
      cwd: '/',
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...inheritedFiles()],
      // A separate process group, which can be killed as a whole, and a session without a terminal.
      detached: true,
      ...storage.user,
    },
  );
  // Sent through a pipe, so that the host's list of processes does not show the variables of commands.
  writeToPipe(child, ARGUMENTS_FD, inside.map((word) => `${word}\0`).join(''));
  writeToPipe(child, SECCOMP_FD, filter ?? '');
  return child;
}

function writeToPipe(child: ChildProcess, fd: number, content: string | Buffer): void {
  const pipe = child.stdio[fd] as Writable;
  // If bubblewrap ends before it has read everything, its status reports that.
  pipe.on('error', () => {});
  pipe.end(content);
}

/**
 * Kills the init of the sandbox's process namespace; the kernel then kills and reaps all other processes in it, and
 * bubblewrap and the shell around it end by themselves. If that takes too long, their process group is killed.
 */
async function killFromInside(child: ChildProcess, root: Promise<number | undefined>): Promise<void> {
  const hasExited = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => (hasExited() ? resolve() : child.once('exit', () => resolve())));
  const killInit = async () => {
    const pid = await root;
    if (pid !== undefined && !hasExited()) killProcess(pid);
    await exited;
  };
  await settlesWithin(KILL_MS, killInit());
  if (!hasExited()) killGroup(child, 'SIGKILL');
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: it has ended. EPERM: the id belongs to a process of another user by now.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Reads the status of bubblewrap: the process from which all others descend, and the exit code if a command has run. */
function readStatus(pipe: Readable) {
  const root = deferred<number | undefined>();
  const read = async () => {
    let exitCode: number | undefined;
    for await (const { text = '' } of readLines(pipe)) {
      const status: { 'child-pid'?: number; 'exit-code'?: number } = JSON.parse(text);
      if (status['child-pid'] !== undefined) root.resolve(status['child-pid']);
      exitCode = status['exit-code'] ?? exitCode;
    }
    root.resolve(undefined);
    return exitCode;
  };
  const exitCode = read();
  // The caller of `exitCode` handles the error.
  exitCode.catch(() => root.resolve(undefined));
  return { root: root.promise, exitCode };
}
