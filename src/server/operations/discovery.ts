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

  async countTasks({ path, body }, { environments, settings }) {
    const source = findSplit(environments.get(path.env_name), body.split);
    return { num_tasks: await runAuthorCode(() => source.count(), settings.errorDetail) };
  },

  async getTask({ path, body }, { environments, settings }) {
    const environment = environments.get(path.env_name);
    const task = await runAuthorCode(
      async () => publicTask(environment, await taskAt(environment, body.split, body.index)),
      settings.errorDetail,
    );
    return { task, env_name: environment.name };
  },

  getTaskRange({ path, body }, context) {
    return tasksBetween(context, context.environments.get(path.env_name), body);
  },
};

async function tasksBetween(
  { settings }: ServerContext,
  environment: Environment,
  { split, start, stop }: { split: string; start?: number | null; stop?: number | null },
): Promise<{ tasks: JSONObject[]; env_name: string }> {
  const source = findSplit(environment, split);
  const tasks = await runAuthorCode(async () => {
    const bounds = sliceBounds(await source.count(), start, stop);
    const whole = await source.slice(bounds.start, bounds.stop);
    return whole.map((task) => publicTask(environment, task));
  }, settings.errorDetail);
  return { tasks, env_name: environment.name };
}
