import { pino } from 'pino';
import { OrsClient, type RemoteEnvironment } from '../client/index.ts';
import { definedFields, UnknownNameError } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import {
  describeThrown,
  type HostedEnvironment,
  importEnvironments,
  loadEnvironments,
  moduleUrl,
} from '../hosting/index.ts';
import { type ServerOptions, serve } from '../server/index.ts';

/**
 * Environments to try: those of this process, or those of a server.
 *
 * @example
 * const target: TrialTarget = { environments: [environment] };
 * const { findings } = await validate(target);
 */
export type TrialTarget =
  | {
      readonly environments: readonly Environment[];
      /** The environments of a second copy of the module. `validate` and `audit` close them. @default none */
      readonly secondCopy?: readonly HostedEnvironment[];
      /** Reason why the second copy could not be loaded. */
      readonly secondCopyFailure?: string;
    }
  | { readonly client: OrsClient };

/**
 * Loads the environments of a module like a server does.
 *
 * @param module a path or a `file:` URL.
 * @throws Error if the module does not exist, cannot be loaded, or exports no environment.
 */
export const importTarget = async (module: string | URL): Promise<TrialTarget> => ({
  environments: await importEnvironments(moduleUrl(module)),
});

/**
 * Loads the environments of a module like a server does, and a second copy of the module in a separate thread.
 *
 * @param module a path or a `file:` URL.
 * @throws Error if the module does not exist, cannot be loaded, or exports no environment.
 * @example
 * const report = await validate(await loadTarget('environment.ts'));
 */
export async function loadTarget(module: string | URL): Promise<TrialTarget> {
  const url = moduleUrl(module);
  const environments = await importEnvironments(url);
  try {
    return { environments, secondCopy: await loadEnvironments([url], { isolation: 'worker', threads: 1 }) };
  } catch (error) {
    return { environments, secondCopyFailure: describeThrown(error, 'message') };
  }
}

/** Maximum wait for the teardown of an episode, which might hang. */
const MAX_DELETE_WAIT_MS = 20_000;

/** Options for `openClient`, used if it starts a server. */
interface TrialServerOptions extends Pick<ServerOptions, 'errorDetail' | 'journal' | 'wallClock'> {
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time for which the server may ask to wait, in milliseconds. @default that of the client */
  readonly queueMs?: number;
}

/** Returns the client of a target, or a client for a server of its environments, which runs until it is disposed. */
export async function openClient(
  target: { readonly client: OrsClient } | { readonly environments: readonly (Environment | HostedEnvironment)[] },
  timeoutMs: number,
  { headers = {}, queueMs, ...options }: TrialServerOptions = {},
): Promise<AsyncDisposable & { readonly client: OrsClient }> {
  if ('client' in target) return { client: target.client, [Symbol.asyncDispose]: async () => undefined };
  const deleteWaitMs = Math.min(timeoutMs, MAX_DELETE_WAIT_MS);
  const log = pino({ level: 'silent' });
  const own = { port: 0, log, metrics: false, preload: false, deleteWaitMs };
  const server = await serve(target.environments, { ...own, ...options });
  // Long retries would hide problems of a server in this process.
  const retry = { budgetMs: 2_000, ...definedFields({ queueMs }) };
  const client = new OrsClient(server.url, { headers, responseTimeoutMs: timeoutMs * 2, retry });
  const close = async () => {
    await client.close();
    await server.close();
  };
  return { client, [Symbol.asyncDispose]: close };
}

/** Closes the workers of second copies. A server that started has already closed them. */
export async function closeSecondCopies(target: TrialTarget): Promise<void> {
  if ('environments' in target) await Promise.all((target.secondCopy ?? []).map((copy) => copy.close()));
}

/**
 * Returns the environments with the requested names.
 *
 * @throws UnknownNameError that lists the environments.
 */
export function selectEnvironments<Tried extends { readonly remote: RemoteEnvironment }>(
  environments: readonly Tried[],
  requested: readonly string[] | undefined,
): readonly Tried[] {
  if (requested === undefined) return environments;
  return requested.map((name) => {
    const found = environments.find(({ remote }) => remote.name.toLowerCase() === name.toLowerCase());
    if (found) return found;
    throw new UnknownNameError(
      'environment',
      name,
      environments.map(({ remote }) => remote.name),
    );
  });
}

/** Returns `size` different indexes below `count` in ascending order: the first, the last, and random others. */
export function sampleIndexes(count: number, size: number, random: () => number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set([0, count - 1].slice(0, size));
  while (chosen.size < size) chosen.add(Math.floor(random() * count));
  return [...chosen].sort((a, b) => a - b);
}
