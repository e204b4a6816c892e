import { errorMessage } from '../core/index.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openDirectory } from './directory.ts';
import { openDocker, removeContainer, staleContainers } from './docker.ts';
import { createFileAccess } from './files.ts';
import { removeFolder, staleFolders } from './folder.ts';
import { parseSandboxLimits } from './limits.ts';
import { createProgramRunner, type SandboxBackend } from './run-program.ts';
import { createSaving } from './save.ts';
import { snapshotStore, useSnapshot } from './snapshots.ts';
import {
  type Sandbox,
  SandboxError,
  type SandboxHandle,
  type SandboxLimits,
  type SandboxOptions,
  type SandboxProvider,
} from './types.ts';

type OpenBackend = (options: SandboxOptions, limits: SandboxLimits, snapshot?: string) => Promise<SandboxBackend>;

const providers: Readonly<Record<SandboxProvider, OpenBackend>> = {
  bubblewrap: openBubblewrap,
  docker: openDocker,
  directory: (_options, _limits, snapshot) => openDirectory(snapshot),
};

const swept = new Map<SandboxProvider, Promise<void>>();

/**
 * Creates a sandbox: files that persist, and commands that run without network, within limits of time, memory, processes,
 * output and disk. The first sandbox of a process also removes those that killed processes have left behind.
 *
 * @throws SandboxError `unavailable`, with advice, if the provider cannot be used on this machine; TypeError for invalid
 * options; SandboxError `not-found` if the snapshot `from` does not exist.
 * @example
 * await using sandbox = await createSandbox({ timeoutMs: 10_000 });
 * const { exitCode, stdout } = await sandbox.run('ls -l');
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { provider = 'bubblewrap' } = options;
  const limits = parseSandboxLimits(options);
  const open = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (!open) {
    throw new TypeError(`invalid provider: expected ${Object.keys(providers).join(', ')}, got '${provider}'`);
  }
  const store = snapshotStore(options);
  const snapshot = options.from === undefined ? undefined : await useSnapshot(store, options.from);
  const backend = await open(options, limits, snapshot);
  if (!swept.has(provider)) swept.set(provider, sweep(provider));
  await swept.get(provider);
  const { handle, workdir, guarantees } = backend;
  const programs = createProgramRunner(backend, options.env ?? {});
  const saving = await createSaving(backend, programs.runAlone, store, options.from).catch(async (error) => {
    await programs.remove();
    throw error;
  });
  const { outputBytes } = limits;
  return {
    provider,
    handle,
    workdir,
    guarantees,
    run: async (command, { timeoutMs = limits.timeoutMs, ...runOptions } = {}) => {
      const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
      if (argv.length === 0) throw new TypeError('invalid command: expected a program and its arguments, got []');
      const bounds = { timeoutMs, stdoutBytes: outputBytes, stderrBytes: outputBytes };
      const { stdout, stderr, durationMs, ...ended } = await programs.run(argv, bounds, runOptions);
      const out = stdout.read();
      const err = stderr.read();
      const omitted = { stdoutOmitted: out.omitted, stderrOmitted: err.omitted };
      return { ...ended, stdout: out.text, stderr: err.text, ...omitted, durationMs };
    },
    ...createFileAccess(programs.run, workdir, limits),
    ...saving,
    remove: programs.remove,
    [Symbol.asyncDispose]: programs.remove,
  };
}

/**
 * Removes a sandbox by its handle, from any process, without waiting for its commands. Does nothing if it is already
 * removed.
 *
 * @param handle JSON, which may come from elsewhere.
 * @throws SandboxError if it is not the handle of a sandbox; nothing is removed then.
 * @example
 * defineEnvironment({ ...definition, reap: removeSandbox });
 */
export async function removeSandbox(handle: unknown): Promise<void> {
  const { provider, container, folder } = (handle ?? {}) as Record<string, unknown>;
  if (provider === 'docker' && typeof container === 'string') return removeContainer(container);
  if ((provider === 'bubblewrap' || provider === 'directory') && typeof folder === 'string')
    return removeFolder(folder);
  throw new SandboxError('failed', `not the handle of a sandbox: ${JSON.stringify(handle)}`);
}

/**
 * Removes the sandboxes of processes that no longer exist. `createSandbox` does this once per process.
 *
 * @returns the handles of the removed sandboxes.
 * @example
 * console.log(`removed ${(await removeStaleSandboxes()).length} sandboxes`);
 */
export async function removeStaleSandboxes(provider: SandboxProvider = 'bubblewrap'): Promise<SandboxHandle[]> {
  const stale = await findStale(provider);
  for (const handle of stale) await removeSandbox(handle);
  return stale;
}

/**
 * Returns why a provider cannot be used on this machine, with advice; undefined if it can.
 *
 * @throws TypeError for invalid options; SandboxError for any other failure.
 * @example
 * const problem = await findSandboxProblem({ provider: 'docker' });
 * if (problem !== undefined) throw new Error(problem);
 */
export async function findSandboxProblem(options: SandboxOptions = {}): Promise<string | undefined> {
  try {
    await (await createSandbox(options)).remove();
    return undefined;
  } catch (error) {
    if (error instanceof SandboxError && error.code === 'unavailable') return error.message;
    throw error;
  }
}

async function findStale(provider: SandboxProvider): Promise<SandboxHandle[]> {
  if (provider === 'docker') return (await staleContainers()).map((container) => ({ provider, container }));
  return (await staleFolders()).map((folder) => ({ provider, folder }));
}

/** A failure does not prevent the creation of a sandbox. */
async function sweep(provider: SandboxProvider): Promise<void> {
  try {
    await removeStaleSandboxes(provider);
  } catch (error) {
    process.emitWarning(`cannot remove old sandboxes: ${errorMessage(error)}`, { type: 'SandboxWarning' });
  }
}
