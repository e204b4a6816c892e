import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { OrsClient, type RemoteEnvironment } from '../client/index.ts';
import type { Environment } from '../environment/index.ts';
import { describeThrown, type HostedEnvironment, importEnvironments, loadEnvironments } from '../hosting/index.ts';
import { serve } from '../server/index.ts';

/** Environments to validate: those of this process, or those of a server. */
export type ValidationTarget =
  | {
      readonly environments: readonly Environment[];
      /** The environments of a second copy of the module. `validate` closes them. @default none */
      readonly secondCopy?: readonly HostedEnvironment[];
      /** Reason why the second copy could not be loaded. */
      readonly secondCopyFailure?: string;
    }
  | { readonly client: OrsClient };

/**
 * Loads the environments of a module like a server does, and a second copy of the module in a separate thread.
 *
 * @param module a path or a `file:` URL.
 * @throws Error if the module does not exist, cannot be loaded, or exports no environment.
 * @example
 * const report = await validate(await loadTarget('environment.ts'));
 */
export async function loadTarget(module: string | URL): Promise<ValidationTarget> {
  const url =
    module instanceof URL || module.startsWith('file:') ? String(module) : pathToFileURL(resolve(module)).href;
  const environments = await importEnvironments(url);
  try {
    return { environments, secondCopy: await loadEnvironments([url], { isolation: 'worker', threads: 1 }) };
  } catch (error) {
    return { environments, secondCopyFailure: describeThrown(error, 'message') };
  }
}

/** One environment, over HTTP and, if its code is available, in this process. */
export interface ValidatedEnvironment {
  readonly remote: RemoteEnvironment;
  /** The same environment in a second copy of its module. */
  readonly secondCopy: RemoteEnvironment | undefined;
  readonly source: Environment | undefined;
}

export interface OpenedTarget extends AsyncDisposable {
  readonly environments: readonly ValidatedEnvironment[];
}

/** Maximum wait for the teardown of an episode, which might hang. */
const MAX_DELETE_WAIT_MS = 20_000;

/** Serves environments and their second copy, or lists the environments of a server. */
export async function openTarget(
  target: ValidationTarget,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OpenedTarget> {
  const disposers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const dispose of disposers.splice(0).reverse()) await dispose();
  };
  try {
    if ('client' in target) {
      const names = await target.client.environments({ signal });
      const environments = names.map((name) => ({
        remote: target.client.environment(name),
        secondCopy: undefined,
        source: undefined,
      }));
      return { environments, [Symbol.asyncDispose]: close };
    }
    const deleteWaitMs = Math.min(timeoutMs, MAX_DELETE_WAIT_MS);
    const serveToClient = async (served: readonly (Environment | HostedEnvironment)[]) => {
      const server = await serve(served, { port: 0, log: pino({ level: 'silent' }), metrics: false, deleteWaitMs });
      disposers.push(() => server.close());
      // Long retries would hide problems of a server in this process.
      const client = new OrsClient(server.url, { responseTimeoutMs: timeoutMs * 2, retry: { budgetMs: 2_000 } });
      disposers.push(() => client.close());
      return client;
    };
    const { environments, secondCopy = [] } = target;
    const first = await serveToClient(environments);
    const second = secondCopy.length > 0 ? await serveToClient(secondCopy) : undefined;
    const validated = environments.map((source) => ({
      remote: first.environment(source.name),
      secondCopy: second?.environment(source.name),
      source,
    }));
    return { environments: validated, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
