import { type JoinedSignal, joinSignals, startWatchdog } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import {
  CallLostError,
  type OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  ToolCallError,
  ToolCrashedError,
} from './errors.ts';
import { type Heartbeat, mentionsSession, sessionLostError } from './heartbeat.ts';
import type { HttpClient, SignalOption } from './http.ts';
import { type CallResponse, type CallResult, readCallResponse } from './responses.ts';
import { type AbortSignals, isGatewayFailure, isTransientError, RetryBudget } from './retry.ts';
import { ConnectionFailure } from './transport.ts';

/** Minimum age of a connection, in ms, after which its failure restarts the backoff. */
const HEALTHY_MS = 5_000;

/** Reference to a started call, as plain JSON: another process can fetch its result by `session.resume`. */
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

/** Session that a call belongs to. */
export interface ClientCallContext {
  readonly http: HttpClient;
  readonly heartbeat: Heartbeat;
  readonly sid: string;
  readonly environment: string;
  readonly stallTimeoutMs: number;
}

/** Tool call to start or to resume. */
export interface ResumableCallRequest {
  readonly name: string;
  readonly input: JSONObject;
  /** Id of a call that was started before, or an id that the client chose. */
  readonly taskId: string | undefined;
  /** True if the call was started before. @default false */
  readonly isOnServer?: boolean;
}

/** The stream of a call sent nothing for the stall timeout. */
class SilentStreamError extends ConnectionFailure {}

/** One tool call, over as many connections as it needs. */
export class ResumableCall {
  readonly #context: ClientCallContext;
  readonly #name: string;
  readonly #input: JSONObject;
  readonly #options: CallOptions;
  readonly #budget: RetryBudget;
  #taskId: string | undefined;
  /** True if the server has, or may have, received the call. */
  #isKnown: boolean;
  #repeated = false;
  #lastActivityAt = 0;

  constructor(
    context: ClientCallContext,
    { name, input, taskId, isOnServer = false }: ResumableCallRequest,
    options: CallOptions,
  ) {
    this.#context = context;
    this.#name = name;
    this.#input = input;
    this.#options = options;
    this.#isKnown = isOnServer;
    this.#budget = new RetryBudget(context.http.retry);
    if (taskId !== undefined) this.#setTaskId(taskId);
  }

  /**
   * Makes attempts until there is a result or an error; with a task id, an attempt resumes the call.
   *
   * @throws every error of the client; the signal's reason.
   */
  async result(): Promise<CallResult> {
    for (;;) {
      const startedAt = performance.now();
      try {
        return await this.#toResult(await this.#attempt());
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        if (!isTransientError(error)) throw await this.#toCallError(error);
        await this.#recover(error, startedAt);
      }
    }
  }

  async #attempt(): Promise<CallResponse> {
    const { http, heartbeat, sid, environment, stallTimeoutMs } = this.#context;
    const joined = joinSignals(...this.#abortSignals());
    const watch = startWatchdog(stallTimeoutMs, () => this.#onSilence(joined));
    const onChunk = () => {
      this.#lastActivityAt = performance.now();
      heartbeat.recordActivity();
      watch.heard();
    };
    const body = { name: this.#name, input: this.#input, ...(this.#taskId !== undefined && { task_id: this.#taskId }) };
    try {
      joined.signal.throwIfAborted();
      const request = { environment, sid, body, signal: joined.signal };
      const response = await http.send('callTool', 'text/event-stream', request);
      onChunk();
      const onTaskId = (id: string) => {
        this.#isKnown = true;
        if (this.#taskId === undefined) this.#setTaskId(id);
      };
      const result = await readCallResponse(http.baseUrl, response, { onChunk, onTaskId });
      if (!result.isFullyRead) joined.abort('the response is complete');
      return result;
    } catch (error) {
      const reason = joined.signal.aborted ? joined.signal.reason : error;
      // Releases the connection that the rest of the response would occupy.
      joined.abort(reason);
      throw reason;
    } finally {
      watch.stop();
      joined.release();
    }
  }

  /** Handles a silent stream: returns the time to wait further in ms, or ends the attempt. */
  #onSilence(joined: JoinedSignal): number | undefined {
    const { heartbeat, stallTimeoutMs } = this.#context;
    const silentMs = performance.now() - Math.max(this.#lastActivityAt, heartbeat.lastActivityAt);
    // Without a task id, another attempt would run the tool again. The server may be busy or setting the episode up.
    if (this.#taskId === undefined && silentMs < this.#budget.leftMs) return stallTimeoutMs;
    joined.abort(
      new SilentStreamError(`${this.#context.http.baseUrl} was silent for ${Math.round(silentMs / 1000)} s`),
    );
    return undefined;
  }

  #setTaskId(taskId: string): void {
    this.#taskId = taskId;
    this.#options.onStart?.({ task_id: taskId, name: this.#name, input: this.#input });
  }

  /** Waits before the next attempt, or throws if there is none. */
  async #recover(failure: unknown, startedAt: number): Promise<void> {
    const { http, heartbeat } = this.#context;
    const arrived = failure instanceof ConnectionFailure ? failure.mayHaveArrived : isGatewayFailure(failure);
    this.#isKnown ||= arrived;
    if (arrived && this.#taskId === undefined) {
      const reason = 'the connection broke before the server assigned a task id';
      if (this.#options.repeat === false) throw this.#lostError(reason, failure);
      this.#repeated = true;
    }
    const isSilent = failure instanceof SilentStreamError;
    const lastActivityAt = Math.max(this.#lastActivityAt, isSilent ? heartbeat.lastActivityAt : 0, startedAt);
    const isAlive = isSilent ? lastActivityAt > startedAt : lastActivityAt - startedAt > HEALTHY_MS;
    if (isAlive) this.#budget.resetBackoff();
    const lostMs = isSilent && isAlive ? 0 : performance.now() - lastActivityAt;
    try {
      await this.#budget.waitBeforeRetry(failure, lostMs, http.retryCapMs, ...this.#abortSignals());
    } catch (error) {
      // With the budget used up, the possibility that the call has run matters more than the last failure.
      const isUsedUp = error instanceof OrsConnectionError || (error === failure && isGatewayFailure(error));
      if (!isUsedUp || !this.#isKnown || http.closed.aborted) throw error;
      // Both kinds of errors are OrsClientErrors.
      throw this.#lostError((error as OrsClientError).detail, error);
    }
  }

  #abortSignals(): AbortSignals {
    return [this.#options.signal, this.#context.heartbeat.lost, this.#context.http.closed];
  }

  /** Returns the result of a response, or throws the error that it means. */
  async #toResult(response: CallResponse): Promise<CallResult> {
    if (response.kind === 'output') return { ...response.output, repeated: this.#repeated };
    const { sid, heartbeat } = this.#context;
    const { text } = response;
    if (response.kind === 'refusal') {
      // The first of two calls has probably finished the episode, and its reward was lost with the connection.
      if (this.#repeated && EPISODE_IS_FINISHED.test(text)) throw this.#lostError(text);
      throw new ToolCallError(text, { sid });
    }
    if (mentionsSession(text) && (await heartbeat.isGone(text))) throw heartbeat.markLost(sessionLostError(sid, text));
    if (CALL_IS_UNKNOWN.test(text)) throw this.#lostError(text);
    if (TOOL_IS_UNKNOWN.test(text)) throw new ToolCallError(text, { sid });
    throw this.#crashedError({ detail: text, sid });
  }

  /** Returns the error that a rejected call means. */
  async #toCallError(error: unknown): Promise<unknown> {
    if (!(error instanceof OrsHttpError) || error.status === null) return error;
    const { sid, heartbeat } = this.#context;
    const { status, detail } = error;
    if (status === 500) return this.#crashedError({ status, detail, sid, cause: error });
    if (![400, 404, 410, 422].includes(status)) return error;
    const sessionError = await heartbeat.toSessionError(error);
    if (sessionError !== error) return sessionError;
    if (this.#isKnown) return this.#lostError(detail, error);
    if (status === 410 || REQUEST_IS_INVALID.test(detail)) return error;
    return new ToolCallError(detail, { status, sid, cause: error });
  }

  #crashedError(details: { detail: string; sid: string; status?: number; cause?: unknown }): ToolCrashedError {
    const message = `tool '${this.#name}' failed: ${details.detail || 'the server returned no reason'}`;
    return new ToolCrashedError(message, { ...details, retryable: true });
  }

  #lostError(reason: string, cause?: unknown): CallLostError {
    const message = `the result of the call of '${this.#name}' is lost, and the tool may have run: ${reason}`;
    return new CallLostError(message, { detail: reason, sid: this.#context.sid, retryable: true, cause });
  }
}

/*
 * Servers express the same error in different ways: an unknown tool is a 400, a 404, an `error` event or `ok: false`.
 * Most texts are matched from their start only, because errors of authors can have any text.
 */

const CALL_IS_UNKNOWN = /^unknown task_id\b|^task_id\b.{0,80}\b(unknown|not found|expired)\b/i;
const TOOL_IS_UNKNOWN =
  /^unknown tool\b|^tool ['"`]?[\w.-]+['"`]? (is )?(not found|unknown|does not exist|not recognized)\b/i;
const EPISODE_IS_FINISHED = /\b(finished|is over|has ended|already done|completed)\b/i;
/** Rejections of the request around the call, about which the agent can do nothing. */
const REQUEST_IS_INVALID =
  /^unknown environment\b|^environment .*mismatch|x-session-id|^task_id\b|is (an episode )?of '.*', not/i;
