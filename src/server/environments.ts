import { truncate } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { OrsError } from '../protocol/index.ts';

export type EnvironmentTable = ReturnType<typeof createEnvironmentTable>;

/**
 * Creates the table of the environments of a server by name; lookups ignore case. The first environment is the default.
 *
 * @throws TypeError without environments, or for two with the same name.
 */
export function createEnvironmentTable(environments: readonly HostedEnvironment[]) {
  const [first] = environments;
  if (!first) throw new TypeError('a server needs at least one environment; pass the result of defineEnvironment');
  const byName = new Map<string, HostedEnvironment>();
  for (const environment of environments) {
    const key = environment.name.toLowerCase();
    if (byName.has(key)) {
      throw new TypeError(`two environments are called '${environment.name}' (ignoring case); rename one of them`);
    }
    byName.set(key, environment);
  }
  const names = environments.map(({ name }) => name);
  const find = (name: string) => byName.get(name.toLowerCase());
  return {
    names,
    first,
    /** True if episodes of an environment can come back from a journal. */
    hasDurable: environments.some(({ durability }) => durability !== undefined),
    /** Returns undefined for an unknown name. */
    find,
    /** @throws OrsError not_found, with the names of all environments. */
    get(name: string): HostedEnvironment {
      const environment = find(name);
      if (environment) return environment;
      throw new OrsError(
        'not_found',
        `unknown environment '${truncate(name, 100)}'; this server has: ${names.join(', ')}`,
      );
    },
  };
}

/**
 * Returns the environment for a request without one: the environment in the `X-Deployment` header of the platform client
 * (`[owner/]name`) if it exists, otherwise the first one. Source: HTTP API, "POST /create" (`env_name`).
 */
export function getDefaultEnvironment(
  { environments }: { environments: EnvironmentTable },
  headers: Readonly<Record<string, unknown>>,
): HostedEnvironment {
  const deployment = headers['X-Deployment'] ?? headers['x-deployment'];
  const name = typeof deployment === 'string' ? deployment.split('/').at(-1)?.trim() : undefined;
  return (name ? environments.find(name) : undefined) ?? environments.first;
}
