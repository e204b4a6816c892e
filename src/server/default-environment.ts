import type { HostedEnvironment } from '../hosting/index.ts';
import type { EnvironmentTable } from './environments.ts';

/**
 * The environment of a request that names none: the one that the platform client calls `[owner/]name` in
 * `X-Deployment`, if it is here, else the first. Source: HTTP API, "POST /create" (`env_name`).
 */
export function getDefaultEnvironment(
  { environments }: { environments: EnvironmentTable },
  headers: Readonly<Record<string, unknown>>,
): HostedEnvironment {
  const deployment = headers['X-Deployment'] ?? headers['x-deployment'];
  const name = typeof deployment === 'string' ? deployment.split('/').at(-1)?.trim() : undefined;
  return (name ? environments.find(name) : undefined) ?? environments.first;
}
