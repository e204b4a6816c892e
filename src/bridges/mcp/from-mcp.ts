import {
  defineEnvironment,
  defineTool,
  type Environment,
  type EnvironmentDefinition,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from '../../environment/index.ts';
import { type Block, type JSONObject, joinText } from '../../protocol/index.ts';
import { type InferOutput, jsonSchema } from '../../schema/index.ts';
import { toOrsBlocks } from './content.ts';
import {
  connectMcp,
  McpCallError,
  type McpConnection,
  type McpServerLocation,
  type McpToolSpec,
} from './mcp-connection.ts';
import { toAllowedToolNames } from './tool-names.ts';

type Awaitable<T> = T | Promise<T>;
type TaskOf<S> = [S] extends [object] ? InferOutput<S> : JSONObject;
type Input<I> = [I] extends [object] ? InferOutput<I> : Record<string, never>;

/** A call of the episode that is over. */
export interface McpCall {
  readonly name: string;
  readonly input: JSONObject;
  readonly blocks: readonly Block[];
  /** Whether the blocks tell why there is no result. */
  readonly isError: boolean;
}

/** What a reward is worked out of. */
export interface McpGrading<Task> {
  readonly task: Task;
  /** All calls so far of tools of the MCP server, in the order in which they ended. */
  readonly calls: readonly McpCall[];
}

export interface McpRewardContext<Task> extends McpGrading<Task> {
  /** The call that has just ended, which is the last of `calls`. */
  readonly output: McpCall;
}

/** The reward of a step, or what else a tool's result says besides its blocks. */
export type McpReward = number | null | Pick<ToolResult, 'reward' | 'finished' | 'metadata'>;

/** A tool of the environment itself, with which the agent ends the episode. */
export interface McpSubmit<I, Task> extends Pick<ToolDefinition<I>, 'description' | 'input'> {
  /** Default: `submit`. */
  readonly name?: string;
  /** Its result finishes the episode, unless it says otherwise. */
  readonly grade: (context: McpGrading<Task> & { readonly input: Input<I> }) => Awaitable<ToolResult>;
}

interface McpEpisodeState {
  readonly connection: McpConnection;
  readonly calls: McpCall[];
}

type SharedFields =
  | 'name'
  | 'description'
  | 'splits'
  | 'task'
  | 'publicTask'
  | 'resolveTask'
  | 'maxReward'
  | 'solve'
  | 'isolation';

/** An environment whose tools are those of an MCP server. */
export interface McpEnvironmentDefinition<S, Public, I>
  extends Pick<EnvironmentDefinition<S, McpEpisodeState, object, Public>, SharedFields> {
  /** Where the MCP server is, or how each episode finds its own. A program is started anew for each episode. */
  readonly connect:
    | McpServerLocation
    | ((context: {
        readonly task: TaskOf<S>;
        readonly secrets: Readonly<Record<string, string>>;
        readonly sessionId: string;
      }) => Awaitable<McpServerLocation>);
  /** What the agent is told first; `instructions` are those of the MCP server. */
  readonly prompt: (context: {
    readonly task: TaskOf<S>;
    readonly instructions: string;
  }) => Awaitable<string | readonly Block[]>;
  /** Which of the server's tools agents get, by name. Default: all. */
  readonly tools?: (name: string) => boolean;
  /** The reward of each call that the server has carried out. Default: none. */
  readonly reward?: (context: McpRewardContext<TaskOf<S>>) => Awaitable<McpReward>;
  /** Default: no such tool. */
  readonly submit?: McpSubmit<I, TaskOf<S>>;
  /** How long a call may run, in ms. Default: what the environment's server allows. */
  readonly timeoutMs?: number;
}

/**
 * Makes an environment of an MCP server's tools: each episode has a connection of its own, which ends with it. What the
 * server calls an error (`isError`, an invalid input) is one that the agent can act on; a server that is gone is not.
 * Needs the package `@modelcontextprotocol/sdk`. Source: Model Context Protocol, tools.
 *
 * @throws TypeError as `defineEnvironment` does.
 */
export function fromMcp<
  const S extends object | undefined = undefined,
  Public = JSONObject,
  const I extends object | undefined = undefined,
>(definition: McpEnvironmentDefinition<S, Public, I>): Environment {
  const { connect, prompt, tools: isWanted = () => true, reward, submit, timeoutMs, ...same } = definition;
  // The types of the parts that are handed on held while the definition was written.
  return defineEnvironment<S, McpEpisodeState, Record<string, object>, Public>({
    ...same,
    ...(submit && { tools: { [submit.name ?? 'submit']: submitTool(submit) } as never }),
    async setup({ task, secrets, sessionId, signal, onCleanup }) {
      const where = typeof connect === 'function' ? await connect({ task, secrets, sessionId }) : connect;
      const connection = await connectMcp(where, signal);
      onCleanup(() => connection.close());
      return { connection, calls: [] };
    },
    prompt: ({ task, state }) => prompt({ task, instructions: state.connection.instructions }),
    taskTools({ state }) {
      const requested = state.connection.tools.filter(({ name }) => isWanted(name));
      const names = toAllowedToolNames(requested.map(({ name }) => name));
      const limit = timeoutMs === undefined ? {} : { timeoutMs };
      return Object.fromEntries(requested.map((tool, index) => [names[index], { ...bridged(tool, reward), ...limit }]));
    },
  });
}

function bridged<Task>(
  { name, title, description, inputSchema }: McpToolSpec,
  reward: ((context: McpRewardContext<Task>) => Awaitable<McpReward>) | undefined,
) {
  return defineTool({
    // Not every server describes its tools, and agents choose by that.
    description:
      [description, title, `The tool ${name}.`].find((text) => text !== undefined && text.trim() !== '') ?? name,
    input: jsonSchema<JSONObject>({ type: 'object', ...inputSchema }),
    async run({ input, task, state, signal }: McpToolRun<Task>): Promise<ToolResult> {
      const output = await callServer(state, name, input, signal);
      state.calls.push(output);
      if (output.isError) throw new ToolError(joinText(output.blocks) || 'the tool gave no reason');
      const worth = reward ? await reward({ task, calls: [...state.calls], output }) : null;
      const { blocks } = output;
      return typeof worth === 'object' && worth !== null ? { ...worth, blocks } : { blocks, reward: worth };
    },
  });
}

interface McpToolRun<Task> {
  readonly input: JSONObject;
  readonly task: Task;
  readonly state: McpEpisodeState;
  readonly signal: AbortSignal;
}

async function callServer(
  { connection }: McpEpisodeState,
  name: string,
  input: JSONObject,
  signal: AbortSignal,
): Promise<McpCall> {
  try {
    const result = await connection.call(name, input, signal);
    return { name, input, blocks: toOrsBlocks(result), isError: result.isError === true };
  } catch (error) {
    if (!(error instanceof McpCallError)) throw error;
    return { name, input, blocks: [{ type: 'text', text: error.message }], isError: true };
  }
}

function submitTool<I, Task>({ description, input, grade }: McpSubmit<I, Task>) {
  return {
    description,
    ...(input === undefined ? {} : { input }),
    async run({
      input,
      task,
      state,
    }: {
      readonly input: Input<I>;
      readonly task: Task;
      readonly state: McpEpisodeState;
    }) {
      return { finished: true, ...(await grade({ task, input, calls: [...state.calls] })) };
    },
  };
}
