import type { operations } from '../../../generated/ors.ts';
import type { ToolListing } from '../../environment/index.ts';
import type { HostedEnvironment, LazyAbortController } from '../../hosting/index.ts';
import type { Handlers } from '../../http/index.ts';
import { MESSAGE_BLOCK_TYPES } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../limits/with-limits.ts';
import { runAuthorCode } from '../observability/author-error.ts';

/** Handlers for requests that need no session. Source: HTTP API, "Discovery Endpoints". */
export const discoveryHandlers = {
  listEnvironments: (_request, { environments }) => [...environments.names],

  listTools({ path }, context) {
    const environment = context.environments.get(path.env_name);
    return toolsResponse(environment, environment, context);
  },

  listSplits: ({ path }, { environments }) => [...environments.get(path.env_name).splits],

  listTasks,

  async countTasks({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    return { num_tasks: await lookUp(environment, context, (wait) => environment.countTasks(body.split, wait)) };
  },

  async getTask({ path, body }, context) {
    const environment = context.environments.get(path.env_name);
    const task = await lookUp(environment, context, (wait) => environment.task(body.split, body.index, wait));
    return { task, env_name: environment.name };
  },

  getTaskRange: listTasks,

  listRequiredSecrets: ({ path }, { environments }) => ({
    // Programs use any name together with paths that name no environment.
    secrets: [...(environments.find(path.name) ?? environments.first).secrets],
  }),
} satisfies Partial<Handlers<operations, ServerContext>>;

/**
 * Returns the response of `/tools` and `/task_tools`.
 *
 * @param listing the tools of the environment or of an episode.
 */
export const toolsResponse = (
  { tools, terminalTool }: ToolListing,
  { supportsScoreGroup, durability }: Pick<HostedEnvironment, 'supportsScoreGroup' | 'durability'>,
  { journal }: Pick<ServerContext, 'journal'>,
) => ({
  tools: [...tools],
  terminal_tool: terminalTool,
  supports_score_group: supportsScoreGroup,
  supports_fork: journal !== undefined && durability !== undefined,
  message_block_types: [...MESSAGE_BLOCK_TYPES],
});

const lookUp = <T>(
  { name }: HostedEnvironment,
  context: ServerContext,
  work: (wait: LazyAbortController) => Promise<T>,
) =>
  runAuthorCode({ environment: name, label: 'tasks' }, context, () =>
    withLookupTimeout(context.settings.lookupTimeoutMs, work),
  );

interface TaskListRequest {
  readonly path: { readonly env_name: string };
  readonly body: { readonly split: string; readonly start?: number | null; readonly stop?: number | null };
}

async function listTasks({ path, body: { split, start, stop } }: TaskListRequest, context: ServerContext) {
  const environment = context.environments.get(path.env_name);
  const tasks = await lookUp(environment, context, (wait) => environment.tasks(split, start, stop, wait));
  return { tasks, env_name: environment.name };
}
