import type { Awaitable } from '../core/index.ts';
import type { Block, JSONObject, ToolSpec } from '../protocol/index.ts';
import { type InferOutput, isObjectSchema, type Schema, toSchema } from '../schema/index.ts';

/** What a running tool is given. */
export interface RunContext<Input, Task, State> {
  /** The parameters, as the tool's schema gives them: checked, defaults applied. */
  readonly input: Input;
  readonly task: Task;
  /** What setup returned; a tool may change it, and the episode's later calls see the change. */
  readonly state: State;
  /** Aborts when the episode is deleted or the call has run too long; the tool should stop then. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
}

interface ToolResultFields {
  /** The reward of this step. Default: null, which says that there is none and differs from 0. */
  readonly reward?: number | null | undefined;
  /** Whether the episode is complete; after that no tool runs. Default: false. */
  readonly finished?: boolean | undefined;
  /** For logs and analysis; not shown to the model. Default: null. */
  readonly metadata?: JSONObject | null | undefined;
}

/** What a tool returns: its content as one text or as blocks, and what it means for the episode. Source: tools, "Tool Output". */
export type ToolResult = ToolResultFields & ({ readonly text: string } | { readonly blocks: readonly Block[] });

type InputOf<I> = [I] extends [object] ? InferOutput<I> : Record<string, never>;

/** A tool as its author writes it. Source: tools, "What is a Tool?". */
export interface ToolDefinition<I = undefined, Task = unknown, State = unknown> {
  /** What the tool does, for the model to choose by. Must not be empty. */
  readonly description: string;
  /**
   * The parameters: a schema of zod, arktype, wrapped valibot or TypeBox, or `jsonSchema<T>(...)`; always an object.
   * Default: the tool takes no parameters.
   */
  readonly input?: I;
  /** Whether calls of this tool in one session may overlap. Default: false, since a grader race is a reward hack. */
  readonly concurrent?: boolean;
  /** How long a call may run, in milliseconds. Default: what the server allows. */
  readonly timeoutMs?: number;
  /** Runs the tool. Throws ToolError for a failure that the agent should see. */
  readonly run: (context: RunContext<InputOf<I>, Task, State>) => Awaitable<ToolResult>;
}

/**
 * Gives a tool its types where none come from around it: in records of tools for several environments and in
 * `taskTools`. Within `tools` of an environment a plain object is enough.
 */
export function defineTool<const I extends object | undefined = undefined, Task = unknown, State = unknown>(
  tool: ToolDefinition<I, Task, State>,
): ToolDefinition<I, Task, State> {
  return tool;
}

/** A tool definition whose types have done their work; `never` makes every definition one. */
type AnyToolDefinition = ToolDefinition<object | undefined, never, never>;

/** A tool that is ready to run. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly schema: Schema<unknown> | undefined;
  readonly concurrent: boolean;
  readonly timeoutMs: number | undefined;
  readonly run: (context: RunContext<unknown, unknown, unknown>) => Awaitable<ToolResult>;
}

const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Readies definitions, and refuses those that no agent could use. */
export function toTools(definitions: object, where: string): ReadonlyMap<string, Tool> {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      toTool(name, definition, `${where}, tool '${name}'`),
    ]),
  );
}

function toTool(name: string, definition: AnyToolDefinition, where: string): Tool {
  if (!TOOL_NAME.test(name)) {
    throw new TypeError(`${where}: the name must be 1 to 128 letters, digits, '_', '-' or '.'; rename the tool.`);
  }
  if (typeof definition?.run !== 'function') {
    throw new TypeError(`${where}: has no run function; add run: ({ input }) => ({ text: '...' }).`);
  }
  if (typeof definition.description !== 'string' || definition.description.trim() === '') {
    throw new TypeError(
      `${where}: the description is empty; say in a sentence what the tool does, models choose by it.`,
    );
  }
  const { timeoutMs } = definition;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new TypeError(`${where}: timeoutMs is ${timeoutMs}; give milliseconds above 0, or leave it out.`);
  }
  const schema = definition.input === undefined ? undefined : toSchema(definition.input, `${where}, input`);
  if (schema && !isObjectSchema(schema.json)) {
    throw new TypeError(`${where}: the input schema describes no object; wrap it, for instance { value: <schema> }.`);
  }
  return {
    spec: { name, description: definition.description, input_schema: (schema?.json as JSONObject | undefined) ?? null },
    schema,
    concurrent: definition.concurrent ?? false,
    timeoutMs,
    // The types of input, task and state held while the definition was written; run-tool.ts hands over the same.
    run: definition.run as Tool['run'],
  };
}
