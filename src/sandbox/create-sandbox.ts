import { errorMessage } from '../core/index.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openDirectory } from './directory.ts';
import { openDocker, removeContainer, staleContainers } from './docker.ts';
import { removeFolder, staleFolders } from './folder.ts';
import { parseSandboxLimits } from './limits.ts';
import type { SandboxBackend } from './place.ts';
import { createSandboxOn } from './sandbox.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Sandbox, SandboxHandle, SandboxLimits, SandboxOptions, SandboxProvider } from './types.ts';

type OpenBackend = (options: SandboxOptions, limits: SandboxLimits) => Promise<SandboxBackend>;

const providers: Readonly<Record<SandboxProvider, OpenBackend>> = {
  bubblewrap: openBubblewrap,
  docker: openDocker,
  directory: openDirectory,
};

const swept = new Map<SandboxProvider, Promise<void>>();

/**
 * Makes a sandbox: files that persist, and commands that run in it without network, within limits of time, memory,
 * processes, output and disk. The first one of a process also removes those that killed processes have left behind.
 * Rejects with a SandboxError `unavailable` that says what to do where the provider cannot be used on this machine.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { provider = 'bubblewrap' } = options;
  const limits = parseSandboxLimits(options);
  const open = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (!open) throw new TypeError(`provider is '${provider}'; there are ${Object.keys(providers).join(', ')}`);
  const place = await open(options, limits);
  if (!swept.has(provider)) swept.set(provider, sweep(provider));
  await swept.get(provider);
  return createSandboxOn(place, limits, options.env);
}

/**
 * Removes a sandbox by its handle, in any process, once or more often; what runs in it is not waited for. A handle is
 * JSON from elsewhere: what is none of a sandbox is a SandboxError, and nothing is removed.
 */
export async function removeSandbox(handle: unknown): Promise<void> {
  const { provider, container, folder } = (handle ?? {}) as Record<string, unknown>;
  if (provider === 'docker' && typeof container === 'string') return removeContainer(container);
  if ((provider === 'bubblewrap' || provider === 'directory') && typeof folder === 'string')
    return removeFolder(folder);
  throw new SandboxError('failed', `this is no handle of a sandbox: ${JSON.stringify(handle)}`);
}

/** Removes the sandboxes whose process is gone, and gives their handles. `createSandbox` does it once by itself. */
export async function removeStaleSandboxes(provider: SandboxProvider = 'bubblewrap'): Promise<SandboxHandle[]> {
  const stale = await findStale(provider);
  for (const handle of stale) await removeSandbox(handle);
  return stale;
}

/** Why sandboxes of a provider cannot be made on this machine, and what to do; undefined where they can. */
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

/** What cannot be removed now is no reason not to make another. */
async function sweep(provider: SandboxProvider): Promise<void> {
  try {
    await removeStaleSandboxes(provider);
  } catch (error) {
    process.emitWarning(`cannot remove old sandboxes: ${errorMessage(error)}`, { type: 'SandboxWarning' });
  }
}
