import { formatTools, restoreCall } from '../../../client/formats/index.ts';
import {
  errorMessage,
  isJsonObject,
  type JsonSyntaxError,
  joinWords,
  parseJson,
  pointerPath,
  uniqueName,
} from '../../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../../protocol/index.ts';
import type { ProviderDialect } from './dialect.ts';
import type { ModelTool, ToolCallOutputPart } from './language-model.ts';

/** A call as the model made it. */
interface ModelCall {
  /** The provider's; another where the same answer has it twice. */
  readonly id: string;
  /** The tool in the model's words. */
  readonly toolName: string;
}

/** A call that can be made. */
export interface ReadyCall extends ModelCall {
  readonly name: string;
  readonly input: JSONObject;
}

/** A call that nobody can make. */
export interface MalformedCall extends ModelCall {
  /** What is wrong with it, for the model. */
  readonly problem: string;
  /** Its arguments as the model wrote them. */
  readonly rawText: string;
}

export type ParsedCall = ReadyCall | MalformedCall;

export interface Toolbox {
  /** For the model; undefined where there are none. */
  readonly toolSpecs: readonly ModelTool[] | undefined;
  /** The calls of one answer, in the environment's words. */
  readonly parseCalls: (calls: readonly ToolCallOutputPart[]) => ParsedCall[];
}

/** More names than these are not told. */
const MAX_NAMES = 50;

/** The tools of an episode, in names and schemas that the provider takes, and the way back. */
export function createToolbox(tools: readonly ToolSpec[], dialect: ProviderDialect): Toolbox {
  const strict = dialect.isStrict ? ({ strict: false } as const) : {};
  const offered = inForm(tools, dialect).map((tool): ModelTool => ({ type: 'function', ...tool, ...strict }));
  const names = new Set(offered.map(({ name }) => name));

  const read = (call: ToolCallOutputPart, id: string): ParsedCall => {
    const { toolName, input: written } = call;
    if (!names.has(toolName)) return { id, toolName, problem: unknownTool(toolName, [...names]), rawText: written };
    const parsed = readModelArguments(written);
    if ('problem' in parsed) return { id, toolName, problem: parsed.problem, rawText: written };
    return { id, toolName, ...restoreCall({ name: toolName, input: parsed.input }, tools, dialect.tools) };
  };
  return {
    toolSpecs: offered.length > 0 ? offered : undefined,
    parseCalls: (calls) => {
      // The results of an answer find their calls by these ids.
      const ids = new Set<string>();
      return calls.map((call) => {
        const id = uniqueName(call.toolCallId || 'call', (other) => ids.has(other));
        ids.add(id);
        return read(call, id);
      });
    },
  };
}

function inForm(tools: readonly ToolSpec[], { tools: form }: ProviderDialect): Omit<ModelTool, 'type'>[] {
  if (form === 'anthropic') {
    return formatTools(tools, form).map(({ input_schema, ...tool }) => ({ ...tool, inputSchema: input_schema }));
  }
  return formatTools(tools, form).map(({ function: { parameters, ...tool } }) => ({
    ...tool,
    inputSchema: parameters,
  }));
}

/** Reads the arguments of a call as a model wrote them; an empty text stands for none. */
function readModelArguments(written: string): { readonly input: JSONObject } | { readonly problem: string } {
  if (written.trim() === '') return { input: {} };
  try {
    const { value, problems } = parseJson(written);
    if (!isJsonObject(value)) return { problem: 'The arguments are not a JSON object; send one, such as {}.' };
    const lost = problems.find(({ kind }) => kind === 'number');
    return lost ? { problem: `${pointerPath('arguments', lost.pointer)} ${lost.message}.` } : { input: value };
  } catch (error) {
    // parseJson throws nothing else.
    return {
      problem: `The arguments cannot be read as JSON (${errorMessage((error as JsonSyntaxError).cause ?? error)}); send one JSON object.`,
    };
  }
}

function unknownTool(name: string, names: readonly string[]): string {
  return `There is no tool ${JSON.stringify(name)}; ${toolNames(names)}.`;
}

/** Tells a model which tools there are. */
export const toolNames = (names: readonly string[]): string =>
  names.length === 0 ? 'there are no tools' : `the tools are: ${joinWords(names, { max: MAX_NAMES })}`;
