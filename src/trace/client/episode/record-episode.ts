import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { newBlockId } from '../../model/index.ts';
import { getLogState, type LogState, takePendingCall } from '../ledger.ts';
import { itemKey, type MessagePart } from '../providers/items.ts';
import { toToolName } from '../tool-name.ts';
import type { TraceHandle } from '../trace-handle.ts';

/** What an episode's tool gave. */
export interface SessionCallResult {
  readonly blocks: readonly object[];
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: object | null;
  readonly repeated?: boolean;
}

/** What is used of a session of `ors-kit/client`. */
export interface RecordableSession {
  prompt(options?: object): Promise<unknown>;
  tools(options?: object): Promise<unknown>;
  call(name: string, input?: JSONObject, options?: object): Promise<SessionCallResult>;
  resume(handle: { readonly name: string; readonly input: JSONObject }, options?: object): Promise<SessionCallResult>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The same session, whose episode is logged to a trace: prompt, tools, calls, results with their rewards, and how it
 * ended. A call is logged under the message of the model that made it, where that was logged: by `logMessage`, or by a
 * wrapped client of the provider, whose call of the same tool and input it then answers. Otherwise it gets a message of
 * its own. Closing the session sets the status: `finished` where the episode was, `error` where a call was lost, else
 * `abandoned`; a status that was set before stays. Source: trace data model; ORS, "Sessions".
 */
export function recordEpisode<Session extends RecordableSession>(session: Session, trace: TraceHandle): Session {
  const recorded = record(session, trace);
  return new Proxy(session, {
    get(target, key) {
      const own = recorded[key as keyof typeof recorded];
      if (own) return own;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function record(session: RecordableSession, trace: TraceHandle): RecordableSession {
  const ledger = getLogState(trace);
  const once = createOnce(ledger.report);
  let isLost = false;

  async function play(
    name: string,
    input: JSONObject,
    work: () => Promise<SessionCallResult>,
  ): Promise<SessionCallResult> {
    await trace.ready();
    const call = takePendingCall(ledger, name, input) ?? logCall(trace, ledger, name, input);
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

  async function end(leave: () => Promise<void>): Promise<void> {
    try {
      await leave();
    } finally {
      if (!ledger.isFinished) void trace.finish({ status: isLost ? 'error' : 'abandoned' });
    }
  }

  return {
    async prompt(options) {
      const prompt = await session.prompt(options);
      // What a provider is given is made of the blocks, and they are what is logged.
      await once('prompt', async () =>
        logPrompt(trace, ledger, isFormatted(options) ? await session.prompt() : prompt),
      );
      return prompt;
    },
    async tools(options) {
      const tools = await session.tools(options);
      await once('tools', async () => {
        const given = (isFormatted(options) ? await session.tools() : tools) as JSONValue;
        void trace.update({ metadata: { ...ledger.input.metadata, tools: given } });
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

/** Does each thing once; again where it failed, which nobody but `report` is told. */
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

function logPrompt(trace: TraceHandle, ledger: LogState, prompt: unknown): void {
  // A session gives blocks of ORS.
  const blocks = prompt as readonly MessagePart[];
  const content = blocks.length > 0 ? blocks : [{ type: 'text', text: '' }];
  trace.logMessage({ role: 'user', content });
  const key = itemKey({ kind: 'message', role: 'user', content });
  if (key !== undefined) ledger.conversation.push(key);
}

/** A call that no message was logged for, with one that announces it. */
function logCall(trace: TraceHandle, ledger: LogState, name: string, input: JSONObject) {
  const id = newBlockId();
  const { message } = ledger;
  const isTurn = message?.role === 'assistant' && !message.isOver;
  const parent = isTurn
    ? message.id
    : trace.logMessage({ role: 'assistant', content: [{ type: 'tool_use', id, name }] }).id;
  if (!isTurn && ledger.message) ledger.message.isOver = true;
  const { name: taken, ...annotations } = toToolName(name);
  trace.logAct({
    id,
    parent_block_id: parent,
    payload: { call_id: id, name: taken, arguments: input },
    ...annotations,
  });
  const call = ledger.callsById.get(id);
  // It is this caller's.
  if (call) call.input = undefined;
  return { id, callId: id };
}

/** As the wire has it. Source: data types, "ToolOutput". */
const outputOf = ({ blocks, reward, finished, metadata }: SessionCallResult): JSONValue =>
  // A session gives JSON.
  ({ blocks, metadata, reward, finished }) as unknown as JSONValue;

const extraOf = ({ reward, finished, repeated = false }: SessionCallResult): JSONObject => ({
  ...(reward === null ? {} : { reward }),
  finished,
  ...(repeated ? { repeated } : {}),
});

/** Errors that the tool itself gave, by their names; with all others nobody knows what happened. */
const TOOL_ERRORS: readonly unknown[] = ['ToolCallError', 'ToolCrashedError'];

function failureOf(error: unknown): { readonly output: JSONObject; readonly isLost: boolean } {
  const { name, message, detail } = error as { name?: unknown; message?: unknown; detail?: unknown };
  const text = String(detail ?? message ?? error);
  const isTool = TOOL_ERRORS.includes(name);
  return {
    output: { ok: false, error: text, ...(isTool ? {} : { transport: true }) },
    isLost: name !== 'ToolCallError',
  };
}
