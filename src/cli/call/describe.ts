import { OrsHttpError, OrsProtocolError, type RemoteEnvironment } from '../../client/index.ts';
import type { Split, ToolSpec } from '../../protocol/index.ts';
import type { ServerConnection } from '../remote/connect.ts';

/** A split with its number of tasks; null where the server cannot tell. */
export type DescribedSplit = Split & { readonly num_tasks: number | null };

export interface EnvironmentDescription {
  readonly name: string;
  readonly splits: readonly DescribedSplit[];
  readonly tools: readonly ToolSpec[];
}

export interface ServerDescription {
  readonly url: string;
  /** Which implementation it is; the version is null where it does not tell. */
  readonly dialect: { readonly name: string; readonly version: string | null };
  readonly environments: readonly EnvironmentDescription[];
}

/** All that a server says of itself without an episode. */
export async function describeServer({ url, client, names, request }: ServerConnection): Promise<ServerDescription> {
  return request(async (signal) => {
    const [dialect, ...environments] = await Promise.all([
      client.dialect(),
      ...names.map((name) => described(client.environment(name), signal)),
    ]);
    return { url, dialect: { name: dialect.name, version: dialect.version }, environments };
  });
}

/** All that a server says of an environment without an episode. */
export function describeEnvironment(environment: RemoteEnvironment, ask: ServerConnection['request']) {
  return ask((signal) => described(environment, signal));
}

async function described(environment: RemoteEnvironment, signal: AbortSignal): Promise<EnvironmentDescription> {
  const [splits, tools] = await Promise.all([environment.splits({ signal }), environment.tools({ signal })]);
  const counted = splits.map(async ({ name, type }) => {
    return { name, type, num_tasks: await count(environment, name, signal) };
  });
  return { name: environment.name, splits: await Promise.all(counted), tools };
}

async function count(environment: RemoteEnvironment, split: string, signal: AbortSignal): Promise<number | null> {
  try {
    return await environment.countTasks(split, { signal });
  } catch (error) {
    if (error instanceof OrsHttpError || error instanceof OrsProtocolError) return null;
    throw error;
  }
}
