import type { JSONObject } from '../core/index.ts';
import type { TerminalTool, ToolSpec } from './types.ts';

/**
 * Returns a terminal tool as an ordinary tool, for programs that have to show it. Its schema is not part of the wire
 * format: the argument is one string.
 */
export const terminalToolSpec = ({ name, arg, description }: TerminalTool): ToolSpec => ({
  name,
  description: description ?? '',
  input_schema:
    arg === undefined || arg === null
      ? null
      : {
          type: 'object',
          properties: { [arg]: { type: 'string', description: 'The final answer.' } },
          required: [arg],
        },
});

/** Returns the input with which a terminal tool is called for a text; a tool without argument gets none. */
export const terminalToolInput = ({ arg }: TerminalTool, text: string): JSONObject =>
  arg === undefined || arg === null ? {} : { [arg]: text };
