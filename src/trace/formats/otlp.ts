import type { StitchedToolCall, ToolResultBlock, Trace } from '../../../generated/trace.ts';
import { isRecord } from '../../protocol/index.ts';
import { type Entry, keyOfCall, readConversation, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineOf, type TraceSource } from './format.ts';
import { sha256 } from './hash.ts';
import { type ChatMessage, inputMessage, outputMessage, responseMessage } from './otlp-messages.ts';
import { type Attributes, earliest, keyValues, latest, nanosOf } from './otlp-values.ts';
import { functionsOf } from './tools.ts';

/**
 * Spans of OpenTelemetry: a line of ExportTraceServiceRequest in OTLP's JSON for each trace, as a collector takes it on
 * `/v1/traces`. Below a span `invoke_agent` for the trace there is one `chat` for each turn of the model and one
 * `execute_tool` for each of its calls, with the attributes of the GenAI conventions. Each `chat` has in
 * `gen_ai.input.messages` only what is new since the one before. What these have no names for is in `ors.*`; raw is left
 * out, and so are results whose call is lost. Ids are hashes of ours, so that a trace sent twice is the same. A span begins
 * and ends with the first and last block that belongs to it. Half a surrogate pair becomes U+FFFD, since OTLP is UTF-8.
 */
export const otlp: ExportFormat = {
  name: 'otlp-json',
  mediaType: JSON_LINES,
  extension: 'otlp.jsonl',
  async *write(source) {
    const { entries } = await readConversation(source.blocks());
    const { trace } = source;
    const root: Span = { ...span(trace.id, trace.id), name: 'invoke_agent', kind: INTERNAL };
    const { children, unread } = await spansOf(entries, root, source);
    const ends = children.map(({ endTimeUnixNano }) => endTimeUnixNano);
    const spans = [
      {
        ...root,
        startTimeUnixNano: nanosOf(trace.created_at),
        endTimeUnixNano: latest([nanosOf(trace.finished_at ?? trace.created_at), ...ends]),
        attributes: keyValues({
          ...traceAttributes(trace),
          'gen_ai.input.messages': unread.length > 0 ? unread : null,
        }),
        status: trace.status === 'error' ? { code: ERROR } : {},
      },
      ...children,
    ];
    const resource = { attributes: keyValues({ 'service.name': 'ors-kit' }) };
    yield lineOf({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'ors-kit' }, spans }] }] });
  },
};

/** SpanKind and StatusCode of trace.proto. */
const [INTERNAL, CLIENT, ERROR] = [1, 3, 2];

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}

interface TimedSpan extends Span {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly object[];
  readonly status: object;
}

/** Ids of OpenTelemetry: 16 bytes for a trace and 8 for a span, in hex. */
const span = (traceId: string, id: string) => ({
  traceId: sha256(traceId).slice(0, 32),
  spanId: sha256(`${traceId} ${id}`).slice(0, 16),
});

/** The spans of all turns, and what nobody has answered: it stands at the span of the trace. */
async function spansOf(
  entries: readonly Entry[],
  root: Span,
  source: TraceSource,
): Promise<{ children: TimedSpan[]; unread: ChatMessage[] }> {
  const children: TimedSpan[] = [];
  let unread: ChatMessage[] = [];
  for (const entry of entries) {
    if (entry.kind === 'said') {
      unread.push(await inputMessage(entry.message, source));
      continue;
    }
    children.push(await chatSpan(entry, unread, root, source));
    children.push(...entry.calls.map((call) => toolSpan(call, root, source)));
    unread = [];
    for (const call of entry.calls) unread.push(...(await responseMessage(call, source)));
  }
  return { children, unread: unread.filter(({ role }) => role !== 'tool') };
}

async function chatSpan(
  turn: Turn,
  unread: readonly ChatMessage[],
  root: Span,
  source: TraceSource,
): Promise<TimedSpan> {
  const { model } = source.trace;
  const blocks = [...(turn.message ? [turn.message] : []), ...turn.thinks, ...turn.calls];
  const times = blocks.map(({ created_at }) => nanosOf(created_at));
  return {
    ...span(source.trace.id, `chat ${blocks[0]?.id}`),
    parentSpanId: root.spanId,
    name: model === null ? 'chat' : `chat ${model}`,
    kind: CLIENT,
    startTimeUnixNano: earliest(times),
    endTimeUnixNano: latest(times),
    attributes: keyValues({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': source.trace.id,
      'gen_ai.input.messages': unread.length > 0 ? unread : null,
      'gen_ai.output.messages': [await outputMessage(turn, source)],
      'ors.block.extra': turn.message?.extra,
    }),
    status: {},
  };
}

function toolSpan(call: StitchedToolCall, root: Span, { trace }: TraceSource): TimedSpan {
  const times = [call, ...call.tool_results].map(({ created_at }) => nanosOf(created_at));
  const isFailed = call.tool_results.some(isFailure);
  const extras = call.tool_results.flatMap(({ extra }) => (extra === null ? [] : [extra]));
  const rewards = extras.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []));
  const { state = 'pending', value = null } = call.assembled ?? {};
  return {
    ...span(trace.id, call.id),
    parentSpanId: root.spanId,
    name: `execute_tool ${call.payload.name}`.toWellFormed(),
    kind: INTERNAL,
    startTimeUnixNano: earliest(times),
    endTimeUnixNano: latest(times),
    attributes: keyValues({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.payload.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': keyOfCall(call),
      'gen_ai.tool.call.arguments': call.payload.arguments,
      'gen_ai.tool.call.result': state === 'pending' ? null : value,
      'error.type': isFailed ? 'tool_error' : null,
      'ors.reward': rewards.length > 0 ? rewards.reduce((sum, reward) => sum + reward, 0) : null,
      'ors.finished': extras.some(({ finished }) => finished === true) ? true : null,
      'ors.block.extra': call.extra,
      'ors.result.extra': extras.length > 0 ? extras : null,
    }),
    status: isFailed ? { code: ERROR } : {},
  };
}

const isFailure = ({ payload: { output }, extra }: ToolResultBlock): boolean =>
  extra?.tool_error === true || (isRecord(output) && output.ok === false);

/** All that is known of a trace but for what its blocks tell. */
function traceAttributes(trace: Trace): Attributes {
  const { id, model, metadata, created_at: _created, finished_at: _finished, updated_at: _updated, ...others } = trace;
  const { tools: _tools, ...kept } = metadata;
  const tools = functionsOf(trace);
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': id,
    'gen_ai.request.model': model,
    'gen_ai.tool.definitions': tools.length > 0 ? tools : null,
    'ors.trace.metadata': Object.keys(kept).length > 0 ? kept : null,
    ...Object.fromEntries(Object.entries(others).map(([field, value]) => [`ors.trace.${field}`, value])),
  };
}
