import { type Awaitable, isRecord, toAllowedNames } from '../../core/index.ts';
import {
  defineEnvironment,
  defineTool,
  type Environment,
  type EnvironmentDefinition,
  type RunContext,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from '../../environment/index.ts';
import { type Block, image, type JSONObject, joinText, text } from '../../protocol/index.ts';
import { type InferOutput, jsonSchema, withoutInvalidDefaults } from '../../schema/index.ts';
import {
  connectMcp,
  McpCallError,
  type McpConnection,
  type McpServerLocation,
  type McpToolResult,
  type McpToolSpec,
} from './mcp-connection.ts';

type TaskOf<S> = [S] extends [object] ? InferOutput<S> : JSONObject;
type Input<I> = [I] extends [object] ? InferOutput<I> : Record<string, never>;

/** Completed call of a tool of the MCP server. */
export interface McpCall {
  readonly name: string;
  readonly input: JSONObject;
  readonly blocks: readonly Block[];
  /** True if the blocks describe an error. */
  readonly isError: boolean;
}

/** Data from which a reward is computed. */
export interface McpGrading<Task> {
  readonly task: Task;
  /** All calls of the MCP server's tools so far, in order of completion. */
  readonly calls: readonly McpCall[];
}

export interface McpRewardContext<Task> extends McpGrading<Task> {
  /** The call that has just completed; the last one of `calls`. */
  readonly output: McpCall;
}

/** Reward of a step, or all fields of a tool's result except its blocks. */
export type McpReward = number | null | Pick<ToolResult, 'reward' | 'finished' | 'metadata'>;

/**
 * Tool with which the agent ends the episode.
 *
 * @example
 * submit: {
 *   description: 'Submit the answer.',
 *   input: z.object({ answer: z.string() }),
 *   grade: ({ input, task }) => ({ text: 'Done.', reward: input.answer === task.answer ? 1 : 0 }),
 * }
 */
export interface McpSubmit<I, Task> extends Pick<ToolDefinition<I>, 'description' | 'input' | 'terminal'> {
  /** @default 'submit' */
  readonly name?: string;
  /** Returns the result, which finishes the episode unless it sets `finished`. */
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

/** Environment whose tools are those of an MCP server. */
export interface McpEnvironmentDefinition<S, Public, I>
  extends Pick<EnvironmentDefinition<S, McpEpisodeState, object, Public>, SharedFields> {
  /** Location of the MCP server, or a function that returns it for an episode. A program is started for each episode. */
  readonly connect:
    | McpServerLocation
    | ((context: {
        readonly task: TaskOf<S>;
        readonly secrets: Readonly<Record<string, string>>;
        readonly sessionId: string;
      }) => Awaitable<McpServerLocation>);
  /** Prompt of an episode; `instructions` are those of the MCP server. */
  readonly prompt: (context: {
    readonly task: TaskOf<S>;
    readonly instructions: string;
  }) => Awaitable<string | readonly Block[]>;
  /** Selects the tools that agents get, by name. @default all */
  readonly tools?: (name: string) => boolean;
  /** Computes the reward of each successful call. @default no rewards */
  readonly reward?: (context: McpRewardContext<TaskOf<S>>) => Awaitable<McpReward>;
  /** Tool that ends the episode. @default none */
  readonly submit?: McpSubmit<I, TaskOf<S>>;
  /** Maximum duration of a call, in ms. @default that of the environment's server */
  readonly timeoutMs?: number;
}

/**
 * Creates an environment from the tools of an MCP server. Each episode has its own connection, which is closed at its
 * end. The agent can handle errors that the server reports (`isError`, an invalid input), but not a lost server.
 * Requires the package `@modelcontextprotocol/sdk`. Source: Model Context Protocol, tools.
 *
 * @throws TypeError as `defineEnvironment`.
 * @example
 * const environment = fromMcp({
 *   name: 'files',
 *   splits: { train: [{ question: 'How many files are there?' }] },
 *   connect: { command: 'npx', args: ['@modelcontextprotocol/server-filesystem', '.'] },
 *   prompt: ({ task }) => String(task.question),
 * });
 */
export function fromMcp<
  const S extends object | undefined = undefined,
  Public = JSONObject,
  const I extends object | undefined = undefined,
>(definition: McpEnvironmentDefinition<S, Public, I>): Environment {
  const { connect, prompt, tools: isSelected = () => true, reward, submit, timeoutMs, ...shared } = definition;
  // The type of the definition has checked the types of the shared fields.
  return defineEnvironment<S, McpEpisodeState, Record<string, object>, Public>({
    ...shared,
    ...(submit && { tools: { [submit.name ?? 'submit']: submitTool(submit) } as never }),
    async setup({ task, secrets, sessionId, signal, onCleanup }) {
      const location = typeof connect === 'function' ? await connect({ task, secrets, sessionId }) : connect;
      const connection = await connectMcp(location, signal);
      onCleanup(() => connection.close());
      return { connection, calls: [] };
    },
    prompt: ({ task, state }) => prompt({ task, instructions: state.connection.instructions }),
    taskTools({ state }) {
      const selected = state.connection.tools.filter(({ name }) => isSelected(name));
      const names = toAllowedToolNames(selected.map(({ name }) => name));
      const limit = timeoutMs === undefined ? {} : { timeoutMs };
      return Object.fromEntries(selected.map((tool, index) => [names[index], { ...mcpTool(tool, reward), ...limit }]));
    },
  });
}

function mcpTool<Task>(
  { name, title, description, inputSchema }: McpToolSpec,
  reward: ((context: McpRewardContext<Task>) => Awaitable<McpReward>) | undefined,
) {
  return defineTool({
    // Some servers do not describe their tools, but every tool of an environment has a description.
    description:
      [description, title, `The tool ${name}.`].find((text) => text !== undefined && text.trim() !== '') ?? name,
    input: jsonSchema<JSONObject>(withoutInvalidDefaults({ type: 'object', ...inputSchema })),
    async run({ input, task, state, signal }: RunContext<JSONObject, Task, McpEpisodeState>): Promise<ToolResult> {
      const output = await callServer(state, name, input, signal);
      state.calls.push(output);
      if (output.isError) throw new ToolError(joinText(output.blocks));
      const graded = reward ? await reward({ task, calls: [...state.calls], output }) : null;
      const { blocks } = output;
      return typeof graded === 'object' && graded !== null ? { ...graded, blocks } : { blocks, reward: graded };
    },
  });
}

async function callServer({ connection }: McpEpisodeState, name: string, input: JSONObject, signal: AbortSignal) {
  try {
    const result = await connection.call(name, input, signal);
    return { name, input, blocks: toOrsBlocks(result), isError: result.isError === true };
  } catch (error) {
    if (!(error instanceof McpCallError)) throw error;
    return { name, input, blocks: [text(error.message)], isError: true };
  }
}

function submitTool<I, Task>({ description, input, terminal, grade }: McpSubmit<I, Task>) {
  return {
    description,
    ...(terminal === undefined ? {} : { terminal }),
    ...(input === undefined ? {} : { input }),
    async run({ input, task, state }: RunContext<Input<I>, Task, McpEpisodeState>) {
      return { finished: true, ...(await grade({ task, input, calls: [...state.calls] })) };
    },
  };
}

/** Converts names of MCP tools to unique names that an environment allows. */
export const toAllowedToolNames = (names: readonly string[]): string[] =>
  toAllowedNames(names, { rejected: /[^A-Za-z0-9_.-]/g, start: /^[A-Za-z0-9_]/, maxLength: 128 });

/** Converts the content of an MCP result to text and images; content of other types becomes a line that describes it. */
function toOrsBlocks(result: McpToolResult): Block[] {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  if (content.length === 0 && result.structuredContent !== undefined) {
    return [text(JSON.stringify(result.structuredContent))];
  }
  return content.map((part) => toOrsBlock(isRecord(part) ? part : {}));
}

function toOrsBlock(part: Readonly<Record<string, unknown>>): Block {
  const { type, resource } = part;
  if (type === 'text') return text(String(part.text));
  if (type === 'image') return imageBlock(part.data, part.mimeType);
  if (type === 'audio') return text(`[audio: ${String(part.mimeType)}]`);
  if (type === 'resource_link') return text(`[resource: ${String(part.name ?? '')} ${String(part.uri)}]`);
  if (type === 'resource' && isRecord(resource)) return resourceBlock(resource);
  return text(JSON.stringify(part));
}

function resourceBlock({ uri, text: content, blob, mimeType }: Readonly<Record<string, unknown>>): Block {
  if (typeof content === 'string') return text(content);
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return imageBlock(blob, mimeType);
  return text(`[resource: ${String(uri)}${mimeType === undefined ? '' : `, ${String(mimeType)}`}]`);
}

function imageBlock(data: unknown, mimeType: unknown): Block {
  // Encodes the bytes again, because the base64 of some servers has line feeds or lacks its padding.
  const bytes = Buffer.from(String(data), 'base64');
  if (bytes.length === 0 || !/^image\/[\w.+-]+$/.test(String(mimeType))) {
    return text(`[image that cannot be read: ${String(mimeType)}]`);
  }
  return image(bytes.toString('base64'), String(mimeType));
}
