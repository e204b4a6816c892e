import { type Awaitable, andThen, propertyOf, settle } from '../core/index.ts';
import type { SerializedToolOutput } from '../protocol/index.ts';
import { describeIssues, type SchemaValidation } from '../schema/index.ts';
import type { RunContext, Tool } from './define-tool.ts';
import { serializeOutput } from './output.ts';
import { isToolError } from './tool-error.ts';

/** How a call came out: an output, or a failure that the agent can act on. */
export type ToolRunResult =
  | { readonly ok: true; readonly output: SerializedToolOutput }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs a tool: checks its input, runs it, checks what it returned. Whatever the tool throws, other than a ToolError,
 * comes out as it is.
 */
export function runTool(
  tool: Tool,
  input: unknown,
  contextOf: (valid: unknown) => RunContext<unknown, unknown, unknown>,
  warn: (message: string) => void,
): Awaitable<ToolRunResult> {
  const run = (valid: SchemaValidation<unknown>): Awaitable<ToolRunResult> =>
    valid.ok
      ? andThen(tool.run(contextOf(valid.value)), (result) => outputOf(tool, result, warn))
      : { ok: false, reason: describeIssues(valid.issues) };
  return settle(
    () => andThen(tool.schema ? tool.schema.validate(input) : { ok: true, value: {} }, run),
    (done) => done,
    (error) => {
      if (isToolError(error)) {
        const message = propertyOf(error, 'message');
        return {
          ok: false,
          reason: typeof message === 'string' && message !== '' ? message : 'the tool gave no reason',
        };
      }
      throw error;
    },
  );
}

function outputOf(tool: Tool, result: unknown, warn: (message: string) => void): ToolRunResult {
  const output = serializeOutput(result);
  if (output.blocks.length > 0) return { ok: true, output };
  warn(`tool '${tool.spec.name}' returned no blocks; an empty text block is sent in their place`);
  return { ok: true, output: { ...output, blocks: [{ text: '', detail: null, type: 'text' }] } };
}
