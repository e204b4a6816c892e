import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeThrown, type HostedEnvironment, importEnvironments, loadEnvironments } from '../hosting/index.ts';
import type { ValidationTarget } from './gather/open-target.ts';

/**
 * Loads the environments of a module, as a server does, and a second copy of the module in a thread of its own.
 *
 * @param module A path, or a `file:` URL.
 * @throws Error naming the module that is not there, does not load, or exports no environment.
 */
export async function loadTarget(module: string | URL): Promise<ValidationTarget> {
  const url =
    module instanceof URL || module.startsWith('file:') ? String(module) : pathToFileURL(resolve(module)).href;
  const environments = await importEnvironments(url);
  try {
    const fresh: HostedEnvironment[] = await loadEnvironments([url], { isolation: 'worker', threads: 1 });
    return { environments, secondCopy: fresh };
  } catch (error) {
    return { environments, secondCopyFailure: describeThrown(error, 'message') };
  }
}
