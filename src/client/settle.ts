import { CallLostError, OrsHttpError, ToolCallError, ToolCrashedError } from './errors.ts';
import { type Heartbeat, mentionsSession, sessionLostError } from './heartbeat.ts';
import type { CallResponse } from './read-answer.ts';
import type { CallResult } from './result.ts';

/*
 * Servers say the same thing in different ways: an unknown tool may be a 400, a 404, an `error` event or `ok: false`.
 * Here each thing becomes one error, whichever way it was said. Texts are matched from their beginning only: the errors
 * of authors can say anything.
 */

const CALL_IS_UNKNOWN = /^unknown task_id\b|^task_id\b.{0,80}\b(unknown|not found|expired)\b/i;
const TOOL_IS_UNKNOWN =
  /^unknown tool\b|^tool ['"`]?[\w.-]+['"`]? (is )?(not found|unknown|does not exist|not recognized)\b/i;
const EPISODE_IS_FINISHED = /\b(finished|is over|has ended|already done|completed)\b/i;
/** A refusal of the request around the call; the agent can do nothing about it. */
const NOT_OF_THE_CALL =
  /^unknown environment\b|^environment .*mismatch|x-session-id|^task_id\b|is (an episode )?of '.*', not/i;

interface CallErrorContext {
  readonly sid: string;
  readonly name: string;
  readonly heartbeat: Heartbeat;
}

/** The result of a call, or the error that the answer means. */
export async function toCallResult(
  response: CallResponse,
  { sid, name, heartbeat, repeated }: CallErrorContext & { readonly repeated: boolean },
): Promise<CallResult> {
  if (response.kind === 'output') return { ...response.output, repeated };
  const { text } = response;
  if (response.kind === 'refusal') {
    // The first of two calls seems to have finished the episode; its reward went down with the connection.
    if (repeated && EPISODE_IS_FINISHED.test(text)) throw callLostError(sid, name, text);
    throw new ToolCallError(text, { sid });
  }
  if (mentionsSession(text) && (await heartbeat.isGone(text))) throw heartbeat.markLost(sessionLostError(sid, text));
  if (CALL_IS_UNKNOWN.test(text)) throw callLostError(sid, name, text);
  if (TOOL_IS_UNKNOWN.test(text)) throw new ToolCallError(text, { sid });
  throw crashed(name, { detail: text, sid });
}

/**
 * The error that a refused call means.
 *
 * @param isKnown whether the server had the call before, and was only asked for its result.
 */
export async function toCallError(
  error: unknown,
  { name, sid, heartbeat, isKnown }: CallErrorContext & { readonly isKnown: boolean },
): Promise<unknown> {
  if (!(error instanceof OrsHttpError) || error.status === null) return error;
  const { status, detail } = error;
  if (status === 500) return crashed(name, { status, detail, sid, cause: error });
  if (![400, 404, 410, 422].includes(status)) return error;
  const explained = await heartbeat.toSessionError(error);
  if (explained !== error) return explained;
  if (isKnown) return callLostError(sid, name, detail, error);
  if (status === 410 || NOT_OF_THE_CALL.test(detail)) return error;
  return new ToolCallError(detail, { status, sid, cause: error });
}

function crashed(name: string, details: { detail: string; sid: string; status?: number; cause?: unknown }) {
  const message = `tool '${name}' failed: ${details.detail || 'the server gave no reason'}`;
  return new ToolCrashedError(message, { ...details, retryable: true });
}

export function callLostError(sid: string, name: string, reason: string, cause?: unknown): CallLostError {
  const message = `the outcome of the call of '${name}' is lost, and it may have run: ${reason}`;
  return new CallLostError(message, { detail: reason, sid, retryable: true, cause });
}
