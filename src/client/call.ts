import { type JoinedSignal, joinSignals, startWatchdog } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { type CallLostError, type OrsClientError, OrsConnectionError } from './errors.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { HttpClient } from './http.ts';
import { type CallResponse, readCallResponse } from './read-answer.ts';
import type { CallResult } from './result.ts';
import { isGatewayFailure, isTransientError, RetryBudget } from './retry.ts';
import { callLostError, toCallError, toCallResult } from './settle.ts';

/** A connection that worked as long as this was a good one, in ms. */
const HEALTHY_MS = 5_000;

/** A call that began; plain JSON, so that another process can fetch its result. */
export interface CallHandle {
  readonly task_id: string;
  readonly name: string;
  readonly input: JSONObject;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Told how to come back to the call, as soon as that is known. */
  readonly onStart?: (call: CallHandle) => void;
  /**
   * Whether the call is sent again if the connection breaks before the server has named the call, when the tool may
   * have run or not; the result is marked as `repeated`. False throws CallLostError. Default: true. Does not matter
   * for servers of ors-kit, which run a call once in any case.
   */
  readonly repeat?: boolean;
}

/** Where calls go. */
export interface ClientCallContext {
  readonly http: HttpClient;
  readonly heartbeat: Heartbeat;
  readonly sid: string;
  readonly environment: string;
  readonly stallTimeoutMs: number;
}

export interface ResumableCallRequest {
  readonly name: string;
  readonly input: JSONObject;
  /** Of a call that began before, or that the server lets us choose. */
  readonly taskId: string | undefined;
  /** Whether it began before. Default: false. */
  readonly isOnServer?: boolean;
}

class SilentStreamError extends ConnectionFailure {}

/** One call, over as many connections as it takes. */
export class ResumableCall {
  readonly #context: ClientCallContext;
  readonly #name: string;
  readonly #input: JSONObject;
  readonly #options: CallOptions;
  readonly #budget: RetryBudget;
  #taskId: string | undefined;
  /** Whether the server has, or may have, the call already. */
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
    if (taskId !== undefined) this.#handleResponse(taskId);
  }

  /** @throws every error of the client; the signal's reason. */
  async result(): Promise<CallResult> {
    for (;;) {
      const startedAt = performance.now();
      try {
        const response = await this.#attempt();
        return await toCallResult(response, { ...this.#context, name: this.#name, repeated: this.#repeated });
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        const circumstances = { ...this.#context, name: this.#name, isKnown: this.#isKnown };
        if (!isTransientError(error)) throw await toCallError(error, circumstances);
        await this.#recover(error, startedAt);
      }
    }
  }

  async #attempt(): Promise<CallResponse> {
    const { http, heartbeat, sid, environment, stallTimeoutMs } = this.#context;
    const joined = joinSignals(...this.#abortSignals());
    const watch = startWatchdog(stallTimeoutMs, () => this.#onSilence(joined));
    const onPiece = () => {
      this.#lastActivityAt = performance.now();
      heartbeat.recordActivity();
      watch.heard();
    };
    const body = { name: this.#name, input: this.#input, ...(this.#taskId !== undefined && { task_id: this.#taskId }) };
    try {
      joined.signal.throwIfAborted();
      const request = { environment, sid, body, signal: joined.signal };
      const response = await http.send('callTool', 'text/event-stream', request);
      onPiece();
      const onTaskId = (id: string) => {
        this.#isKnown = true;
        if (this.#taskId === undefined) this.#handleResponse(id);
      };
      const answer = await readCallResponse(http.baseUrl, response, { onChunk: onPiece, onTaskId });
      if (!answer.isFullyRead) joined.abort('the answer is complete');
      return answer;
    } catch (error) {
      const reason = joined.signal.aborted ? joined.signal.reason : error;
      // What is left of the answer must not hold its connection.
      joined.abort(reason);
      throw reason;
    } finally {
      watch.stop();
      joined.release();
    }
  }

  /** The stream is silent: gives the time to wait on, or ends the attempt. */
  #onSilence(joined: JoinedSignal): number | undefined {
    const { heartbeat, stallTimeoutMs } = this.#context;
    const silentMs = performance.now() - Math.max(this.#lastActivityAt, heartbeat.lastActivityAt);
    // Without an id to ask by, asking again would run the tool again. The server may set the episode up, or be busy.
    if (this.#taskId === undefined && silentMs < this.#budget.leftMs) return stallTimeoutMs;
    joined.abort(
      new SilentStreamError(`${this.#context.http.baseUrl} was silent for ${Math.round(silentMs / 1000)} s`),
    );
    return undefined;
  }

  #handleResponse(taskId: string): void {
    this.#taskId = taskId;
    this.#options.onStart?.({ task_id: taskId, name: this.#name, input: this.#input });
  }

  async #recover(failure: unknown, startedAt: number): Promise<void> {
    const { http, heartbeat } = this.#context;
    const arrived = failure instanceof ConnectionFailure ? failure.mayHaveArrived : isGatewayFailure(failure);
    this.#isKnown ||= arrived;
    if (arrived && this.#taskId === undefined) {
      const reason = 'the connection broke before the server named the call';
      if (this.#options.repeat === false) throw this.#lostError(reason, failure);
      this.#repeated = true;
    }
    const heardAt = Math.max(
      this.#lastActivityAt,
      failure instanceof SilentStreamError ? heartbeat.lastActivityAt : 0,
      startedAt,
    );
    const isAlive = failure instanceof SilentStreamError ? heardAt > startedAt : heardAt - startedAt > HEALTHY_MS;
    if (isAlive) this.#budget.resetBackoff();
    const lostMs = failure instanceof SilentStreamError && isAlive ? 0 : performance.now() - heardAt;
    try {
      await this.#budget.waitBeforeRetry(failure, lostMs, http.retryCapMs, ...this.#abortSignals());
    } catch (error) {
      // With the budget used up, it matters most that the call may have run.
      const isUsedUp = error instanceof OrsConnectionError || (error === failure && isGatewayFailure(error));
      if (!isUsedUp || !this.#isKnown || http.closed.aborted) throw error;
      // Both kinds have a detail.
      throw this.#lostError((error as OrsClientError).detail, error);
    }
  }

  /** What ends the call on our side. */
  #abortSignals(): readonly (AbortSignal | undefined)[] {
    return [this.#options.signal, this.#context.heartbeat.lost, this.#context.http.closed];
  }

  #lostError(reason: string, cause: unknown): CallLostError {
    return callLostError(this.#context.sid, this.#name, reason, cause);
  }
}
