import { abortable, onAbort, randomId } from '../core/index.ts';
import type { Block, JSONObject, ToolSpec } from '../protocol/index.ts';
import { type CallHandle, type CallOptions, ResumableCall, type ResumableCallRequest } from './call.ts';
import { assertToolInput } from './checks.ts';
import { OrsClientError, OrsHttpError, SessionLostError, withSessionId } from './errors.ts';
import { formatPrompt, formatTools, type PromptFormats, type ToolFormat, type ToolFormats } from './formats/index.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HttpClient } from './http.ts';
import { deleteEpisode } from './open-session.ts';
import { type CallResult, parseBlocks } from './result.ts';
import type { SignalOption } from './signals.ts';
import { parseTools } from './tools.ts';

/** A session in plain JSON, with which another process can go on. It holds no secrets. */
export interface SessionHandle {
  readonly environment: string;
  readonly sid: string;
}

/** What a session has from its client. */
export interface ClientSessionContext {
  readonly http: HttpClient;
  readonly pingIntervalMs: number;
  readonly stallTimeoutMs: number;
  /** Whether the server lets the client choose the task_id of a call. */
  readonly takesTaskIds: () => Promise<boolean>;
  /** Told when the session is closed, detached or lost. */
  readonly onEnd: (session: Session) => void;
}

interface FormatOption<F extends ToolFormat> extends SignalOption {
  readonly format: F;
}

/** An episode that is being played; it is kept alive until it is closed, finished or lost. */
export class Session implements AsyncDisposable {
  readonly sid: string;
  readonly environment: string;
  readonly #context: ClientSessionContext;
  readonly #heartbeat: Heartbeat;
  #finished = false;
  #closed: Promise<void> | undefined;

  constructor(context: ClientSessionContext, { environment, sid }: SessionHandle) {
    this.environment = environment;
    this.sid = sid;
    this.#context = context;
    this.#heartbeat = new Heartbeat(context.http, sid, context.pingIntervalMs);
    onAbort(this.#heartbeat.lost, () => context.onEnd(this));
  }

  get handle(): SessionHandle {
    return { environment: this.environment, sid: this.sid };
  }

  /** Whether a call through this object has finished the episode. */
  get finished(): boolean {
    return this.#finished;
  }

  /**
   * The prompt, as blocks or as a model provider wants it; waits for the environment's setup.
   *
   * @throws SessionLostError, OrsHttpError (500 if the setup failed), OrsConnectionError; the signal's reason.
   */
  prompt(options?: SignalOption): Promise<Block[]>;
  prompt<F extends ToolFormat>(options: FormatOption<F>): Promise<PromptFormats[F]>;
  async prompt({ format, signal }: Partial<FormatOption<ToolFormat>> = {}) {
    const blocks = parseBlocks(await this.#get('getPrompt', signal), 'prompt');
    return format ? formatPrompt(blocks, format) : blocks;
  }

  /**
   * The tools of this episode, as they are or as a model provider wants them; from servers that cannot tell them, those
   * of the environment. Throws as `prompt`.
   */
  tools(options?: SignalOption): Promise<ToolSpec[]>;
  tools<F extends ToolFormat>(options: FormatOption<F>): Promise<ToolFormats[F][]>;
  async tools({ format, signal }: Partial<FormatOption<ToolFormat>> = {}) {
    const tools = await this.#tools(signal);
    return format ? formatTools(tools, format) : tools;
  }

  /**
   * Calls a tool and waits for its result, over as many connections as that takes.
   *
   * @throws TypeError for an input that JSON would change; ToolCallError if the agent may try otherwise; ToolCrashedError, SessionLostError, CallLostError,
   * OrsHttpError, OrsConnectionError, OrsProtocolError; the signal's reason, which does not end the call at the server.
   */
  async call(name: string, input: JSONObject = {}, options: CallOptions = {}): Promise<CallResult> {
    assertToolInput(name, input);
    const takesTaskIds = await abortable(options.signal, this.#context.takesTaskIds);
    return this.#run({ name, input, taskId: takesTaskIds ? randomId('client-') : undefined }, options);
  }

  /** Waits for the result of a call that began before. Throws as `call`; CallLostError if the server forgot it. */
  async resume({ name, input, task_id }: CallHandle, options: CallOptions = {}): Promise<CallResult> {
    assertToolInput(name, input);
    return this.#run({ name, input, taskId: task_id, isOnServer: true }, options);
  }

  /**
   * Deletes the episode; calls that wait reject with SessionLostError. May be called again, also after it failed.
   *
   * @throws OrsConnectionError or OrsHttpError if the server cannot be told; it ends idle episodes by itself.
   */
  close(): Promise<void> {
    this.#closed ??= this.#delete().catch((error: unknown) => {
      this.#closed = undefined;
      throw withSessionId(error, this.sid);
    });
    return this.#closed;
  }

  /** Deletes the episode, as well as it can: what was won in it must not be lost because the farewell fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch((error: unknown) => {
      if (!(error instanceof OrsClientError)) throw error;
    });
  }

  /** Lets go of the episode without deleting it, so that others can attach to it. */
  detach(): void {
    this.#end('detached');
  }

  async #run(request: ResumableCallRequest, options: CallOptions): Promise<CallResult> {
    const { http, stallTimeoutMs } = this.#context;
    const { sid, environment } = this;
    const context = { http, stallTimeoutMs, heartbeat: this.#heartbeat, sid, environment };
    try {
      const result = await new ResumableCall(context, request, options).result();
      if (result.finished) {
        this.#finished = true;
        this.#heartbeat.stop();
      }
      return result;
    } catch (error) {
      throw withSessionId(error, sid);
    }
  }

  async #tools(signal: AbortSignal | undefined): Promise<ToolSpec[]> {
    try {
      return parseTools(await this.#get('listTaskTools', signal));
    } catch (error) {
      if (!(error instanceof OrsHttpError) || (error.status !== 404 && error.status !== 405)) throw error;
      return parseTools(await this.#get('listTools', signal));
    }
  }

  async #get(operation: 'getPrompt' | 'listTaskTools' | 'listTools', signal: AbortSignal | undefined) {
    const { environment, sid } = this;
    try {
      this.#heartbeat.lost.throwIfAborted();
      const response = await this.#context.http.json(
        operation,
        { environment, sid, signals: [signal, this.#heartbeat.lost] },
        { lastActivityAt: () => this.#heartbeat.lastActivityAt },
      );
      this.#heartbeat.recordActivity();
      return response;
    } catch (error) {
      throw withSessionId(await this.#heartbeat.toSessionError(error), sid);
    }
  }

  async #delete(): Promise<void> {
    this.#end('closed');
    await deleteEpisode(this.#context.http, this.sid);
  }

  #end(how: string): void {
    const message = `session ${this.sid} is ${how}`;
    this.#heartbeat.markLost(new SessionLostError(message, { sid: this.sid, retryable: false }));
  }
}
