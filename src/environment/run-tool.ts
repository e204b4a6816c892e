import type { SerializedToolOutput } from '../protocol/index.ts';
import { describeIssues } from '../schema/index.ts';
import type { RunContext, Tool } from './define-tool.ts';
import { serializeOutput } from './output.ts';
import { isToolError } from './tool-error.ts';

/** How a call came out: an output, or a failure that the agent can act on. */
export type ToolRun =
  | { readonly ok: true; readonly output: SerializedToolOutput }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs a tool: checks its input, runs it, checks what it returned. Whatever the tool throws, other than a ToolError,
 * comes out as it is.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: Omit<RunContext<unknown, unknown, unknown>, 'input'>,
  warn: (message: string) => void,
): Promise<ToolRun> {
  try {
    const valid = tool.schema ? await tool.schema.validate(input) : { ok: true as const, value: {} };
    if (!valid.ok) return { ok: false, reason: describeIssues(valid.issues) };
    const output = serializeOutput(await tool.run({ ...context, input: valid.value }));
    if (output.blocks.length > 0) return { ok: true, output };
    warn(`tool '${tool.spec.name}' returned no blocks; an empty text block is sent in their place`);
    return { ok: true, output: { ...output, blocks: [{ text: '', detail: null, type: 'text' }] } };
  } catch (error) {
    if (isToolError(error)) return { ok: false, reason: error.message || 'the tool gave no reason' };
    throw error;
  }
}
