import type { operations } from '../../../generated/ors.ts';
import type { HostedEnvironment, LazyAbortController } from '../../hosting/index.ts';
import type { Handlers } from '../../http/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../limits/lookup-timeout.ts';
import { runAuthorCode } from '../observability/author-error.ts';

type Discovery = Pick<
  operations,
  'listEnvironments' | 'listTools' | 'listSplits' | 'listTasks' | 'countTasks' | 'getTask' | 'getTaskRange'
>;

/** Handlers for requests that need no session. Source: HTTP API, "Discovery Endpoints". */
export const discoveryHandlers: Handlers<Discovery, ServerContext> = {
  listEnvironments: (_request, { environments }) => [...environments.names],

  listTools: ({ path }, { environments }) => ({
    tools: [...environments.get(path.env_name).tools],
  }),

  listSplits: ({ path }, { environments }) => [...environments.get(path.env_name).splits],

  listTasks({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },

  async countTasks({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    return { num_tasks: await lookUp(environment, context, (wait) => environment.countTasks(body.split, wait)) };
  },

  async getTask({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    const task = await lookUp(environment, context, (wait) => environment.task(body.split, body.index, wait));
    return { task, env_name: environment.name };
  },

  getTaskRange({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },
};

const lookUp = <T>(
  { name }: HostedEnvironment,
  context: ServerContext,
  work: (wait: LazyAbortController) => Promise<T>,
) =>
  runAuthorCode({ environment: name, label: 'tasks' }, context, () =>
    withLookupTimeout(context.settings.lookupTimeoutMs, work),
  );

async function tasksBetween(
  context: ServerContext,
  environment: HostedEnvironment,
  { split, start, stop }: { split: string; start?: number | null; stop?: number | null },
): Promise<{ tasks: JSONObject[]; env_name: string }> {
  const tasks = await lookUp(environment, context, (wait) => environment.tasks(split, start, stop, wait));
  return { tasks, env_name: environment.name };
}
