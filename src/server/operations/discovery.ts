import type { operations } from '../../../generated/ors.ts';
import type { HostedEnvironment } from '../../hosting/index.ts';
import type { Handlers } from '../../http/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { runAuthorCode } from '../author-error.ts';
import type { ServerContext } from '../context.ts';

type Discovery = Pick<
  operations,
  'listEnvironments' | 'listTools' | 'listSplits' | 'listTasks' | 'countTasks' | 'getTask' | 'getTaskRange'
>;

/** What a server offers; no session is needed. Source: HTTP API, "Discovery Endpoints". */
export const discovery: Handlers<Discovery, ServerContext> = {
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
    return { num_tasks: await askFor(environment, context, () => environment.countTasks(body.split)) };
  },

  async getTask({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    const task = await askFor(environment, context, () => environment.task(body.split, body.index));
    return { task, env_name: environment.name };
  },

  getTaskRange({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },
};

const askFor = <T>({ name }: HostedEnvironment, context: ServerContext, ask: () => Promise<T>): Promise<T> =>
  runAuthorCode({ environment: name, what: 'tasks' }, context, ask);

async function tasksBetween(
  context: ServerContext,
  environment: HostedEnvironment,
  { split, start, stop }: { split: string; start?: number | null; stop?: number | null },
): Promise<{ tasks: JSONObject[]; env_name: string }> {
  const tasks = await askFor(environment, context, () => environment.tasks(split, start, stop));
  return { tasks, env_name: environment.name };
}
