import { type JoinedSignal, joinSignals, startWatchdog } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import { CallLostError, type OrsClientError, OrsConnectionError } from './errors.ts';
import { type Heartbeat, mentionsSession, sessionLostError } from './heartbeat.ts';
import type { HttpClient } from './http.ts';
import { readStreamedResponse, type StreamedResponse } from './responses.ts';
import { type AbortSignals, isGatewayFailure, isTransientError, RetryBudget } from './retry.ts';
import { ConnectionFailure } from './transport.ts';

/** Minimum age of a connection, in ms, after which its failure restarts the backoff. */
const HEALTHY_MS = 5_000;

/** Matches the `error` event for a task id that the server does not know. */
const TASK_ID_IS_UNKNOWN = /^unknown task_id\b|^task_id\b.{0,80}\b(unknown|not found|expired)\b/i;

/**
 * Matches the `error` event of a server of ors-kit whose session another server continues from the journal, or the next
 * request: there, the task id has its result.
 */
const SESSION_HAS_MOVED = /^(session moved|its journal failed): /;
/** Errors of authors can have any text, so a request follows a session this often. */
const MAX_MOVES = 8;

/** Session that a request belongs to. */
export interface ClientCallContext {
  readonly http: HttpClient;
  readonly heartbeat: Heartbeat;
  readonly sid: string;
  readonly environment: string;
  readonly stallTimeoutMs: number;
}

/** Request whose response is an event stream that can be resumed by its task id: a tool call or a scoring. */
export interface ResumableRequestOptions<Outcome> {
  readonly operation: 'callTool' | 'scoreGroup';
  /** Body without the task id. */
  readonly body: JSONObject;
  /** Id of a request that was started before, or an id that the client chose. */
  readonly taskId: string | undefined;
  /** True if the request was started before. @default false */
  readonly isOnServer?: boolean;
  /** Parses the JSON of the result; its second argument is the media type, for errors. */
  readonly parse: (json: string, type: string) => Outcome;
  /** Start of the message if the result is lost, which may have been computed. */
  readonly lostMessage: string;
  /** Called as soon as the task id is known. */
  readonly onTaskId?: ((taskId: string) => void) | undefined;
  /** False: the request is not sent again if it may have arrived and has no task id. @default true */
  readonly repeat?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The stream of a request sent nothing for the stall timeout. */
class SilentStreamError extends ConnectionFailure {}

/** One request, over as many connections as it needs. */
export class ResumableRequest<Outcome extends object> {
  readonly #context: ClientCallContext;
  readonly #options: ResumableRequestOptions<Outcome>;
  readonly #budget: RetryBudget;
  #taskId: string | undefined;
  /** True if the server has, or may have, received the request. */
  #isKnown: boolean;
  #repeated = false;
  #moves = 0;
  #lastActivityAt = 0;

  constructor(context: ClientCallContext, options: ResumableRequestOptions<Outcome>) {
    this.#context = context;
    this.#options = options;
    this.#isKnown = options.isOnServer ?? false;
    this.#budget = new RetryBudget(context.http.retry);
    if (options.taskId !== undefined) this.#setTaskId(options.taskId);
  }

  /** True if the server has, or may have, received the request. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True if the request was sent again although it may have been carried out. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /**
   * Makes attempts until there is a complete response; with a task id, an attempt resumes the request.
   *
   * @throws OrsHttpError for a rejection that is not transient; OrsConnectionError; CallLostError; errors of `parse`; the
   *   signal's reason.
   */
  async response(): Promise<StreamedResponse<Outcome>> {
    for (;;) {
      const startedAt = performance.now();
      try {
        const response = await this.#attempt();
        if (!this.#hasMoved(response)) return response;
        throw new ConnectionFailure(response.text);
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        if (!isTransientError(error)) throw error;
        await this.#recover(error, startedAt);
      }
    }
  }

  /** Returns the error of a request that may have been carried out, and whose result cannot be fetched. */
  lostError(reason: string, cause?: unknown): CallLostError {
    const message = `${this.#options.lostMessage}: ${reason}`;
    return new CallLostError(message, { detail: reason, sid: this.#context.sid, retryable: true, cause });
  }

  /**
   * Asserts that neither the session nor the result is lost.
   *
   * @param text text of an `error` event.
   * @throws SessionLostError; CallLostError if the server does not know the task id.
   */
  async assertNotLost(text: string): Promise<void> {
    const { heartbeat, sid } = this.#context;
    if (mentionsSession(text) && (await heartbeat.isGone(text))) throw heartbeat.markLost(sessionLostError(sid, text));
    if (TASK_ID_IS_UNKNOWN.test(text)) throw this.lostError(text);
  }

  /** Returns true for a request whose session continues elsewhere, and which can be resumed there. */
  #hasMoved(response: StreamedResponse<Outcome>): response is StreamedResponse<Outcome> & { readonly text: string } {
    const isMove = 'kind' in response && response.kind === 'crash' && SESSION_HAS_MOVED.test(response.text);
    return isMove && this.#taskId !== undefined && this.#moves++ < MAX_MOVES;
  }

  async #attempt(): Promise<StreamedResponse<Outcome>> {
    const { http, heartbeat, sid, environment, stallTimeoutMs } = this.#context;
    const { operation, parse } = this.#options;
    const joined = joinSignals(...this.#abortSignals());
    const watch = startWatchdog(stallTimeoutMs, () => this.#onSilence(joined));
    const onChunk = () => {
      this.#lastActivityAt = performance.now();
      heartbeat.recordActivity();
      watch.heard();
    };
    const body = { ...this.#options.body, ...(this.#taskId !== undefined && { task_id: this.#taskId }) };
    try {
      joined.signal.throwIfAborted();
      const request = { environment, sid, body, signal: joined.signal };
      const response = await http.send(operation, 'text/event-stream', request);
      onChunk();
      const onTaskId = (id: string) => {
        this.#isKnown = true;
        if (this.#taskId === undefined) this.#setTaskId(id);
      };
      const result = await readStreamedResponse(http.baseUrl, response, { onChunk, onTaskId }, parse);
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
    this.#options.onTaskId?.(taskId);
  }

  /** Waits before the next attempt, or throws if there is none. */
  async #recover(failure: unknown, startedAt: number): Promise<void> {
    const { http, heartbeat } = this.#context;
    const arrived = failure instanceof ConnectionFailure ? failure.mayHaveArrived : isGatewayFailure(failure);
    this.#isKnown ||= arrived;
    if (arrived && this.#taskId === undefined) {
      const reason = 'the connection broke before the server assigned a task id';
      if (this.#options.repeat === false) throw this.lostError(reason, failure);
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
      // With the budget used up, the possibility that the request was carried out matters more than the last failure.
      const isUsedUp = error instanceof OrsConnectionError || (error === failure && isGatewayFailure(error));
      if (!isUsedUp || !this.#isKnown || http.closed.aborted) throw error;
      // Both kinds of errors are OrsClientErrors.
      throw this.lostError((error as OrsClientError).detail, error);
    }
  }

  #abortSignals(): AbortSignals {
    return [this.#options.signal, this.#context.heartbeat.lost, this.#context.http.closed];
  }
}
