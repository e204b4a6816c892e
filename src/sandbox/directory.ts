import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { killGroup } from '../core/node/index.ts';
import { type CommandUser, getCommandUser } from './command-user.ts';
import { createSandboxFolder, removeFolder } from './folder.ts';
import type { ProgramSpec, SandboxBackend } from './place.ts';

let warned = false;

/** A plain folder. Commands reach all that their user reaches: the user of this process, or `nobody` in place of root. */
export async function openDirectory(): Promise<SandboxBackend> {
  if (!warned) {
    warned = true;
    process.emitWarning(
      "the sandbox provider 'directory' isolates nothing: commands run as you, and reach your files and your network. " +
        "Use 'bubblewrap' or 'docker' for commands that you do not trust.",
      { type: 'SandboxWarning', code: 'ORS_SANDBOX_ISOLATES_NOTHING' },
    );
  }
  const user = getCommandUser();
  const folder = await createSandboxFolder(['work'], user);
  const workdir = join(folder, 'work');
  return {
    provider: 'directory',
    handle: { provider: 'directory', folder },
    workdir,
    guarantees: { ownUser: false, diskLimit: false, systemCalls: false },
    start: (program) => start(program, workdir, user),
    remove: () => removeFolder(folder),
  };
}

function start({ argv, env, hasInput }: ProgramSpec, workdir: string, user?: CommandUser) {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {
    // Not the folder: commands may have removed it.
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: workdir, LANG: 'C.UTF-8', ...env },
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // A group of its own, to be ended as one.
    detached: true,
    ...user,
  });
  const kill = () => killGroup(child, 'SIGKILL');
  const exitCode = () => child.exitCode ?? 128 + (child.signalCode ? constants.signals[child.signalCode] : 0);
  return { child, kill, killRemaining: kill, exitCode };
}
