import type { operations } from '../../../generated/ors.ts';
import { type Environment, findSplit, publicTask, sliceBounds, taskAt } from '../../environment/index.ts';
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
    tools: [...environments.get(path.env_name).tools.values()].map(({ spec }) => spec),
  }),

  listSplits: ({ path }, { environments }) => [...environments.get(path.env_name).splits],

  listTasks({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },

  async countTasks({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    const source = findSplit(environment, body.split);
    return { num_tasks: await runAuthorCode(tasksOf(environment), context, () => source.count()) };
  },

  async getTask({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    const task = await runAuthorCode(tasksOf(environment), context, async () =>
      publicTask(environment, await taskAt(environment, body.split, body.index)),
    );
    return { task, env_name: environment.name };
  },

  getTaskRange({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },
};

const tasksOf = ({ name }: Environment) => ({ environment: name, what: 'tasks' });

async function tasksBetween(
  context: ServerContext,
  environment: Environment,
  { split, start, stop }: { split: string; start?: number | null; stop?: number | null },
): Promise<{ tasks: JSONObject[]; env_name: string }> {
  const source = findSplit(environment, split);
  const tasks = await runAuthorCode(tasksOf(environment), context, async () => {
    const bounds = sliceBounds(await source.count(), start, stop);
    const whole = await source.slice(bounds.start, bounds.stop);
    return whole.map((task) => publicTask(environment, task));
  });
  return { tasks, env_name: environment.name };
}
