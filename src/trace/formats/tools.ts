import type { JSONObject, JSONValue, Trace } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';

/** A tool as the function that OpenAI knows. */
export interface FunctionTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JSONObject };
}

/** The tools that `metadata.tools` of a trace lists as ORS does; others in that list are left out. */
export function toOpenAIFunctions({ metadata }: Pick<Trace, 'metadata'>): FunctionTool[] {
  const { tools } = metadata;
  return Array.isArray(tools) ? tools.flatMap(functionOf) : [];
}

function functionOf(tool: JSONValue): FunctionTool[] {
  if (!isRecord(tool) || typeof tool.name !== 'string') return [];
  const { name, description, input_schema: parameters } = tool;
  return [
    {
      type: 'function',
      function: {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isRecord(parameters) ? { parameters: parameters as JSONObject } : {}),
      },
    },
  ];
}

/** Functions of OpenAI's form as the tools that ORS lists; others are left out. */
export function toToolSpecs(functions: unknown): JSONObject[] {
  if (!Array.isArray(functions)) return [];
  return functions.flatMap((tool) => {
    const given = isRecord(tool) && isRecord(tool.function) ? tool.function : tool;
    if (!isRecord(given) || typeof given.name !== 'string') return [];
    const { name, description, parameters } = given;
    // What was parsed as JSON holds JSON only.
    const input_schema = isRecord(parameters) ? (parameters as JSONObject) : null;
    return [{ name, description: typeof description === 'string' ? description : '', input_schema }];
  });
}
