import { isRecord } from '../core/index.ts';
import type { JSONObject, ToolSpec } from '../protocol/index.ts';
import { OrsProtocolError } from './errors.ts';

/** Reads a list of tools; `input_schema` becomes null where there is none, and a missing description empty. */
export function parseTools(response: unknown): ToolSpec[] {
  const tools = isRecord(response) ? response.tools : response;
  if (!Array.isArray(tools)) throw new OrsProtocolError('the server gave no list of tools');
  return tools.map((tool: unknown, index) => {
    if (!isRecord(tool) || typeof tool.name !== 'string') {
      throw new OrsProtocolError(`the server's tools[${index}] has no name`);
    }
    return {
      name: tool.name,
      description: typeof tool.description === 'string' ? tool.description : '',
      input_schema: isRecord(tool.input_schema) ? (tool.input_schema as JSONObject) : null,
    };
  });
}
