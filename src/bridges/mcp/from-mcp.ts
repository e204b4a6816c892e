import {
  type Awaitable,
  errorMessage,
  isRecord,
  type JSONSchema,
  parseDataUrl,
  schemasByName,
  stringsAt,
  toAllowedNames,
  uniqueName,
  warnOnce,
} from '../../core/index.ts';
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
import {
  findProtoProperty,
  type InferOutput,
  isObjectSchema,
  jsonSchema,
  toSchema,
  withoutInvalidDefaults,
} from '../../schema/index.ts';
import type { McpServerLocation } from './channel.ts';
import {
  connectMcp,
  McpCallError,
  type McpConnection,
  type McpToolResult,
  type McpToolSpec,
} from './mcp-connection.ts';

type TaskOf<S> = [S] extends [object] ? InferOutput<S> : JSONObject;
type Input<I> = [I] extends [object] ? InferOutput<I> : Record<string, never>;

/**
 * Completed call of a tool of the MCP server.
 *
 * @example
 * const isRead = ({ name, isError }: McpCall) => name === 'read_file' && !isError;
 */
export interface McpCall {
  readonly name: string;
  readonly input: JSONObject;
  readonly blocks: readonly Block[];
  /** True if the blocks describe an error. */
  readonly isError: boolean;
}

/**
 * Data from which a reward is computed.
 *
 * @example
 * const hasRead = ({ task, calls }: McpGrading<{ path: string }>) =>
 *   calls.some(({ name, input }) => name === 'read_file' && input.path === task.path);
 */
export interface McpGrading<Task> {
  readonly task: Task;
  /** All calls of the MCP server's tools so far, in order of completion. */
  readonly calls: readonly McpCall[];
}

/**
 * Context of `reward`.
 *
 * @example
 * const reward = ({ output }: McpRewardContext<object>) => (output.name === 'write_file' ? 1 : null);
 */
export interface McpRewardContext<Task> extends McpGrading<Task> {
  /** The call that has just completed; the last one of `calls`. */
  readonly output: McpCall;
}

/**
 * Reward of a step, or all fields of a tool's result except its blocks.
 *
 * @example
 * const reward: McpReward = { reward: 1, finished: true };
 */
export type McpReward = number | null | Pick<ToolResult, 'reward' | 'finished' | 'metadata'>;

/**
 * Tool with which the agent ends the episode.
 *
 * @example
 * const input = z.object({ answer: z.string() });
 * const submit: McpSubmit<typeof input, { answer: string }> = {
 *   description: 'Submit the answer.',
 *   input,
 *   grade: ({ input, task }) => ({ text: 'Done.', reward: input.answer === task.answer ? 1 : 0 }),
 * };
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

/**
 * Environment whose tools are those of an MCP server.
 *
 * @example
 * const environment = fromMcp({
 *   name: 'search',
 *   splits: { test: [{ question: 'Who wrote Faust?', page: 'Goethe' }] },
 *   task: z.object({ question: z.string(), page: z.string() }),
 *   connect: { url: 'http://127.0.0.1:3000/mcp' },
 *   prompt: ({ task }) => task.question,
 *   reward: ({ task, output }) => (output.input.page === task.page ? { reward: 1, finished: true } : null),
 * });
 */
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
 *
 * A tool that cannot be used is left out with a warning of the process (`McpWarning`), and so is the part of an input
 * schema that is not valid JSON Schema; the server validates its inputs itself. Source: Model Context Protocol, tools.
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
  const submitName = submit && (submit.name ?? 'submit');
  // The type of the definition has checked the types of the shared fields.
  return defineEnvironment<S, McpEpisodeState, Record<string, object>, Public>({
    ...shared,
    ...(submit && { tools: { [submit.name ?? 'submit']: submitTool(submit) } as never }),
    async setup({ task, secrets, sessionId, signal, onCleanup }) {
      const location = typeof connect === 'function' ? await connect({ task, secrets, sessionId }) : connect;
      const connection = await connectMcp(location, signal, warn);
      onCleanup(() => connection.close());
      return { connection, calls: [] };
    },
    prompt: ({ task, state }) => prompt({ task, instructions: state.connection.instructions }),
    taskTools({ state }) {
      const selected = state.connection.tools.filter(({ name }) => isSelected(name));
      const allowed = toAllowedToolNames(selected.map(({ name }) => name));
      const isTaken = (name: string) => name === submitName || allowed.includes(name);
      const names = allowed.map((name) => (name === submitName ? uniqueName(name, isTaken) : name));
      const limit = timeoutMs === undefined ? {} : { timeoutMs };
      return Object.fromEntries(selected.map((tool, index) => [names[index], { ...mcpTool(tool, reward), ...limit }]));
    },
  });
}

const warn = (message: string): void => warnOnce(message, 'McpWarning');

function mcpTool<Task>(
  tool: McpToolSpec,
  reward: ((context: McpRewardContext<Task>) => Awaitable<McpReward>) | undefined,
) {
  const { name, description, inputSchema } = tool;
  return defineTool({
    // Some servers do not describe their tools, but every tool of an environment has a description.
    description: description ?? `The tool ${name}.`,
    input: jsonSchema<JSONObject>(usableSchema(inputSchema, (message) => warn(`MCP tool '${name}': ${message}`))),
    async run({ input, task, state, signal }: RunContext<JSONObject, Task, McpEpisodeState>): Promise<ToolResult> {
      const output = await callServer(state, tool, input, signal);
      state.calls.push(output);
      if (output.isError) throw new ToolError(joinText(output.blocks));
      const graded = reward ? await reward({ task, calls: [...state.calls], output }) : null;
      const { blocks } = output;
      return typeof graded === 'object' && graded !== null ? { ...graded, blocks } : { blocks, reward: graded };
    },
  });
}

async function callServer({ connection }: McpEpisodeState, tool: McpToolSpec, input: JSONObject, signal: AbortSignal) {
  const { name } = tool;
  try {
    const result = await connection.call(tool, input, signal);
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
export function toOrsBlocks(result: McpToolResult): Block[] {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  if (content.length === 0 && result.structuredContent !== undefined) {
    return [text(JSON.stringify(result.structuredContent))];
  }
  return content.map((part) => (isRecord(part) ? toOrsBlock(part) : text(JSON.stringify(part))));
}

function toOrsBlock(part: Readonly<Record<string, unknown>>): Block {
  const { type, resource } = part;
  if (type === 'text' && typeof part.text === 'string') return text(part.text);
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

/** Base64 of either alphabet. Some servers break it into lines or omit its padding. */
const BASE64 = /^[A-Za-z0-9+/_\s-]+={0,2}\s*$/;

function imageBlock(data: unknown, mimeType: unknown): Block {
  // Some servers send a data URL instead of its content.
  const url = typeof data === 'string' ? parseDataUrl(data) : undefined;
  const base64 = url?.base64 ?? data;
  const type = (url?.mediaType || String(mimeType)).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (typeof base64 !== 'string' || !BASE64.test(base64) || !/^image\/[\w.+-]+$/.test(type)) {
    return text(`[image that cannot be read: ${type}]`);
  }
  return image(Buffer.from(base64, 'base64').toString('base64'), type);
}

/** Keywords with schemas that properties refer to. */
const DEFINITIONS = ['$defs', 'definitions'];

/**
 * Returns an input schema of which agents and providers can use every part: the schema itself if it is valid, otherwise
 * without what is not. The server of the tool validates its inputs in any case.
 *
 * @param warn called with the reason for a change.
 */
export function usableSchema(inputSchema: JSONSchema, warn: (message: string) => void): JSONSchema {
  const schema = withoutInvalidDefaults({ type: 'object', ...inputSchema });
  const problem = problemOf(schema);
  if (problem === undefined) return schema;
  const definitions = Object.fromEntries(DEFINITIONS.flatMap((keyword) => entryOf(schema, keyword)));
  const named = Object.entries(schemasByName(schema, 'properties')).filter(([name]) => name !== '__proto__');
  const properties = named.map(([name, property]) => {
    const alone = { type: 'object', properties: { [name]: property }, ...definitions };
    return [name, problemOf(alone) === undefined ? property : described(property)] as const;
  });
  const reduced = {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: stringsAt(schema, 'required').filter((name) => name !== '__proto__'),
  };
  const { type, required } = reduced;
  const candidates = [reduced, { type, properties: reduced.properties, required, ...definitions }, { type }];
  warn(`its input schema is not valid and is used without the parts in question: ${problem}`);
  return candidates.find((candidate) => problemOf(candidate) === undefined) ?? { type };
}

/** Returns why an environment cannot use a schema; undefined if it can. */
function problemOf(schema: JSONSchema): string | undefined {
  try {
    const { json } = toSchema(schema, 'inputSchema');
    if (findProtoProperty(json) !== undefined) return "no call can have a parameter named '__proto__'";
    return isObjectSchema(json) ? undefined : 'it does not describe an object';
  } catch (error) {
    return errorMessage(error);
  }
}

const entryOf = (schema: JSONSchema, keyword: string): [string, unknown][] =>
  Object.hasOwn(schema, keyword) ? [[keyword, schema[keyword]]] : [];

/** Returns a schema for any value with the description of another one. */
function described(property: unknown): JSONSchema {
  const description = schemasByName({ property } as JSONSchema, 'property').description;
  return typeof description === 'string' ? { description } : {};
}
