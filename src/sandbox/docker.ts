import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import { errorMessage } from '../core/index.ts';
import { identityFromText, identityToText, processIdentity, processState } from '../core/node/index.ts';
import { explainDockerError } from './docker-error.ts';
import { LOCKED_BYTES, MESSAGE_QUEUE_BYTES, OPEN_FILES, QUEUED_SIGNALS } from './limits.ts';
import type { ProgramSpec, SandboxBackend } from './place.ts';
import type { StartedProgram } from './run-program.ts';
import { SandboxError } from './sandbox-error.ts';
import type { SandboxLimits, SandboxOptions } from './types.ts';

const IMAGE = 'debian:bookworm-slim';
const OWNER_LABEL = 'ors-kit.owner';
/** A container ends by itself after a day, whatever has become of the process that started it. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const execute = promisify(execFile);

/** A container that waits, and in which each command is run. Its files persist, wherever they are. */
export async function openDocker(options: SandboxOptions, limits: SandboxLimits): Promise<SandboxBackend> {
  const container = `ors-sandbox-${randomUUID()}`;
  const remove = () => removeContainer(container);
  let diskLimit: boolean;
  try {
    diskLimit = await startContainer(container, options.image ?? IMAGE, limits);
    // For images whose user is not root.
    await docker('exec', '--user', '0', container, 'sh', '-c', 'mkdir -p /work && chmod 1777 /work');
  } catch (error) {
    // It may have been made though it could not be started. What went wrong first is what is told.
    await remove().catch(() => {});
    throw error;
  }
  const start = (program: ProgramSpec) => startInContainer(container, program);
  return {
    provider: 'docker',
    handle: { provider: 'docker', container },
    workdir: '/work',
    // Its profile for seccomp does what the filter of bubblewrap does. Its users are those of the host.
    guarantees: { ownUser: false, diskLimit, systemCalls: true },
    start,
    remove,
  };
}

/** Set once the daemon has refused to limit the size of containers. */
let refusal: string | undefined;

/** Starts a container, and returns whether the daemon limits its disk. */
async function startContainer(container: string, image: string, limits: SandboxLimits): Promise<boolean> {
  if (refusal === undefined) {
    try {
      await docker(...runArguments(container, image, limits, ['--storage-opt', `size=${limits.diskBytes}`]));
      return true;
    } catch (error) {
      if (!/storage-opt|pquota|storage driver/i.test(errorMessage(error))) throw error;
      refusal = errorMessage(error);
      warnOfDisk(refusal);
      // It may have been made though it could not be started.
      await removeContainer(container);
    }
  }
  await docker(...runArguments(container, image, limits, []));
  return false;
}

function warnOfDisk(reason: string): void {
  process.emitWarning(
    `sandboxes of Docker are weaker here: diskBytes limits each file, not their sum, since the daemon's storage driver ` +
      `limits no container. Use overlay2 on XFS with the mount option pquota, btrfs or zfs. ${reason}`,
    { type: 'SandboxWarning', code: 'ORS_SANDBOX_WEAKER' },
  );
}

function runArguments(container: string, image: string, limits: SandboxLimits, storage: readonly string[]): string[] {
  const { memoryBytes, processes, diskBytes } = limits;
  return [
    ...['run', '--detach', '--rm', '--init', '--name', container, '--hostname', 'sandbox'],
    ...['--label', `${OWNER_LABEL}=${identityToText(processIdentity())}`, '--log-driver', 'none'],
    ...['--network', 'none', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // As much memory with swap as without: no swap.
    ...['--memory', `${memoryBytes}`, '--memory-swap', `${memoryBytes}`, '--pids-limit', `${processes}`],
    ...['--ulimit', 'core=0', '--ulimit', `nofile=${OPEN_FILES}`, '--ulimit', `fsize=${diskBytes}`],
    // Counted per user, and container users are those of the host.
    ...['--ulimit', `sigpending=${QUEUED_SIGNALS}`, '--ulimit', `msgqueue=${MESSAGE_QUEUE_BYTES}`],
    ...['--ulimit', `memlock=${LOCKED_BYTES}`, '--ipc', 'private', ...storage],
    ...['--entrypoint', 'sleep', image, `${LIFETIME_SECONDS}`],
  ];
}

function startInContainer(container: string, { argv, env, hasInput }: ProgramSpec): StartedProgram {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const input = hasInput ? ['--interactive'] : [];
  const child = spawn('docker', ['exec', ...input, ...variables, container, ...argv], {
    env: process.env,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  return {
    child,
    kill: async () => {
      child.kill('SIGKILL');
      // Docker cannot end what `exec` has started. Starting the container anew ends all processes and keeps all files,
      // also where there is no process left to be had for anything inside.
      await docker('restart', '-t', '0', container);
    },
    exitCode: async (stderr) => {
      await refuseDockerFailure(container, stderr);
      return child.exitCode ?? 128 + (child.signalCode ? constants.signals[child.signalCode] : 0);
    },
  };
}

/** `docker exec` tells of its own failures by the exit codes of commands. A container that runs has run the command. */
async function refuseDockerFailure(container: string, stderr: string): Promise<void> {
  if (!/^(Error|Cannot connect|error during connect|permission denied)/i.test(stderr)) return;
  const state = await docker('inspect', '--format', '{{.State.Running}}', container).catch((error: Error) => error);
  if (state === 'true') return;
  throw new SandboxError('failed', `the command's container does not run any more: ${stderr.trim().split('\n')[0]}`);
}

/** Removes a container and ends what runs in it. One that is gone is no error. */
export async function removeContainer(container: string): Promise<void> {
  if (!container.startsWith('ors-sandbox-')) {
    throw new SandboxError('failed', `${JSON.stringify(container)} is not removed: it is no container of a sandbox`);
  }
  try {
    await docker('rm', '--force', '--volumes', container);
  } catch (error) {
    // An error before Docker 20.10; and it may be on its way out by itself.
    if (!/No such container|already in progress/.test(errorMessage(error))) throw error;
  }
}

/** The containers of sandboxes whose process is gone. */
export async function staleContainers(): Promise<string[]> {
  const format = `{{.Names}}\t{{.Label "${OWNER_LABEL}"}}`;
  const lines = (await docker('ps', '--all', '--filter', `label=${OWNER_LABEL}`, '--format', format)).split('\n');
  return lines.flatMap((line) => {
    const [container = '', label = ''] = line.split('\t');
    const owner = identityFromText(label);
    return owner && processState(owner) === 'gone' ? [container] : [];
  });
}

async function docker(...args: string[]): Promise<string> {
  try {
    return (await execute('docker', args, { env: process.env })).stdout.trim();
  } catch (error) {
    throw explainDockerError(args[0] ?? '', error as NodeJS.ErrnoException & { stderr?: string });
  }
}
