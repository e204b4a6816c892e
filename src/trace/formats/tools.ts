import type { JSONObject, JSONValue, Trace } from '../../../generated/trace.ts';
import { fieldsOf, isRecord } from '../../core/index.ts';
import { readToolSpec, type ToolSpec } from '../../protocol/index.ts';

/** Tool in OpenAI's format. */
interface FunctionTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JSONObject };
}

/** Converts the tool specs in `metadata.tools` of a trace to OpenAI's format; skips other values. */
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

/** Converts tools in OpenAI's format to tool specs; skips other values. */
export function toToolSpecs(functions: unknown): ToolSpec[] {
  if (!Array.isArray(functions)) return [];
  return functions.flatMap((tool) => {
    const spec = fieldsOf(isRecord(tool) && isRecord(tool.function) ? tool.function : tool);
    return readToolSpec({ ...spec, input_schema: spec.parameters }) ?? [];
  });
}
