import { truncate } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { OrsError } from '../protocol/index.ts';

/** The environments of a server; case does not count in their names. */
export interface EnvironmentTable {
  /** In the author's order, which makes the first one the default. */
  readonly names: readonly string[];
  readonly first: HostedEnvironment;
  /** @throws OrsError not_found, naming the environments that there are. */
  get(name: string): HostedEnvironment;
  find(name: string): HostedEnvironment | undefined;
}

export function createEnvironmentTable(environments: readonly HostedEnvironment[]): EnvironmentTable {
  const [first] = environments;
  if (!first) throw new TypeError('a server needs at least one environment; pass those that defineEnvironment made');
  const byName = new Map<string, HostedEnvironment>();
  for (const environment of environments) {
    const key = environment.name.toLowerCase();
    if (byName.has(key)) {
      throw new TypeError(
        `two environments are called '${environment.name}' (case does not count); rename one of them`,
      );
    }
    byName.set(key, environment);
  }
  const names = environments.map(({ name }) => name);
  const find = (name: string) => byName.get(name.toLowerCase());
  return {
    names,
    first,
    find,
    get(name) {
      const environment = find(name);
      if (environment) return environment;
      throw new OrsError(
        'not_found',
        `unknown environment '${truncate(name, 100)}'; this server has: ${names.join(', ')}`,
      );
    },
  };
}
