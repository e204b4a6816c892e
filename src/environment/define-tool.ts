import { type Awaitable, isInstance, isRecord, misspelledName, propertyOf } from '../core/index.ts';
import type { Block, JSONObject, TerminalTool, ToolSpec } from '../protocol/index.ts';
import { findProtoProperty, type InferOutput, isObjectSchema, type Schema, toSchema } from '../schema/index.ts';
import { convertingSchema, toTerminalTool } from './terminal-tool.ts';

/**
 * Context of a running tool.
 *
 * @example
 * const run = ({ input, state }: RunContext<{ word: string }, object, { words: string[] }>) => {
 *   state.words.push(input.word);
 *   return { text: `${state.words.length} words` };
 * };
 */
export interface RunContext<Input, Task, State> {
  /** Validated parameters, with defaults and transforms of the schema applied. */
  readonly input: Input;
  readonly task: Task;
  /** Value that `setup` returned. Tools may mutate it; later calls of the episode see the change. */
  readonly state: State;
  /** Aborts when the episode is deleted or the call exceeds its timeout; the tool should stop then. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  /** Random numbers from 0 to below 1; the same ones when the call is replayed from a journal. */
  readonly random: () => number;
  /** Time at which the call began, in milliseconds since 1970; the same when the call is replayed from a journal. */
  readonly now: number;
}

interface ToolResultFields {
  /** Reward of this step; null means no reward, which is not the same as 0. @default null */
  readonly reward?: number | null | undefined;
  /** True if the episode is finished; no tool runs after that. @default false */
  readonly finished?: boolean | undefined;
  /** Data for logs and analysis, not shown to the model. @default null */
  readonly metadata?: JSONObject | null | undefined;
}

/**
 * Result of a tool: content as a text or as blocks, reward and metadata. Source: tools, "Tool Output".
 *
 * @example
 * return { text: 'Correct.', reward: 1, finished: true };
 */
export type ToolResult = ToolResultFields & ({ readonly text: string } | { readonly blocks: readonly Block[] });

type InputOf<I> = [I] extends [object] ? InferOutput<I> : Record<string, never>;

/**
 * Definition of a tool. Source: tools, "What is a Tool?".
 *
 * @example
 * const submit: ToolDefinition = {
 *   description: 'Submit the answer.',
 *   run: () => ({ text: 'Done.', reward: 1, finished: true }),
 * };
 */
export interface ToolDefinition<I = undefined, Task = unknown, State = unknown> {
  /** Description by which models choose the tool. Must not be empty. */
  readonly description: string;
  /**
   * Schema of the parameters, which must be an object: zod, ArkType, wrapped Valibot, TypeBox or `jsonSchema<T>(...)`. Its
   * library decides which inputs are valid; models see it as JSON Schema.
   * @default no parameters
   */
  readonly input?: I;
  /** Allows calls in one session to overlap. Off, because agents could exploit races of a grader. @default false */
  readonly concurrent?: boolean;
  /**
   * Runs the tool alone: a call waits for the running calls of its session, and new calls wait for it. For graders, so
   * that no other call changes what they grade. Takes precedence over `concurrent`. @default false
   */
  readonly exclusive?: boolean;
  /**
   * Makes this the tool that grades the agent's final message. It is not in the list of tools: agents respond with a
   * message without tool calls, and their program calls the tool with its text. It has at most one parameter, which
   * receives the text, and is always exclusive. An environment or toolset has at most one. @default false
   *
   * @example
   * const submit = defineTool({
   *   description: 'Grades the answer.',
   *   input: z.object({ answer: z.string() }),
   *   terminal: true,
   *   run: ({ input }) => ({ text: '', reward: input.answer.includes('Reykjavik') ? 1 : 0, finished: true }),
   * });
   */
  readonly terminal?: boolean;
  /**
   * True if a call that was interrupted by the end of its server may run once more when the episode comes back from a
   * journal. Otherwise its client receives an error. @default false
   */
  readonly idempotent?: boolean;
  /** Timeout of a call, in ms. @default that of the server */
  readonly timeoutMs?: number;
  /** Runs the tool. Throw ToolError for a failure that the agent can handle. */
  readonly run: (context: RunContext<InputOf<I>, Task, State>) => Awaitable<ToolResult>;
}

/**
 * Infers the types of a tool that is defined outside of `tools` of an environment, where a plain object is enough: for
 * `taskTools`, or to share a tool between environments. Returns its argument.
 *
 * @example
 * const add = defineTool({
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ input }) => ({ text: String(input.a + input.b) }),
 * });
 */
export function defineTool<const I extends object | undefined = undefined, Task = unknown, State = unknown>(
  tool: ToolDefinition<I, Task, State>,
): ToolDefinition<I, Task, State> {
  return tool;
}

/** Supertype of all tool definitions. */
type AnyToolDefinition = ToolDefinition<object | undefined, never, never>;

/**
 * How calls of a tool run beside other calls of their session: one at a time per tool (`serial`), at any time
 * (`concurrent`), or alone (`exclusive`).
 */
export type CallMode = 'serial' | 'concurrent' | 'exclusive';

/** Validated tool, ready to run. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly schema: Schema<unknown> | undefined;
  readonly mode: CallMode;
  /** Description of a terminal tool; undefined for any other. */
  readonly terminal: TerminalTool | undefined;
  readonly timeoutMs: number | undefined;
  readonly idempotent: boolean;
  readonly run: (context: RunContext<unknown, unknown, unknown>) => Awaitable<ToolResult>;
}

const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Fields of a definition of a tool. */
const FIELDS: Readonly<Record<keyof ToolDefinition, true>> = {
  description: true,
  input: true,
  concurrent: true,
  exclusive: true,
  terminal: true,
  timeoutMs: true,
  idempotent: true,
  run: true,
};

/**
 * Checks that no field of a definition is misspelled; the author's code would lack it without notice. Fields that resemble
 * no known one are ignored.
 *
 * @param where subject of error messages.
 * @throws TypeError that names the field and the known one.
 */
export function assertFieldNames(definition: object, known: readonly string[], where: string): void {
  const missing = known.filter((name) => propertyOf(definition, name) === undefined);
  for (const field of Object.keys(definition)) {
    const meant = known.includes(field) ? undefined : misspelledName(field, missing);
    if (meant === undefined) continue;
    throw new TypeError(`${where}: '${field}' is not a field of the definition; did you mean '${meant}'?`);
  }
}

/**
 * Validates tool definitions.
 *
 * @param where subject of error messages.
 * @throws TypeError for a definition that no agent could use.
 */
export function toTools(definitions: object, where: string): ReadonlyMap<string, Tool> {
  const tools: ReadonlyMap<string, Tool> = new Map(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      toTool(name, definition, `${where}, tool '${name}'`),
    ]),
  );
  const terminal = [...tools].flatMap(([name, tool]) => (tool.terminal ? [`'${name}'`] : []));
  if (terminal.length <= 1) return tools;
  throw new TypeError(
    `${where}: the tools ${terminal.join(' and ')} are terminal; only one can grade the final message.`,
  );
}

function toTool(name: string, definition: AnyToolDefinition, where: string): Tool {
  if (!TOOL_NAME.test(name)) {
    throw new TypeError(
      `${where}: invalid name; expected 1 to 128 letters, digits, '_', '-' or '.', starting with a letter, digit or '_'.`,
    );
  }
  if (isRecord(definition)) assertFieldNames(definition, Object.keys(FIELDS), where);
  if (typeof definition?.run !== 'function') {
    throw new TypeError(`${where}: has no run function; add run: ({ input }) => ({ text: '...' }).`);
  }
  if (typeof definition.description !== 'string' || definition.description.trim() === '') {
    throw new TypeError(
      `${where}: the description is empty; describe in one sentence what the tool does, because models choose by it.`,
    );
  }
  const { timeoutMs } = definition;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new TypeError(`${where}: invalid timeoutMs: expected a number above 0, got ${timeoutMs}; or omit it.`);
  }
  const schema = definition.input === undefined ? undefined : toSchema(definition.input, `${where}, input`);
  if (schema && !isObjectSchema(schema.json)) {
    throw new TypeError(`${where}: invalid schema: expected an object; wrap it, for example { value: <schema> }.`);
  }
  if (schema && findProtoProperty(schema.json) !== undefined) {
    throw new TypeError(`${where}: no call can have a parameter named '__proto__'; rename it.`);
  }
  const input_schema = (schema?.json as JSONObject | undefined) ?? null;
  const spec = { name, description: definition.description, input_schema };
  const { concurrent = false, exclusive = false, idempotent = false } = definition;
  if (definition.terminal && concurrent) {
    throw new TypeError(`${where}: a terminal tool runs alone, so it cannot be concurrent; remove one of them.`);
  }
  const terminal = definition.terminal ? toTerminalTool(spec, schema, where) : undefined;
  return {
    spec,
    schema: schema && typeof terminal?.arg === 'string' ? convertingSchema(schema, terminal.arg) : schema,
    mode: exclusive || terminal ? 'exclusive' : concurrent ? 'concurrent' : 'serial',
    terminal,
    timeoutMs,
    idempotent,
    // The type of the definition has checked input, task and state; the episode passes the same values.
    run: definition.run as Tool['run'],
  };
}

const TOOL_ERROR = Symbol.for('ors-kit.ToolError');

/**
 * Failure of a tool that the agent can handle: the call returns `{"ok": false, "error": "Tool '<name>' failed:
 * <message>"}` and the episode continues. Any other error ends the call with an `error` event.
 * Source: protocol overview, "Tool Errors".
 *
 * @example
 * if (!(path in files)) throw new ToolError(`${path} does not exist`);
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [TOOL_ERROR] = true;
}

/** Also accepts errors of another copy of this package. */
export const isToolError = (error: unknown): error is ToolError =>
  isInstance(error, Error) && propertyOf(error, TOOL_ERROR) === true;
