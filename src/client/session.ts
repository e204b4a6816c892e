import { abortable, isRecord, jsonProblem, onAbort, randomId } from '../core/index.ts';
import {
  type Block,
  type GroupScore,
  type JSONObject,
  type Message,
  promptMessages,
  type TerminalTool,
  type ToolSpec,
  terminalToolInput,
} from '../protocol/index.ts';
import { type CallHandle, type CallOptions, callTool, type ToolCallRequest } from './call.ts';
import { isMissingOperation, OrsClientError, SessionLostError, ToolCallError, withSessionId } from './errors.ts';
import type { ForkOptions } from './extensions.ts';
import type { MessageFormats, PromptFormats, ToolFormat, ToolFormats } from './formats/index.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HttpClient, SignalOption } from './http.ts';
import { deleteEpisode } from './open-session.ts';
import {
  type CallResult,
  parseBlocks,
  parseMessages,
  parseToolListExtras,
  parseTools,
  type ToolListExtras,
} from './responses.ts';
import type { GroupCandidate } from './score-group.ts';

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
  /** Continues a session with the same client. */
  readonly attach: (handle: SessionHandle) => Session;
  /** Called when the session is closed, detached or lost. */
  readonly onEnd: (session: Session) => void;
}

/** Operations that read something of a session. */
type SessionRead = 'getPrompt' | 'getMessages' | 'listTaskTools' | 'listTools';

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
  /** Announcements of the server, requested once; undefined before that. */
  #extras: ToolListExtras | undefined;
  /** True if the server has no conversations, only prompts. */
  #lacksMessages = false;

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
    return this.#run({ name, input, taskId: await this.#chooseTaskId(options.signal) }, options);
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

  async #run(request: ToolCallRequest, options: CallOptions): Promise<CallResult> {
    try {
      const result = await callTool(this.#callContext(), request, options);
      if (result.finished) {
        this.#finished = true;
        this.#heartbeat.stop();
      }
      return result;
    } catch (error) {
      throw withSessionId(error, this.sid);
    }
  }

  #callContext() {
    const { sid, environment } = this;
    return { ...this.#context, heartbeat: this.#heartbeat, sid, environment };
  }

  /** Returns a new task id, which makes the server run a call once, or undefined if it does not accept one. */
  async #chooseTaskId(signal: AbortSignal | undefined): Promise<string | undefined> {
    return (await abortable(signal, this.#context.acceptsTaskIds)) ? randomId('client-') : undefined;
  }

  /**
   * Returns the tool that grades the final message of the agent, or null if this environment has none. Such a tool is not
   * among `tools()`: submit the message by `answer`. Sends at most one request per session.
   *
   * @throws as `prompt`.
   * @example
   * const isAnswerGraded = (await session.terminalTool()) !== null;
   */
  async terminalTool({ signal }: SignalOption = {}): Promise<TerminalTool | null> {
    return (await this.#announced(signal)).terminalTool;
  }

  /**
   * Submits the final message of the agent to the terminal tool of the environment, and waits for its reward.
   *
   * @param text the text of the message, without reasoning. Not sent if the tool has no parameter.
   * @throws as `call`; ToolCallError with the reason `not_found` if the environment has no terminal tool.
   * @example
   * const { reward } = await session.answer('The capital is Reykjavik.');
   */
  async answer(text = '', options: CallOptions = {}): Promise<CallResult> {
    const tool = await this.terminalTool(options);
    if (tool) return this.call(tool.name, terminalToolInput(tool, text), options);
    const message = 'the environment has no tool that grades a final message';
    throw new ToolCallError(message, { sid: this.sid, reason: 'not_found' });
  }

  /**
   * Keeps the session alive until the idle timeout of the server; sessions do so by themselves, unless the client has
   * `pingIntervalMs: 0`.
   *
   * @throws as `prompt`.
   */
  async ping({ signal }: SignalOption = {}): Promise<void> {
    try {
      await this.#context.http.sendIgnoringBody('ping', { sid: this.sid, signals: [signal, this.#heartbeat.lost] });
    } catch (error) {
      throw withSessionId(await this.#heartbeat.toSessionError(error), this.sid);
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
   * Returns the prompt as a conversation with roles, as messages or in the format of a model provider. An environment, or
   * a server, that has only a prompt returns it as one message of the user.
   *
   * @throws as `prompt`; TypeError for messages that the format cannot express.
   * @example
   * const { system, messages } = await session.messages({ format: 'anthropic' });
   */
  messages(options?: SignalOption): Promise<Message[]>;
  messages<F extends ToolFormat>(options: FormatOption<F>): Promise<MessageFormats[F]>;
  async messages({ format, signal }: Partial<FormatOption<ToolFormat>> = {}) {
    const messages = await this.#messages(signal);
    if (!format) return messages;
    const { formatMessages } = await loadFormats();
    return formatMessages(messages, format);
  }

  async #messages(signal: AbortSignal | undefined): Promise<Message[]> {
    if (!this.#lacksMessages) {
      try {
        return parseMessages(await this.#get('getMessages', signal));
      } catch (error) {
        if (!isMissingOperation(error)) throw error;
        this.#lacksMessages = true;
      }
    }
    return promptMessages(parseBlocks(await this.#get('getPrompt', signal), 'prompt'));
  }

  /**
   * Returns the tools of this episode, as they are or in the format of a model provider. Servers that cannot list them
   * return the tools of the environment. The list may be empty; most providers require that a request then omits `tools`.
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
    const response = await this.#requestTools(signal);
    this.#extras = parseToolListExtras(response);
    return parseTools(response);
  }

  async #announced(signal: AbortSignal | undefined): Promise<ToolListExtras> {
    this.#extras ??= parseToolListExtras(await this.#requestTools(signal));
    return this.#extras;
  }

  async #requestTools(signal: AbortSignal | undefined): Promise<unknown> {
    try {
      return await this.#get('listTaskTools', signal);
    } catch (error) {
      if (!isMissingOperation(error)) throw error;
      return this.#get('listTools', signal);
    }
  }

  /** Returns whether the environment can compare rollouts of its tasks (`scoreGroup`). @throws as `prompt`. */
  async supportsScoreGroup({ signal }: SignalOption = {}): Promise<boolean> {
    return (await this.#announced(signal)).supportsScoreGroup;
  }

  /**
   * Compares rollouts of the task of this session. Returns one comparative reward per candidate, in their order; these
   * are additional to the rewards of the episodes. The episode of this session does not change, and may be finished.
   *
   * @throws ScoreGroupUnsupportedError if the environment cannot compare them, before a request if it cannot read the
   *   blocks of a candidate; ScoreGroupError if it fails to, or returns no finite reward for each; TypeError for
   *   candidates that are not lists of messages; as `prompt`; CallLostError, OrsProtocolError.
   * @example
   * const say = (text: string): Message => ({ role: 'assistant', blocks: [{ type: 'text', text }] });
   * const [first, second] = await session.scoreGroup([[say('Leaves fall.')], [say('Leaves drift.')]]);
   */
  async scoreGroup(candidates: readonly GroupCandidate[], { signal }: SignalOption = {}): Promise<GroupScore[]> {
    const { assertCandidates, assertReadable, isPlain, scoreGroup } = await import('./extensions.ts');
    assertCandidates(candidates);
    if (!isPlain(candidates)) assertReadable(candidates, await this.#announced(signal), this.sid);
    try {
      return await scoreGroup(this.#callContext(), { candidates, taskId: await this.#chooseTaskId(signal), signal });
    } catch (error) {
      throw withSessionId(error, this.sid);
    }
  }

  /** Returns whether `fork` works here. */
  async supportsFork({ signal }: SignalOption = {}): Promise<boolean> {
    return (await this.#announced(signal)).supportsFork;
  }

  /**
   * Creates a session with the state of this one, which does not change.
   *
   * @throws as `prompt`; ForkUnsupportedError.
   */
  async fork(options: ForkOptions = {}): Promise<Session> {
    const { forkSession } = await import('./extensions.ts');
    return forkSession(this.#callContext(), options);
  }

  async #get(operation: SessionRead, signal: AbortSignal | undefined) {
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
