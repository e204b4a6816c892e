import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { overrideMethods } from '../../core/index.ts';
import { type Message, plainPrompt } from '../../protocol/index.ts';
import { itemKey, type MessagePart } from '../conversation/index.ts';
import { newBlockId, toToolName } from '../model/index.ts';
import { conversationItems, logConversation } from './log-conversation.ts';
import { getLogState, type LogState, takePendingCall } from './log-state.ts';
import type { TraceHandle } from './trace-handle.ts';

/** Output of a tool call. */
interface SessionCallResult {
  readonly blocks: readonly object[];
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: object | null;
  readonly repeated?: boolean;
}

/**
 * Methods of a session of `ors-kit/client` that are recorded.
 *
 * @example
 * const record = <S extends RecordableSession>(session: S) => recordEpisode(session, traces.createTrace());
 */
export interface RecordableSession {
  /** Returns the prompt, which is logged once, unless the conversation was. */
  prompt(options?: object): Promise<unknown>;
  /** Returns the prompt as a conversation, which is logged once, unless the prompt was. */
  messages?(options?: object): Promise<unknown>;
  /** Lists the tools, which are logged once. */
  tools(options?: object): Promise<unknown>;
  /** Calls a tool. The call and its result are logged. */
  call(name: string, input?: JSONObject, options?: object): Promise<SessionCallResult>;
  /** Returns the tool that grades the final message, or null. */
  terminalTool?(options?: object): Promise<{ readonly name: string; readonly arg?: string | null } | null>;
  /** Submits the final message, which is logged as a call of that tool. */
  answer?(text?: string, options?: object): Promise<SessionCallResult>;
  /** Waits for a call of an earlier connection. Its result is logged. */
  resume(handle: { readonly name: string; readonly input: JSONObject }, options?: object): Promise<SessionCallResult>;
  /** Deletes the episode, which sets the status of the trace. */
  close(): Promise<void>;
  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Wraps a session to log its episode to a trace: prompt, tools, calls, results with rewards, and how the episode ended.
 *
 * A call is logged under the last message of the model, if it was logged with `logMessage` or by a wrapped client of the
 * provider; a call that the wrapped client has logged with the same tool and input gets the result. Otherwise the call
 * gets a new message. Closing the session sets the status, unless it was set before: `finished` if the episode was,
 * `error` if a call was lost or its tool crashed, else `abandoned`. Source: trace data model; ORS, "Sessions".
 *
 * @returns a proxy of the session.
 * @example
 * const opened = await client.environment('math').session({ split: 'train', index: 0 });
 * const session = recordEpisode(opened, trace);
 */
export function recordEpisode<Session extends RecordableSession>(session: Session, trace: TraceHandle): Session {
  const recorded = record(session, trace);
  return overrideMethods(session, recorded);
}

function record(session: RecordableSession, trace: TraceHandle): RecordableSession {
  const state = getLogState(trace);
  const once = createOnce(state.report);
  let isLost = false;

  async function play(name: string, input: JSONObject, work: () => Promise<SessionCallResult>) {
    await trace.ready();
    const call = takePendingCall(state, name, input) ?? logCall(trace, state, name, input);
    const log = (output: JSONValue, extra: JSONObject) =>
      trace.logObserve({ parent_block_id: call.id, payload: { call_id: call.callId, output }, extra });
    try {
      const result = await work();
      log(outputOf(result), extraOf(result));
      if (result.finished) void trace.finish();
      return result;
    } catch (error) {
      const failure = failureOf(error);
      isLost ||= failure.isLost;
      log(failure.output, { tool_error: true });
      throw error;
    }
  }

  async function end(close: () => Promise<void>): Promise<void> {
    try {
      await close();
    } finally {
      if (!state.isFinished) void trace.finish({ status: isLost ? 'error' : 'abandoned' });
    }
  }

  return {
    async prompt(options) {
      const prompt = await session.prompt(options);
      // Logs the blocks, not the format of a provider.
      await once('prompt', async () => logPrompt(trace, state, isFormatted(options) ? await session.prompt() : prompt));
      return prompt;
    },
    async messages(options) {
      const { messages: read } = session;
      if (!read) throw new TypeError('this session has no messages');
      const messages = await read.call(session, options);
      await once('prompt', async () => {
        // Without a format, a session returns messages of the standard.
        const conversation = (isFormatted(options) ? await read.call(session) : messages) as readonly Message[];
        const prompt = plainPrompt(conversation);
        if (prompt) logPrompt(trace, state, prompt);
        else logOpening(trace, state, conversation);
      });
      return messages;
    },
    async answer(text = '', options) {
      const { terminalTool, answer } = session;
      if (!terminalTool || !answer) throw new TypeError('this session has no final answer');
      const tool = await terminalTool.call(session);
      const submit = () => answer.call(session, text, options);
      // Without a terminal tool, the session rejects.
      return tool ? play(tool.name, tool.arg == null ? {} : { [tool.arg]: text }, submit) : submit();
    },
    async tools(options) {
      const tools = await session.tools(options);
      await once('tools', async () => {
        const specs = (isFormatted(options) ? await session.tools() : tools) as JSONValue;
        // Known with the tools, so that no request is sent.
        const terminal = (await session.terminalTool?.()) as JSONValue | undefined;
        const own = { tools: specs, ...(terminal && { terminal_tool: terminal }) };
        void trace.update({ metadata: { ...state.input.metadata, ...own } });
      });
      return tools;
    },
    call: (name, input = {}, options) => play(name, input, () => session.call(name, input, options)),
    resume: (handle, options) => play(handle.name, handle.input, () => session.resume(handle, options)),
    close: () => end(() => session.close()),
    [Symbol.asyncDispose]: () => end(() => session[Symbol.asyncDispose]()),
  };
}

const isFormatted = (options: object | undefined): boolean =>
  options !== undefined && 'format' in options && options.format !== undefined;

/** Runs the work of each name once; a failure is reported, and the next call runs it again. */
function createOnce(report: (cause: unknown) => void) {
  const done = new Map<string, Promise<void>>();
  return (name: string, work: () => Promise<void>): Promise<void> => {
    const known =
      done.get(name) ??
      work().catch((cause: unknown) => {
        done.delete(name);
        report(cause);
      });
    done.set(name, known);
    return known;
  };
}

function logPrompt(trace: TraceHandle, state: LogState, prompt: unknown): void {
  // Without a format, a session returns ORS blocks.
  const blocks = prompt as readonly MessagePart[];
  const content = blocks.length > 0 ? blocks : [{ type: 'text', text: '' }];
  trace.logMessage({ role: 'user', content });
  const key = itemKey({ kind: 'message', role: 'user', content });
  if (key !== undefined) state.conversation.push({ key });
}

/** Logs the conversation with which an episode begins. */
function logOpening(trace: TraceHandle, state: LogState, messages: readonly Message[]): void {
  logConversation(trace, messages, new Set());
  for (const item of conversationItems(messages)) {
    const key = itemKey(item);
    if (key !== undefined) state.conversation.push({ key });
  }
  // The calls and messages of the agent are later ones.
  for (const call of state.callsById.values()) call.input = undefined;
  if (state.message) state.message.isOver = true;
}

/** Logs a call, under a new message unless the turn of the last one is not over. */
function logCall(trace: TraceHandle, state: LogState, name: string, input: JSONObject) {
  const id = newBlockId();
  const { message } = state;
  const isTurn = message?.role === 'assistant' && !message.isOver;
  const parent = isTurn
    ? message.id
    : trace.logMessage({ role: 'assistant', content: [{ type: 'tool_use', id, name }] }).id;
  if (!isTurn && state.message) state.message.isOver = true;
  const { name: validName, ...annotations } = toToolName(name);
  trace.logAct({
    id,
    parent_block_id: parent,
    payload: { call_id: id, name: validName, arguments: input },
    ...annotations,
  });
  const call = state.callsById.get(id);
  // Takes the call, so that no other caller gets it from takePendingCall().
  if (call) call.input = undefined;
  return { id, callId: id };
}

/** Returns the output in wire format. Source: data types, "ToolOutput". */
const outputOf = ({ blocks, reward, finished, metadata }: SessionCallResult): JSONValue =>
  // The fields were parsed from JSON.
  ({ blocks, metadata, reward, finished }) as unknown as JSONValue;

const extraOf = ({ reward, finished, repeated = false }: SessionCallResult): JSONObject => ({
  ...(reward === null ? {} : { reward }),
  finished,
  ...(repeated ? { repeated } : {}),
});

/** Names of errors that the tool itself reported; after any other error, it is unknown what the tool did. */
const TOOL_ERRORS: readonly unknown[] = ['ToolCallError', 'ToolCrashedError'];

function failureOf(error: unknown): { readonly output: JSONObject; readonly isLost: boolean } {
  const { name, message, detail, reason } = error as Readonly<Record<string, unknown>>;
  const text = String(detail ?? message ?? error);
  const isTool = TOOL_ERRORS.includes(name);
  return {
    output: {
      ok: false,
      error: text,
      ...(isTool ? {} : { transport: true }),
      ...(typeof reason === 'string' ? { reason } : {}),
    },
    isLost: name !== 'ToolCallError',
  };
}
