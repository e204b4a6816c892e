import { type ChildProcess, spawn } from 'node:child_process';
import { release } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  bubblewrapArguments,
  checkReadable,
  FOLDERS,
  limitCommand,
  NAMESPACES,
  writeUserFiles,
} from './bubblewrap-arguments.ts';
import { explainBubblewrapError } from './bubblewrap-error.ts';
import { commandUser, type User } from './command-user.ts';
import { diskUsage } from './disk-usage.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { inheritedFiles } from './inherited-files.ts';
import { killGroup } from './kill-group.ts';
import type { Place, Program } from './place.ts';
import { type StartedProgram, untilEnd } from './run-program.ts';
import { SandboxError } from './sandbox-error.ts';
import type { SandboxLimits, SandboxOptions } from './types.ts';
import { watchUsage } from './watch-usage.ts';

/** The pipes besides stdin, stdout and stderr. */
const [ARGUMENTS_FD, STATUS_FD, LIFE_FD] = [3, 4, 5];

/** Whether this machine's bubblewrap can keep commands from making namespaces of their own; found out once. */
let closesNamespaces: Promise<boolean> | undefined;

type Start = (program: Program, closing: boolean) => StartedProgram;

/** A folder that persists. Each command gets namespaces of its own around it, which end with it. */
export async function openBubblewrap(options: SandboxOptions, limits: SandboxLimits): Promise<Place> {
  refuseSystem();
  const readable = checkReadable(options.readable ?? []);
  const user = commandUser();
  const folder = await makeFolder(FOLDERS, user);
  const remove = () => removeFolder(folder);
  let diskBefore = 0;

  const start: Start = (program, closing) => {
    const inside = bubblewrapArguments(folder, program.env, readable, closing);
    const argv = limitCommand(program.argv, limits, diskBefore > limits.diskBytes);
    const child = spawnBubblewrap(inside, { ...program, argv }, user);
    const status = readStatus(child.stdio[STATUS_FD] as Readable);
    return {
      child,
      kill: () => killGroup(child),
      watch: (reached, failed) => {
        const unwatch = watchUsage(folder, status.root, diskBefore, limits, reached, failed);
        return async () => {
          await unwatch();
          diskBefore = await diskUsage(folder);
        };
      },
      exitCode: async (stderr) => {
        const exitCode = await status.exitCode;
        if (exitCode === undefined) throw new SandboxError('failed', explainBubblewrapError(stderr));
        return exitCode;
      },
    };
  };

  try {
    await writeUserFiles(folder);
    closesNamespaces ??= findOut(start);
    const closing = await closesNamespaces;
    const handle = { provider: 'bubblewrap', folder } as const;
    return { provider: 'bubblewrap', handle, workdir: '/work', start: (program) => start(program, closing), remove };
  } catch (error) {
    closesNamespaces = undefined;
    await remove();
    throw error;
  }
}

/** What is missing on this machine is told when a sandbox is made, not when it is used. */
function refuseSystem(): void {
  if (process.platform !== 'linux') {
    throw new SandboxError('unavailable', `bubblewrap is for Linux, and this is ${process.platform}: use 'docker'`);
  }
  const [major = 0, minor = 0] = release().split('.').map(Number);
  // Before, processes were counted for a user, not for a sandbox.
  if (major > 5 || (major === 5 && minor >= 14)) return;
  throw new SandboxError('unavailable', `bubblewrap needs Linux 5.14 or newer, and this is ${release()}: use 'docker'`);
}

/**
 * Runs a first command. Namespaces are closed to it where that is possible: bubblewrap does not know of it before 0.8,
 * and some systems refuse it. It is a hardening that commands can be run without.
 */
async function findOut(start: Start): Promise<boolean> {
  const refused = await tryCommand(start, true);
  if (refused === undefined) return true;
  const problem = await tryCommand(start, false);
  if (problem === undefined) return false;
  throw new SandboxError('unavailable', problem);
}

/** What keeps a command from being run. */
async function tryCommand(start: Start, closing: boolean): Promise<string | undefined> {
  const { watch: _unwatched, ...program } = start({ argv: ['true'], env: {}, hasInput: false }, closing);
  try {
    await untilEnd(program, { timeoutMs: 30_000, stdoutBytes: 0, stderrBytes: 4_096 }).end;
    return undefined;
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
}

/**
 * Runs bubblewrap, and beside it, outside of the sandbox, a watcher for the end of this process, or of its thread: then
 * the pipe to it breaks. Either way the process group ends as one, since bubblewrap's own `--die-with-parent` has gaps
 * while a sandbox is set up. The exit code comes through another pipe.
 */
const WATCHED = `
  (read -r nothing <&${LIFE_FD}; kill -9 -$$) <&- >&- 2>&- ${ARGUMENTS_FD}<&- ${STATUS_FD}>&- &
  bwrap "$@" ${LIFE_FD}<&-
  kill -9 -$$`;

function spawnBubblewrap(inside: string[], { argv, hasInput }: Program, user?: User): ChildProcess {
  const ownArguments = ['--args', `${ARGUMENTS_FD}`, '--json-status-fd', `${STATUS_FD}`, ...NAMESPACES, '--', ...argv];
  const child = spawn('sh', ['-c', WATCHED, 'sh', ...ownArguments], {
    // The server's variables hold secrets, and stay here.
    env: { PATH: process.env.PATH },
    cwd: '/',
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...inheritedFiles()],
    // A process group to be ended as one, and a session without a terminal.
    detached: true,
    ...user,
  });
  const argumentPipe = child.stdio[ARGUMENTS_FD] as Writable;
  // Where bubblewrap ends before it has read them, its status tells.
  argumentPipe.on('error', () => {});
  // Through a pipe, so that no variable of the commands is seen in the host's list of processes.
  argumentPipe.end(inside.map((word) => `${word}\0`).join(''));
  return child;
}

/** bubblewrap's own report: the process that all others descend from, and the exit code if a command has been run. */
function readStatus(pipe: Readable) {
  let seeRoot: (pid: number | undefined) => void;
  const root = new Promise<number | undefined>((resolve) => {
    seeRoot = resolve;
  });
  const read = async () => {
    let exitCode: number | undefined;
    for await (const line of createInterface(pipe)) {
      const status: { 'child-pid'?: number; 'exit-code'?: number } = JSON.parse(line);
      if (status['child-pid'] !== undefined) seeRoot(status['child-pid']);
      exitCode = status['exit-code'] ?? exitCode;
    }
    seeRoot(undefined);
    return exitCode;
  };
  const exitCode = read();
  // Told where the exit code is asked for.
  exitCode.catch(() => seeRoot(undefined));
  return { root, exitCode };
}
