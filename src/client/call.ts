import type { JSONObject } from '../protocol/index.ts';
import { OrsHttpError, ToolCallError, ToolCrashedError } from './errors.ts';
import type { SignalOption } from './http.ts';
import {
  type CallResult,
  parseToolOutcome,
  type StreamedResponse,
  type ToolOutcome,
  toCallReason,
} from './responses.ts';
import { type ClientCallContext, ResumableRequest } from './resumable-request.ts';

/**
 * Reference to a started call, as plain JSON: another process can fetch its result by `session.resume`.
 *
 * @example
 * const handle: CallHandle = JSON.parse(savedHandle);
 * const { reward } = await session.resume(handle);
 */
export interface CallHandle {
  readonly task_id: string;
  readonly name: string;
  readonly input: JSONObject;
}

/**
 * Options of `session.call`.
 *
 * @example
 * await session.call('grade', { file: 'main.c' }, {
 *   signal: AbortSignal.timeout(60_000),
 *   onStart: (call) => saveForLater(call),
 * });
 */
export interface CallOptions extends SignalOption {
  /** Called with the handle of the call as soon as its task id is known. */
  readonly onStart?: (call: CallHandle) => void;
  /**
   * Sends the call again if the connection breaks before the server has assigned a task id. The tool may have
   * run then, and the result is marked as `repeated`; false throws CallLostError instead. Servers of ors-kit run every
   * call once in either case. @default true
   */
  readonly repeat?: boolean;
}

/** Tool call to start or to resume. */
export interface ToolCallRequest {
  readonly name: string;
  readonly input: JSONObject;
  /** Id of a call that was started before, or an id that the client chose. */
  readonly taskId: string | undefined;
  /** True if the call was started before. @default false */
  readonly isOnServer?: boolean;
}

type CallRequest = ResumableRequest<ToolOutcome>;

/**
 * Makes one tool call, and converts every form of response to the same result or error.
 *
 * @throws every error of the client; the signal's reason.
 */
export async function callTool(
  context: ClientCallContext,
  { name, input, ...id }: ToolCallRequest,
  { onStart, repeat, signal }: CallOptions,
): Promise<CallResult> {
  const request = new ResumableRequest(context, {
    ...id,
    operation: 'callTool',
    body: { name, input },
    parse: parseToolOutcome,
    lostMessage: `the result of the call of '${name}' is lost, and the tool may have run`,
    onTaskId: (task_id) => onStart?.({ task_id, name, input }),
    repeat,
    signal,
  });
  try {
    return await toResult(context, request, name, await request.response());
  } catch (error) {
    throw await toCallError(context, request, name, error);
  }
}

/** Returns the result of a response, or throws the error that it means. */
async function toResult(
  { sid }: ClientCallContext,
  request: CallRequest,
  name: string,
  response: StreamedResponse<ToolOutcome>,
): Promise<CallResult> {
  if (response.kind === 'output') return { ...response.output, repeated: request.repeated };
  const { text } = response;
  if (response.kind === 'refusal') {
    const { reason } = response;
    // The first of two calls has probably finished the episode, and its reward was lost with the connection.
    const isFinished = reason === 'episode_finished' || EPISODE_IS_FINISHED.test(text);
    if (request.repeated && isFinished) throw request.lostError(text);
    throw new ToolCallError(text, { sid, reason });
  }
  await request.assertNotLost(text);
  if (toCallReason(text) === 'not_found') throw new ToolCallError(text, { sid, reason: 'not_found' });
  throw crashedError(name, { detail: text, sid });
}

/** Returns the error that a rejected call means. */
async function toCallError(
  { sid, heartbeat }: ClientCallContext,
  request: CallRequest,
  name: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof OrsHttpError) || error.status === null) return error;
  const { status, detail } = error;
  if (status === 500) return crashedError(name, { status, detail, sid, cause: error });
  if (![400, 404, 410, 422].includes(status)) return error;
  const sessionError = await heartbeat.toSessionError(error);
  if (sessionError !== error) return sessionError;
  if (request.isKnown) return request.lostError(detail, error);
  if (status === 410 || REQUEST_IS_INVALID.test(detail)) return error;
  return new ToolCallError(detail, { status, sid, cause: error, reason: toCallReason(detail) });
}

function crashedError(name: string, details: { detail: string; sid: string; status?: number; cause?: unknown }) {
  const message = `tool '${name}' failed: ${details.detail || 'the server returned no reason'}`;
  return new ToolCrashedError(message, { ...details, retryable: true });
}

/*
 * Servers express the same error in different ways: an unknown tool is a 400, a 404, an `error` event or `ok: false`.
 * Most texts are matched from their start only, because errors of authors can have any text.
 */

const EPISODE_IS_FINISHED = /\b(finished|is over|has ended|already done|completed)\b/i;
/** Rejections of the request around the call, about which the agent can do nothing. */
const REQUEST_IS_INVALID =
  /^unknown environment\b|^environment .*mismatch|x-session-id|^task_id\b|is (an episode )?of '.*', not/i;
