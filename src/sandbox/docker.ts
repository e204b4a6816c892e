import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { errorMessage } from '../core/index.ts';
import { identityFromText, identityToText, processIdentity, processState } from '../core/node/index.ts';
import { LOCKED_BYTES, MESSAGE_QUEUE_BYTES, OPEN_FILES, QUEUED_SIGNALS } from './limits.ts';
import { type ProgramSpec, type SandboxBackend, type StartedProgram, shellExitCode } from './run-program.ts';
import { SandboxError, type SandboxLimits, type SandboxOptions } from './types.ts';

const IMAGE = 'debian:bookworm-slim';
const OWNER_LABEL = 'ors-kit.owner';
/** A container ends after a day, even if the process that started it was killed. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const execute = promisify(execFile);

/** Starts a container that waits, and in which each command is run. All of its files persist. */
export async function openDocker(
  options: SandboxOptions,
  limits: SandboxLimits,
  snapshot?: string,
): Promise<SandboxBackend> {
  if (snapshot !== undefined) {
    throw new SandboxError('unavailable', "the provider 'docker' cannot start from a snapshot: use 'bubblewrap'");
  }
  const container = `ors-sandbox-${randomUUID()}`;
  const remove = () => removeContainer(container);
  let diskLimit: boolean;
  try {
    diskLimit = await startContainer(container, options.image ?? IMAGE, limits);
    // For images whose user is not root.
    await docker('exec', '--user', '0', container, 'sh', '-c', 'mkdir -p /work && chmod 1777 /work');
  } catch (error) {
    // The container may exist although it could not be started. The first error is reported.
    await remove().catch(() => {});
    throw error;
  }
  return {
    provider: 'docker',
    handle: { provider: 'docker', container },
    workdir: '/work',
    // Docker's seccomp profile filters what the filter of bubblewrap does. Users of containers are those of the host.
    guarantees: { ownUser: false, diskLimit, systemCalls: true, copyOnWrite: false },
    start: (program) => startInContainer(container, program),
    remove,
  };
}

/** True once the daemon has refused to limit the size of containers. */
let refusesSize = false;

/** Starts a container, and returns whether the daemon limits its disk. */
async function startContainer(container: string, image: string, limits: SandboxLimits): Promise<boolean> {
  if (!refusesSize) {
    try {
      await docker(...runArguments(container, image, limits, ['--storage-opt', `size=${limits.diskBytes}`]));
      return true;
    } catch (error) {
      if (!/storage-opt|pquota|storage driver/i.test(errorMessage(error))) throw error;
      refusesSize = true;
      process.emitWarning(
        `sandboxes of Docker are weaker here: diskBytes limits each file, not their sum, since the daemon's storage driver ` +
          `limits no container. Use overlay2 on XFS with the mount option pquota, btrfs or zfs. ${errorMessage(error)}`,
        { type: 'SandboxWarning', code: 'ORS_SANDBOX_WEAKER' },
      );
      // The container may exist although it could not be started.
      await removeContainer(container);
    }
  }
  await docker(...runArguments(container, image, limits, []));
  return false;
}

function runArguments(container: string, image: string, limits: SandboxLimits, storage: readonly string[]): string[] {
  const { memoryBytes, processes, diskBytes } = limits;
  return [
    ...['run', '--detach', '--rm', '--init', '--name', container, '--hostname', 'sandbox'],
    ...['--label', `${OWNER_LABEL}=${identityToText(processIdentity())}`, '--log-driver', 'none'],
    ...['--network', 'none', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // The same limit with and without swap means no swap.
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
      // Docker cannot end a process that `exec` has started. A restart ends all processes and keeps all files, even if
      // the process limit is reached and nothing can be started inside.
      await docker('restart', '-t', '0', container);
    },
    exitCode: async (stderr) => {
      await assertContainerRan(container, stderr);
      return shellExitCode(child);
    },
  };
}

/** `docker exec` reports its own failures as exit codes. If the container still runs, it has run the command. */
async function assertContainerRan(container: string, stderr: string): Promise<void> {
  if (!/^(Error|Cannot connect|error during connect|permission denied)/i.test(stderr)) return;
  const state = await docker('inspect', '--format', '{{.State.Running}}', container).catch((error: Error) => error);
  if (state === 'true') return;
  throw new SandboxError('failed', `the command's container is no longer running: ${stderr.trim().split('\n')[0]}`);
}

/** Removes a container and ends its processes. Does nothing if it is already removed. */
export async function removeContainer(container: string): Promise<void> {
  if (!container.startsWith('ors-sandbox-')) {
    throw new SandboxError('failed', `cannot remove ${JSON.stringify(container)}: not the container of a sandbox`);
  }
  try {
    await docker('rm', '--force', '--volumes', container);
  } catch (error) {
    // An error before Docker 20.10, and if the container is just ending by itself.
    if (!/No such container|already in progress/.test(errorMessage(error))) throw error;
  }
}

/** Returns the containers of sandboxes whose process no longer exists. */
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
    throw explainDockerError(args[0] ?? '', error as ExecFileException);
  }
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/Cannot connect to the Docker daemon|error during connect/, 'start Docker, or set DOCKER_HOST to where it runs'],
  [/permission denied/i, 'allow this user to use Docker: `sudo usermod -aG docker $USER`, then log in again'],
  [
    /pull access denied|manifest unknown|No such image|not found: manifest/,
    'check the option `image`, and run `docker pull` with it',
  ],
  [/executable file not found/, 'the image needs `sh`, `sleep`, `head`, `cat` and `mkdir`'],
];

/** Returns the error for a failure of the program `docker`, with what to do. */
function explainDockerError(task: string, error: ExecFileException): SandboxError {
  if (error.code === 'ENOENT') {
    return new SandboxError('unavailable', "the program 'docker' is missing: install Docker, or use 'bubblewrap'");
  }
  const output = error.stderr?.trim().replaceAll('\n', ' ') || error.message;
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const message = `docker ${task} failed: ${output}${remedy ? `. What to do: ${remedy}` : ''}`;
  return new SandboxError(remedy ? 'unavailable' : 'failed', message, { cause: error });
}
