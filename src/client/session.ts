import { abortable, isRecord, jsonProblem, onAbort, randomId } from '../core/index.ts';
import type { Block, JSONObject, ToolSpec } from '../protocol/index.ts';
import { type CallHandle, type CallOptions, ResumableCall, type ResumableCallRequest } from './call.ts';
import { OrsClientError, OrsHttpError, SessionLostError, withSessionId } from './errors.ts';
import type { PromptFormats, ToolFormat, ToolFormats } from './formats/index.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HttpClient, SignalOption } from './http.ts';
import { deleteEpisode } from './open-session.ts';
import { type CallResult, parseBlocks, parseTools } from './responses.ts';

/**
 * Reference to a session, as plain JSON without secrets: another process can continue it by `client.attach`.
 *
 * @example
 * const session = client.attach(JSON.parse(savedHandle));
 */
export interface SessionHandle {
  readonly environment: string;
  readonly sid: string;
}

/** Services of the client that a session uses. */
export interface ClientSessionContext {
  readonly http: HttpClient;
  readonly pingIntervalMs: number;
  readonly stallTimeoutMs: number;
  /** Resolves with whether clients may choose the task id of a call. */
  readonly acceptsTaskIds: () => Promise<boolean>;
  /** Called when the session is closed, detached or lost. */
  readonly onEnd: (session: Session) => void;
}

interface FormatOption<F extends ToolFormat> extends SignalOption {
  readonly format: F;
}

/**
 * A running episode. Pings keep it alive until it is closed, finished or lost.
 *
 * @example
 * await using session = await client.environment('maze').session({ split: 'train', index: 0 });
 * const tools = await session.tools({ format: 'anthropic' });
 * const { text, reward, finished } = await session.call('go', { direction: 'north' });
 */
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

  /** True if a call through this object has finished the episode. */
  get finished(): boolean {
    return this.#finished;
  }

  /**
   * Calls a tool and waits for its result, over as many connections as that needs.
   *
   * @throws TypeError for an input that is not a JSON object; ToolCallError if the agent can try something else;
   *   ToolCrashedError, SessionLostError, CallLostError, OrsHttpError, OrsConnectionError, OrsProtocolError; the reason
   *   of the signal, which does not cancel the call on the server.
   */
  async call(name: string, input: JSONObject = {}, options: CallOptions = {}): Promise<CallResult> {
    assertToolInput(name, input);
    const acceptsTaskIds = await abortable(options.signal, this.#context.acceptsTaskIds);
    return this.#run({ name, input, taskId: acceptsTaskIds ? randomId('client-') : undefined }, options);
  }

  /**
   * Waits for the result of a call that was started before.
   *
   * @throws as `call`; CallLostError if the server does not know the call any more.
   */
  async resume({ name, input, task_id }: CallHandle, options: CallOptions = {}): Promise<CallResult> {
    assertToolInput(name, input);
    return this.#run({ name, input, taskId: task_id, isOnServer: true }, options);
  }

  async #run(request: ResumableCallRequest, options: CallOptions): Promise<CallResult> {
    const { sid, environment } = this;
    const context = { ...this.#context, heartbeat: this.#heartbeat, sid, environment };
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

  /**
   * Returns the prompt, as blocks or in the format of a model provider. Waits for the setup of the environment.
   *
   * @throws SessionLostError; OrsHttpError (500 if the setup failed); OrsConnectionError; the signal's reason.
   */
  prompt(options?: SignalOption): Promise<Block[]>;
  prompt<F extends ToolFormat>(options: FormatOption<F>): Promise<PromptFormats[F]>;
  async prompt({ format, signal }: Partial<FormatOption<ToolFormat>> = {}) {
    const blocks = parseBlocks(await this.#get('getPrompt', signal), 'prompt');
    if (!format) return blocks;
    const { formatPrompt } = await loadFormats();
    return formatPrompt(blocks, format);
  }

  /**
   * Returns the tools of this episode, as they are or in the format of a model provider. Servers that cannot list them
   * return the tools of the environment.
   *
   * @throws as `prompt`.
   */
  tools(options?: SignalOption): Promise<ToolSpec[]>;
  tools<F extends ToolFormat>(options: FormatOption<F>): Promise<ToolFormats[F][]>;
  async tools({ format, signal }: Partial<FormatOption<ToolFormat>> = {}) {
    const tools = await this.#tools(signal);
    if (!format) return tools;
    const { formatTools } = await loadFormats();
    return formatTools(tools, format);
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

  /**
   * Deletes the episode; waiting calls reject with SessionLostError. Can be called again, also after a failure.
   *
   * @throws OrsConnectionError or OrsHttpError if the request fails; the server deletes idle episodes by itself.
   */
  close(): Promise<void> {
    this.#end('closed');
    this.#closed ??= deleteEpisode(this.#context.http, this.sid).catch((error: unknown) => {
      this.#closed = undefined;
      throw withSessionId(error, this.sid);
    });
    return this.#closed;
  }

  /** Deletes the episode, ignoring errors of the request: a failing cleanup must not discard results. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch((error: unknown) => {
      if (!(error instanceof OrsClientError)) throw error;
    });
  }

  /** Releases the episode without deleting it, so that others can attach to it. */
  detach(): void {
    this.#end('detached');
  }

  #end(how: string): void {
    const message = `session ${this.sid} is ${how}`;
    this.#heartbeat.markLost(new SessionLostError(message, { sid: this.sid, retryable: false }));
  }
}

/** Loads the formats on demand, because they are a third of the client. */
export const loadFormats = () => import('./formats/index.ts');

function assertToolInput(name: unknown, input: unknown): void {
  if (typeof name !== 'string') {
    throw new TypeError(`invalid name of a tool: expected a string, got ${JSON.stringify(name)}`);
  }
  if (!isRecord(input)) throw new TypeError(`invalid input of '${name}': expected an object, such as {}`);
  const problem = jsonProblem(input, 'input');
  if (problem) throw new TypeError(`${problem}, which JSON cannot represent`);
}
