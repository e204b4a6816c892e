import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { killGroup } from '../core/node/index.ts';
import { type CommandUser, getCommandUser } from './command-user.ts';
import { createSandboxFolder, removeFolder } from './folder.ts';
import { type ProgramSpec, type SandboxBackend, shellExitCode } from './run-program.ts';
import { copySnapshot } from './snapshots.ts';

let warned = false;

/** Opens a plain folder. Commands have all permissions of the user of this process, or of `nobody` instead of root. */
export async function openDirectory(snapshot?: string): Promise<SandboxBackend> {
  if (!warned) {
    warned = true;
    process.emitWarning(
      "the sandbox provider 'directory' isolates nothing: commands run as you, with access to your files and network. " +
        "Use 'bubblewrap' or 'docker' for untrusted commands.",
      { type: 'SandboxWarning', code: 'ORS_SANDBOX_ISOLATES_NOTHING' },
    );
  }
  const user = getCommandUser();
  const folder = await createSandboxFolder(['work'], user);
  const workdir = join(folder, 'work');
  if (snapshot !== undefined) {
    await copySnapshot(snapshot, ['work'], folder, user).catch(async (error) => {
      await removeFolder(folder);
      throw error;
    });
  }
  return {
    provider: 'directory',
    handle: { provider: 'directory', folder },
    workdir,
    guarantees: { ownUser: false, diskLimit: false, systemCalls: false, copyOnWrite: false },
    saved: { root: folder, names: ['work'] },
    start: (program) => start(program, workdir, user),
    remove: () => removeFolder(folder),
  };
}

function start({ argv, env, hasInput }: ProgramSpec, workdir: string, user?: CommandUser) {
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {
    // Commands may have removed the folder of the sandbox.
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: workdir, LANG: 'C.UTF-8', ...env },
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // A separate process group, which can be killed as a whole.
    detached: true,
    ...user,
  });
  const kill = () => killGroup(child, 'SIGKILL');
  return { child, kill, killRemaining: kill, exitCode: () => shellExitCode(child) };
}
