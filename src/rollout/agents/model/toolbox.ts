import { formatToolNames, formatTools, restoreCall } from '../../../client/formats/index.ts';
import {
  claimName,
  errorMessage,
  isJsonObject,
  type JsonSyntaxError,
  joinWords,
  parseJson,
  pointerPath,
} from '../../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../../protocol/index.ts';
import type { ModelTool, ProviderDialect, ToolCallOutputPart } from './language-model.ts';

/** Id and name of a call, as the model sent them. */
interface ModelCall {
  /** Id of the provider, made unique within the conversation. */
  readonly id: string;
  /** Name of the tool in the conversation, which the provider accepts. */
  readonly toolName: string;
}

/** Call of a known tool with a JSON object as input. */
export interface ReadyCall extends ModelCall {
  readonly name: string;
  readonly input: JSONObject;
}

/** Call that cannot be made. */
export interface MalformedCall extends ModelCall {
  /** Name of the tool as the model wrote it. */
  readonly name: string;
  /** Description of the problem, for the model. */
  readonly problem: string;
  /** Arguments as the model sent them. */
  readonly rawText: string;
}

export type ParsedCall = ReadyCall | MalformedCall;

export type Toolbox = ReturnType<typeof createToolbox>;

/** Maximum number of tool names in a message to the model. */
const MAX_NAMES = 50;

/**
 * Creates the tools of an episode in names and schemas that the provider accepts, with the reverse mapping for calls.
 *
 * @param usedIds ids of calls in the conversation.
 */
export function createToolbox(tools: readonly ToolSpec[], dialect: ProviderDialect, usedIds: Iterable<string> = []) {
  const strict = dialect.isStrict ? ({ strict: false } as const) : {};
  const offered = formatForProvider(tools, dialect).map(
    (tool): ModelTool => ({ type: 'function', ...tool, ...strict }),
  );
  const names = new Set(offered.map(({ name }) => name));
  // Results refer to their calls by these ids, which some servers repeat in every response.
  const ids = new Set(usedIds);
  const offeredNames = new Map(tools.map(({ name }, index) => [name, offered[index]?.name ?? name]));

  const acceptedName = (name: string) => formatToolNames([name], dialect.tools).get(name) ?? name;

  const parseCall = ({ toolName, input: rawText }: ToolCallOutputPart, id: string): ParsedCall => {
    if (!names.has(toolName)) {
      const problem = `Unknown tool ${JSON.stringify(toolName)}; ${toolNames([...names])}.`;
      return { id, toolName: acceptedName(toolName), name: toolName, problem, rawText };
    }
    const parsed = parseArguments(rawText);
    if ('problem' in parsed) return { id, toolName, name: toolName, problem: parsed.problem, rawText };
    return { id, toolName, ...restoreCall({ name: toolName, input: parsed.input }, tools, dialect.tools) };
  };
  return {
    /** Tools in the provider's format; undefined if there are none. */
    toolSpecs: offered.length > 0 ? offered : undefined,
    /** Returns the name of a tool as the provider knows it; an unknown one in a form that the provider accepts. */
    providerName: (name: string): string => offeredNames.get(name) ?? acceptedName(name),
    /** Parses the calls of one response, and restores names and inputs of the environment. */
    parseCalls: (calls: readonly ToolCallOutputPart[]): ParsedCall[] =>
      calls.map((call) => parseCall(call, claimName(call.toolCallId || 'call', ids))),
  };
}

function formatForProvider(tools: readonly ToolSpec[], { tools: format }: ProviderDialect): Omit<ModelTool, 'type'>[] {
  if (format === 'anthropic') {
    return formatTools(tools, format).map(({ input_schema, ...tool }) => ({ ...tool, inputSchema: input_schema }));
  }
  return formatTools(tools, format).map(({ function: { parameters, ...tool } }) => ({
    ...tool,
    inputSchema: parameters,
  }));
}

/** Parses the arguments of a call; an empty text means no arguments. */
function parseArguments(rawText: string): { readonly input: JSONObject } | { readonly problem: string } {
  if (rawText.trim() === '') return { input: {} };
  try {
    const { value, problems } = parseJson(rawText);
    if (!isJsonObject(value)) return { problem: 'The arguments are not a JSON object; send one, such as {}.' };
    const inexact = problems.find(({ kind }) => kind === 'number');
    return inexact ? { problem: `${pointerPath('arguments', inexact.pointer)} ${inexact.message}.` } : { input: value };
  } catch (error) {
    // parseJson throws no other error.
    const reason = errorMessage((error as JsonSyntaxError).cause ?? error);
    return { problem: `The arguments are not valid JSON (${reason}); send one JSON object.` };
  }
}

/** Returns the list of tools for a message to the model. */
export const toolNames = (names: readonly string[]): string =>
  names.length === 0 ? 'no tools exist' : `the tools are: ${joinWords(names, { max: MAX_NAMES })}`;
