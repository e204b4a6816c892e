import type { JSONObject, JSONValue, TraceInput, TraceStatus } from '../../../generated/trace.ts';
import type { OperationId } from '../../../generated/trace-api-operations.ts';
import { isRecord, maskableSecrets } from '../../core/index.ts';
import type { SerializedMessage } from '../../protocol/index.ts';
import type { TraceApi } from '../api/index.ts';
import {
  logConversation,
  parseTraceError,
  type TraceApiRequest,
  type TraceApiRequester,
  type TraceClient,
  type TraceHandle,
} from '../client/index.ts';
import { newBlockId, newTraceId, toToolName } from '../model/index.ts';

interface RecordedEpisodeStart {
  readonly environment: string;
  readonly task: { readonly task_spec?: unknown; readonly split?: string | null; readonly index?: number | null };
  readonly secrets: Readonly<Record<string, string>>;
  readonly run: string | undefined;
  readonly group: string | undefined;
  readonly tags?: readonly string[];
  readonly recordId?: string | undefined;
  readonly parent?: { readonly recordId: string; readonly calls: number } | undefined;
}

type RecordedCallOutcome =
  | { readonly event: 'end'; readonly json: string }
  | { readonly event: 'error'; readonly message: string };

/**
 * Creates a recorder that writes every episode of a server to a trace. Failures are reported to the client's `onError`.
 * Source: trace data model; HTTP API.
 *
 * @param check rejects while the store cannot be written.
 * @example
 * const recorder = createRecorder(createTraceClient({ url: 'http://127.0.0.1:8090' }));
 */
export function createRecorder(traces: TraceClient, check?: () => Promise<void>) {
  return {
    ...(check && {
      /** Rejects while the store cannot be written. */
      check,
    }),
    /** Creates the trace of an episode, and returns what records it. */
    startEpisode(start: RecordedEpisodeStart) {
      // The server has already warned about secrets that are too short.
      const secrets = maskableSecrets(start.secrets);
      const trace = traces.createTrace(toTrace(start), { secrets });
      return recordTo(trace, traces, start.recordId === undefined ? undefined : createBlockIds(trace.id));
    },
    /** Returns the id of a trace that can be continued. */
    newRecordId: newTraceId,
  };
}

/** Ids of the blocks of an episode, which are the same each time it is recorded, so that the store keeps each once. */
function createBlockIds(traceId: string) {
  const prefix = `tb_${traceId.slice('tr_'.length)}`;
  let count = 0;
  const next = () => ({ id: `${prefix}_${count++}` });
  return {
    /** Returns a handle that assigns ids to the blocks of a conversation. */
    conversation: (trace: TraceHandle): TraceHandle => ({
      ...trace,
      logMessage: (message) => trace.logMessage({ ...message, ...next() }),
      logAct: (act) => trace.logAct({ ...act, ...next() }),
      logObserve: (observe) => trace.logObserve({ ...observe, ...next() }),
      logThink: (think) => trace.logThink({ ...think, ...next() }),
    }),
    ofCall: (number: number) => ({
      turn: `${prefix}_turn_${number}`,
      call: `${prefix}_call_${number}`,
      result: `${prefix}_result_${number}`,
    }),
  };
}

type BlockIds = ReturnType<typeof createBlockIds>;

/** @param ids of the blocks, if the episode can come back. @default new ids */
function recordTo(trace: TraceHandle, traces: TraceClient, ids: BlockIds | undefined) {
  let message: string | undefined;
  let calls = 0;
  const callIds = new Set<string>();
  /** Returns an id that no call of the conversation has. */
  const nextCallId = () => {
    do calls++;
    while (callIds.has(`call_${calls}`));
    return `call_${calls}`;
  };
  const conversation = ids?.conversation(trace) ?? trace;
  let hasPrompt = false;
  let hasTools = false;
  let hasFailed = false;
  let isFinished = false;
  const finish = (status: TraceStatus) => {
    if (isFinished) return;
    isFinished = true;
    void trace.update({ status });
  };
  /** Logs a call below the last message. That of an episode that can come back does not depend on what was logged before. */
  const logCall = (name: string, input: unknown, number: number | undefined) => {
    const own = number === undefined ? undefined : ids?.ofCall(number);
    const call_id = own?.call ?? nextCallId();
    callIds.add(call_id);
    if (own) message = logTurn(trace, call_id, name, own.turn);
    message ??= logTurn(trace, call_id, name);
    const { name: toolName, ...annotations } = toToolName(name);
    const payload = { call_id, name: toolName, arguments: isRecord(input) ? (input as JSONObject) : {} };
    const { id } = trace.logAct({ parent_block_id: message, payload, ...annotations, ...(own && { id: own.call }) });
    return { id, call_id, resultId: own?.result ?? newBlockId() };
  };
  return {
    traceId: trace.id,
    /** Waits while the queue of the client is full. */
    ready: () => traces.ready(),
    /** Logs the prompt, once: clients can read it repeatedly. */
    prompt(blocks: readonly object[]): void {
      if (hasPrompt) return;
      hasPrompt = true;
      const content = blocks.length > 0 ? blocks : [{ type: 'text', text: '' }];
      message = conversation.logMessage({ role: 'user', content: content as readonly { type: string }[] }).id;
    },
    /** Logs the conversation that the agent continues, once, with its reasoning, calls and results. */
    messages(messages: readonly SerializedMessage[]): void {
      if (hasPrompt) return;
      hasPrompt = true;
      message = logConversation(conversation, messages, callIds) ?? message;
    },
    /** Adds the tools to the metadata of the trace, once. */
    tools(tools: readonly object[], terminalTool: object | null = null): void {
      if (hasTools) return;
      hasTools = true;
      // Tool specs are JSON.
      const metadata = { tools, ...(terminalTool && { terminal_tool: terminalTool }) } as unknown as JSONObject;
      void trace.update({ metadata });
    },
    /** Logs a call, and returns the function that logs its result. */
    call({
      name,
      input,
      number,
    }: {
      readonly name: string;
      readonly input: unknown;
      readonly number?: number | undefined;
    }) {
      const { id: parent_block_id, call_id, resultId: id } = logCall(name, input, number);
      return (outcome: RecordedCallOutcome): void => {
        const { output, extra, finished } = read(outcome);
        hasFailed ||= outcome.event === 'error';
        trace.logObserve({ id, parent_block_id, payload: { call_id, output }, extra });
        if (finished) finish('finished');
      };
    },
    /** Sets the status of the trace: `error` if a call failed or the session was lost. */
    ended(ending: string, wasFinished: boolean): void {
      // Another server continues the episode, and its trace.
      if (ids && ending === 'moved') return;
      const isError = hasFailed || ending === 'lost' || ending === 'failed';
      finish(wasFinished ? 'finished' : isError ? 'error' : 'abandoned');
    },
  };
}

/** Logs an assistant message for a call without an earlier message: the client has not read the prompt. */
function logTurn(trace: TraceHandle, call_id: string, name: string, id = newBlockId()): string {
  return trace.logMessage({
    id,
    role: 'assistant',
    content: [{ type: 'tool_use', id: call_id, name } as { type: string }],
  }).id;
}

/** Returns the logged form of a result: the output, or `{ok: false, error, reason}` for a failure. */
function read(outcome: RecordedCallOutcome): { output: JSONValue; extra: JSONObject; finished: boolean } {
  if (outcome.event === 'error') return failed(outcome.message);
  const result: unknown = JSON.parse(outcome.json);
  if (!isRecord(result)) return failed('no result');
  if (result.ok !== true) return failed(String(result.error), result.reason);
  const output = result.output as JSONObject;
  const { reward, finished } = output;
  const extra = { ...(typeof reward === 'number' && { reward }), ...(finished === true && { finished: true }) };
  return { output, extra, finished: finished === true };
}

const failed = (error: string, reason?: unknown) => ({
  output: { ok: false, error, ...(typeof reason === 'string' && { reason }) },
  extra: { tool_error: true },
  finished: false,
});

function toTrace({ environment, task, run, group, tags = [], recordId, parent }: RecordedEpisodeStart): TraceInput {
  return {
    ...(recordId !== undefined && { id: recordId }),
    ...(parent && { parent_trace_id: parent.recordId, parent_calls: parent.calls }),
    environment,
    split: task.split ?? null,
    task_index: task.index !== undefined && task.index !== null && task.index >= 0 ? task.index : null,
    task_spec: isRecord(task.task_spec) ? (task.task_spec as JSONObject) : null,
    run: run ?? null,
    group_id: group ?? null,
    tags: [...tags],
  };
}

/** More than over HTTP, because the store commits concurrent writes in one transaction. */
const MAX_REQUESTS = 64;

/**
 * Creates a requester for a store in this process, without HTTP.
 *
 * @example
 * const client = createClientForApi(createLocalTraceApi(createTraceApi(store), 'default'));
 */
export function createLocalTraceApi({ call }: Pick<TraceApi, 'call'>, organization: string): TraceApiRequester {
  async function json(operation: OperationId, { query = {}, body, mediaType, ...names }: TraceApiRequest) {
    const path = { org: organization, ...names };
    const { status, value } = await call(operation, { path, query, body, mediaType });
    const error = status >= 400 ? parseTraceError(status, value) : undefined;
    if (error) throw error;
    return value;
  }
  return {
    json,
    maxRequests: MAX_REQUESTS,
    bytes: async (operation, request) => (await json(operation, request)) as Uint8Array,
  };
}
