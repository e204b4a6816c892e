import type { Destination, PathRequest } from '../http/index.ts';
import { RESERVED_NAMES } from '../protocol/index.ts';
import type { ServerContext } from './context.ts';
import { getDefaultEnvironment } from './default-environment.ts';

/** What a path begins with that belongs to an environment. */
const ENVIRONMENT = '/{env_name}';

/**
 * Leads paths without an environment to one. `/tools` and its like belong to the session's environment, or to the
 * default one; any other path that means nothing is redirected if there is just one environment.
 * Source: HTTP API, "POST /create" (`env_name`).
 */
export function createRewriter(context: Pick<ServerContext, 'environments' | 'sessions'>, paths: readonly string[]) {
  const known = new Set(paths.filter((path) => !path.includes('{')));
  const actions = new Set(
    paths.filter((path) => path.startsWith(`${ENVIRONMENT}/`)).map((path) => path.slice(ENVIRONMENT.length)),
  );

  return ({ path, headers, caller }: PathRequest): Destination => {
    const [, first = '', ...rest] = path.split('/');
    if (known.has(path) || (rest.length === 1 && actions.has(`/${rest[0]}`))) return { path };
    if (rest.length === 0 && actions.has(path)) {
      const sid = headers['x-session-id'];
      const session = typeof sid === 'string' ? context.sessions.find(sid, caller) : undefined;
      return { path: `/${(session?.environment ?? getDefaultEnvironment(context, headers)).name}${path}` };
    }
    const { names } = context.environments;
    const isInside = names.some((name) => name.toLowerCase() === first.toLowerCase());
    return names.length > 1 || isInside || RESERVED_NAMES.has(first) ? { path } : { redirect: `/${names[0]}${path}` };
  };
}
