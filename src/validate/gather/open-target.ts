import { pino } from 'pino';
import { OrsClient } from '../../client/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type HostedEnvironment, serve } from '../../server/index.ts';
import type { ValidatedEnvironment } from './play-task.ts';

/** What is validated: environments of this process, or what a server has. */
export type ValidationTarget =
  | {
      readonly environments: readonly Environment[];
      /** The same of a second copy of the module; they are closed in the end. Default: none. */
      readonly secondCopy?: readonly HostedEnvironment[];
      /** Why there is no second copy. */
      readonly secondCopyFailure?: string;
    }
  | { readonly client: OrsClient };

export interface OpenedTarget extends AsyncDisposable {
  readonly subjects: readonly ValidatedEnvironment[];
}

/** A teardown that hangs must not hold every episode up. */
const MAX_DELETE_WAIT_MS = 20_000;

/** Serves environments, and a second copy of them beside it, or asks a server what it has. */
export async function openTarget(
  target: ValidationTarget,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OpenedTarget> {
  const stack: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of stack.splice(0).reverse()) await end();
  };
  try {
    if ('client' in target) {
      const names = await target.client.environments({ signal });
      const subjects = names.map((name) => ({
        remote: target.client.environment(name),
        secondCopy: undefined,
        source: undefined,
      }));
      return { subjects, [Symbol.asyncDispose]: close };
    }
    const { environments, secondCopy = [] } = target;
    const deleteWaitMs = Math.min(timeoutMs, MAX_DELETE_WAIT_MS);
    const clientOf = async (served: readonly (Environment | HostedEnvironment)[]) => {
      const server = await serve(served, { port: 0, log: pino({ level: 'silent' }), metrics: false, deleteWaitMs });
      stack.push(() => server.close());
      // Retries would only hide what a server of this process does.
      const client = new OrsClient(server.url, { responseTimeoutMs: timeoutMs * 2, retry: { budgetMs: 2_000 } });
      stack.push(() => client.close());
      return client;
    };
    const first = await clientOf(environments);
    const second = secondCopy.length > 0 ? await clientOf(secondCopy) : undefined;
    const subjects = environments.map((source) => ({
      remote: first.environment(source.name),
      secondCopy: second?.environment(source.name),
      source,
    }));
    return { subjects, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
