import { createHash } from 'node:crypto';
import type { Trace } from '../../../generated/trace.ts';
import { type Awaitable, andThen, ownProperty, sum } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  entryOrdinals,
  exportedCallKey,
  readConversation,
  turnOrdinals,
} from './conversation.ts';
import {
  callRewards,
  callsWithResult,
  type ExportedCall,
  readBlocksAt,
  readCalls,
  readMessage,
  readTimes,
  toOpenAIFunctions,
} from './conversation-parts.ts';
import { type ExportFormat, streamJsonLine } from './format.ts';
import {
  earliest,
  inputMessages,
  latest,
  type OtlpAttributes,
  outputMessages,
  type PendingInput,
  toNanoseconds,
  toOtlpAttributes,
} from './otlp-messages.ts';
import { streamedList, streamedObject } from './streamed-json.ts';

/**
 * Spans of OpenTelemetry: a line with an ExportTraceServiceRequest in OTLP/JSON for each trace, which a collector accepts
 * on `/v1/traces`. A span `invoke_agent` for the trace has one child `chat` for each turn of the model and one child
 * `execute_tool` for each call, with the attributes of the GenAI conventions. `gen_ai.input.messages` of a `chat` has only
 * the messages since the previous one. Other fields are in `ors.*`; raw and orphaned results are left out. Ids are hashes,
 * so that a repeated export has the same ids. A span starts and ends with its first and last block. Lone surrogates become
 * U+FFFD, because OTLP is UTF-8.
 */
export const otlp: ExportFormat = {
  extension: 'otlp.jsonl',
  async *write(source) {
    const conversation = await readConversation(source);
    const { trace } = source;
    const root: OtlpSpan = { ...span(trace.id, trace.id), name: 'invoke_agent', kind: INTERNAL };
    const { last, unread } = await endOf(conversation);
    const first = streamedObject({
      ...root,
      startTimeUnixNano: toNanoseconds(trace.created_at),
      endTimeUnixNano: latest([toNanoseconds(trace.finished_at ?? trace.created_at), ...last]),
      attributes: streamedList(() =>
        toOtlpAttributes({ ...traceAttributes(trace), 'gen_ai.input.messages': inputMessages(unread, conversation) }),
      ),
      status: trace.status === 'error' ? { code: ERROR } : {},
    });
    const resource = { attributes: toOtlpAttributes({ 'service.name': 'ors-kit' }) };
    const spans = streamedList(() => concatBatches([first], () => spansOf(root, conversation)));
    const scopeSpans = streamedList(() => [streamedObject({ scope: { name: 'ors-kit' }, spans })]);
    const resourceSpans = streamedList(() => [streamedObject({ resource, scopeSpans })]);
    yield* streamJsonLine(streamedObject({ resourceSpans }));
  },
};

/** SpanKind of trace.proto. */
const INTERNAL = 1;
const CLIENT = 3;
/** StatusCode of trace.proto. */
const ERROR = 2;

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns ids of OpenTelemetry: 16 bytes for a trace and 8 for a span, in hex. */
const span = (traceId: string, id: string) => ({
  traceId: sha256(traceId).slice(0, 32),
  spanId: sha256(`${traceId} ${id}`).slice(0, 16),
});

/** Returns the end of the last span, and the messages after the last turn, which belong to the span of the trace. */
async function endOf(conversation: Conversation) {
  let last = 0;
  let unread: PendingInput[] = [];
  for (const entry of conversation.entries()) {
    if (entry.kind === 'input') unread.push(entry);
    else {
      last = entryOrdinals(conversation.reader.layout, entry).reduce((max, ord) => Math.max(max, ord), last);
      unread = [];
    }
  }
  const times = await readTimes(conversation, last === 0 ? [] : [last]);
  return { last: times.map(toNanoseconds), unread };
}

/** Yields the spans of all turns and their calls. */
function spansOf(root: OtlpSpan, conversation: Conversation): Batches<unknown> {
  let unread: PendingInput[] = [];
  return flatMapBatches(conversation.read(), (entry) => {
    if (entry.kind === 'input') {
      unread.push(entry);
      return [];
    }
    const input = unread;
    unread = callsWithResult(conversation, entry.calls).map((call) => ({ kind: 'result', call }));
    const calls = () =>
      flatMapBatches(readCalls(conversation, entry.calls), (call) => [toolSpan(call, root, conversation.trace)]);
    return andThen(chatSpan(entry, input, root, conversation), (chat) => concatBatches([chat], calls));
  });
}

function chatSpan(
  turn: AssistantTurnEntry,
  unread: readonly PendingInput[],
  root: OtlpSpan,
  conversation: Conversation,
): Awaitable<unknown> {
  const { id: traceId, model } = conversation.trace;
  return andThen(readEnds(conversation, turnOrdinals(turn)), ({ id, times }) =>
    andThen(readMessage(conversation, turn.message), ({ block, pieces }) =>
      streamedObject({
        ...span(traceId, `chat ${id}`),
        parentSpanId: root.spanId,
        name: model === null ? 'chat' : `chat ${model}`,
        kind: CLIENT,
        startTimeUnixNano: earliest(times),
        endTimeUnixNano: latest(times),
        attributes: streamedList(() =>
          toOtlpAttributes({
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': model,
            'gen_ai.conversation.id': traceId,
            'gen_ai.input.messages': inputMessages(unread, conversation),
            'gen_ai.output.messages': outputMessages(turn, pieces, conversation),
            'ors.block.extra': block?.extra,
          }),
        ),
        status: {},
      }),
    ),
  );
}

/** Returns the id of the first block of a turn, and the times of those that were written first and last. */
function readEnds(conversation: Conversation, ords: readonly number[]) {
  const [first = 0] = ords;
  const begin = ords.reduce((min, ord) => Math.min(min, ord));
  const end = ords.reduce((max, ord) => Math.max(max, ord));
  return andThen(readBlocksAt(conversation, [first, begin, end]), ([named, ...ends]) => ({
    id: named?.block.id,
    times: ends.map(({ block }) => toNanoseconds(block.created_at)),
  }));
}

function toolSpan({ block, results: response }: ExportedCall, root: OtlpSpan, trace: Trace): object {
  const times = [block.created_at, ...(response?.times ?? [])].map(toNanoseconds);
  const isFailed = response?.isFailed ?? false;
  const extras = response?.extras ?? [];
  const rewards = response ? callRewards(response) : [];
  return {
    ...span(trace.id, block.id),
    parentSpanId: root.spanId,
    name: `execute_tool ${block.payload.name}`.toWellFormed(),
    kind: INTERNAL,
    startTimeUnixNano: earliest(times),
    endTimeUnixNano: latest(times),
    attributes: toOtlpAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': block.payload.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': exportedCallKey(block),
      'gen_ai.tool.call.arguments': block.payload.arguments,
      'gen_ai.tool.call.result': response?.value,
      'error.type': isFailed ? 'tool_error' : null,
      'ors.reward': rewards.length > 0 ? sum(rewards) : null,
      'ors.finished': extras.some((extra) => ownProperty(extra, 'finished') === true) ? true : null,
      'ors.block.extra': block.extra,
      'ors.result.extra': extras.length > 0 ? extras : null,
    }),
    status: isFailed ? { code: ERROR } : {},
  };
}

/** Returns the attributes of a trace, without its blocks. */
function traceAttributes(trace: Trace): OtlpAttributes {
  const { id, model, metadata, created_at: _created, finished_at: _finished, updated_at: _updated, ...others } = trace;
  const { tools: _tools, ...kept } = metadata;
  const tools = toOpenAIFunctions(trace);
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': id,
    'gen_ai.request.model': model,
    'gen_ai.tool.definitions': tools.length > 0 ? tools : null,
    'ors.trace.metadata': Object.keys(kept).length > 0 ? kept : null,
    ...Object.fromEntries(Object.entries(others).map(([field, value]) => [`ors.trace.${field}`, value])),
  };
}
