import { CallLostError, OrsHttpError, SessionLostError, ToolCallError, ToolCrashedError } from './errors.ts';
import { type Heartbeat, saysSessionIsGone } from './heartbeat.ts';
import type { Answer } from './read-answer.ts';
import type { CallResult } from './result.ts';

/*
 * Servers say the same thing in different ways: an unknown tool may be a 400, a 404, an `error` event or `ok: false`.
 * Here each thing becomes one error, whichever way it was said.
 */

const SAYS_CALL_IS_UNKNOWN = /unknown task_id|task_id.{0,80}(unknown|not found|expired)/i;
const SAYS_TOOL_IS_UNKNOWN = /^unknown tool\b|^tool\b.{0,80}\b(not found|unknown|does not exist|not recognized)\b/i;
const SAYS_EPISODE_IS_FINISHED = /\b(finished|is over|has ended|already done|completed)\b/i;

interface Circumstances {
  readonly sid: string;
  readonly name: string;
  readonly heartbeat: Heartbeat;
  readonly repeated: boolean;
}

/** The result of a call, or the error that the answer means. */
export function settle(answer: Answer, { sid, name, heartbeat, repeated }: Circumstances): CallResult {
  if (answer.kind === 'output') return { ...answer.output, repeated };
  const { text } = answer;
  if (answer.kind === 'refusal') {
    // The first of two calls seems to have finished the episode; its reward went down with the connection.
    if (repeated && SAYS_EPISODE_IS_FINISHED.test(text)) throw callLost(sid, name, text);
    throw new ToolCallError(text, { sid });
  }
  if (saysSessionIsGone(text)) {
    throw heartbeat.lose(
      new SessionLostError(`session ${sid} is gone: ${text}`, { detail: text, sid, retryable: true }),
    );
  }
  if (SAYS_CALL_IS_UNKNOWN.test(text)) throw callLost(sid, name, text);
  if (SAYS_TOOL_IS_UNKNOWN.test(text)) throw new ToolCallError(text, { sid });
  throw crashed(name, { detail: text, sid });
}

/** The error that a refused call means. */
export async function explainRefusal(
  error: unknown,
  { name, sid, heartbeat }: Pick<Circumstances, 'name' | 'sid' | 'heartbeat'>,
): Promise<unknown> {
  if (!(error instanceof OrsHttpError) || error.status === null) return error;
  const { status, detail } = error;
  if (status === 500) return crashed(name, { status, detail, sid, cause: error });
  const isAboutCall = !/task_id|x-session-id|environment/i.test(detail);
  const toolError = () => new ToolCallError(detail, { status, sid, cause: error });
  if (status === 400 || status === 422) return isAboutCall ? toolError() : error;
  const explained = await heartbeat.explain(error);
  return explained === error && status === 404 && isAboutCall ? toolError() : explained;
}

function crashed(name: string, details: { detail: string; sid: string; status?: number; cause?: unknown }) {
  const message = `tool '${name}' failed: ${details.detail || 'the server gave no reason'}`;
  return new ToolCrashedError(message, { ...details, retryable: true });
}

export function callLost(sid: string, name: string, reason: string, cause?: unknown): CallLostError {
  const message = `the outcome of the call of '${name}' is lost, and it may have run: ${reason}`;
  return new CallLostError(message, { detail: reason, sid, retryable: true, cause });
}
