import { isInstance, propertyOf } from '../core/index.ts';

const TOOL_ERROR = Symbol.for('ors-kit.ToolError');

/**
 * A failure that the agent is told of and can act on: the call answers `{"ok": false, "error": "Tool '<name>' failed:
 * <message>"}` and the episode goes on. Anything else that a tool throws ends the call with an `error` event.
 * Source: protocol overview, "Tool Errors".
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly [TOOL_ERROR] = true;
}

/** Holds for errors of another copy of this package too. */
export const isToolError = (error: unknown): error is ToolError =>
  isInstance(error, Error) && propertyOf(error, TOOL_ERROR) === true;
