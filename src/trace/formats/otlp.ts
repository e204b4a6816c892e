import type { Trace } from '../../../generated/trace.ts';
import { type Awaitable, andThen, sum } from '../../core/index.ts';
import { flatMap, followedBy, type Items } from '../model/index.ts';
import { type Call, readCalls, rewardsOf } from './calls.ts';
import { type Conversation, keyOfCall, placesOf, readConversation, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineInPieces } from './format.ts';
import { sha256 } from './hash.ts';
import { inputMessages, outputMessages, type Unread } from './otlp-messages.ts';
import { type Attributes, earliest, keyValues, latest, nanosOf } from './otlp-values.ts';
import { list, object } from './streamed-json.ts';
import { functionsOf } from './tools.ts';
import { answered, placesOfTurn, readAll, readMessage, readTimes } from './turns.ts';

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
    const conversation = await readConversation(source);
    const { trace } = source;
    const root: Span = { ...span(trace.id, trace.id), name: 'invoke_agent', kind: INTERNAL };
    const { last, unread } = await endOf(conversation);
    const first = object({
      ...root,
      startTimeUnixNano: nanosOf(trace.created_at),
      endTimeUnixNano: latest([nanosOf(trace.finished_at ?? trace.created_at), ...last]),
      attributes: list(() =>
        keyValues({ ...traceAttributes(trace), 'gen_ai.input.messages': inputMessages(unread, conversation) }),
      ),
      status: trace.status === 'error' ? { code: ERROR } : {},
    });
    const resource = { attributes: keyValues({ 'service.name': 'ors-kit' }) };
    const spans = list(() => followedBy([first], () => spansOf(root, { trace, conversation })));
    const scopeSpans = list(() => [object({ scope: { name: 'ors-kit' }, spans })]);
    const resourceSpans = list(() => [object({ resource, scopeSpans })]);
    yield* lineInPieces(object({ resourceSpans }));
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

/** Ids of OpenTelemetry: 16 bytes for a trace and 8 for a span, in hex. */
const span = (traceId: string, id: string) => ({
  traceId: sha256(traceId).slice(0, 32),
  spanId: sha256(`${traceId} ${id}`).slice(0, 16),
});

/** When the last span ends, if there is one, and what nobody has answered: it stands at the span of the trace. */
async function endOf(conversation: Conversation): Promise<{ last: readonly string[]; unread: readonly Unread[] }> {
  let last = 0;
  let unread: Unread[] = [];
  for (const entry of conversation.entries()) {
    if (entry.kind === 'said') unread.push(entry);
    else {
      last = placesOf(conversation.trace.layout, entry).reduce((most, ord) => Math.max(most, ord), last);
      unread = [];
    }
  }
  const times = await readTimes(conversation, last === 0 ? [] : [last]);
  return { last: times.map(nanosOf), unread };
}

interface Surroundings {
  readonly trace: Trace;
  readonly conversation: Conversation;
}

/** The spans of all turns and their calls. */
function spansOf(root: Span, { trace, conversation }: Surroundings): Items<unknown> {
  let unread: Unread[] = [];
  return flatMap(conversation.read(), (entry) => {
    if (entry.kind === 'said') {
      unread.push(entry);
      return [];
    }
    const input = unread;
    unread = answered(conversation, entry.calls).map((call) => ({ kind: 'answered', call }));
    return andThen(chatSpan(entry, input, root, { trace, conversation }), (chat) =>
      followedBy([chat], () => flatMap(readCalls(conversation, entry.calls), (call) => [toolSpan(call, root, trace)])),
    );
  });
}

function chatSpan(
  turn: Turn,
  unread: readonly Unread[],
  root: Span,
  { trace, conversation }: Surroundings,
): Awaitable<unknown> {
  const { model } = trace;
  return andThen(readEnds(conversation, placesOfTurn(turn)), ({ id, times }) =>
    andThen(readMessage(conversation, turn.message), ({ block, pieces }) =>
      object({
        ...span(trace.id, `chat ${id}`),
        parentSpanId: root.spanId,
        name: model === null ? 'chat' : `chat ${model}`,
        kind: CLIENT,
        startTimeUnixNano: earliest(times),
        endTimeUnixNano: latest(times),
        attributes: list(() =>
          keyValues({
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': model,
            'gen_ai.conversation.id': trace.id,
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

/** The id of the block that stands first, and the times of those that were written first and last. */
function readEnds(conversation: Conversation, places: readonly number[]) {
  const [first = 0] = places;
  const begin = places.reduce((least, ord) => Math.min(least, ord));
  const end = places.reduce((most, ord) => Math.max(most, ord));
  return andThen(readAll(conversation, [first, begin, end]), ([named, ...ends]) => ({
    id: named?.block.id,
    times: ends.map(({ block }) => nanosOf(block.created_at)),
  }));
}

function toolSpan({ block, answer }: Call, root: Span, trace: Trace): object {
  const times = [block.created_at, ...(answer?.times ?? [])].map(nanosOf);
  const isFailed = answer?.isFailed ?? false;
  const extras = answer?.extras ?? [];
  const rewards = answer ? rewardsOf(answer) : [];
  return {
    ...span(trace.id, block.id),
    parentSpanId: root.spanId,
    name: `execute_tool ${block.payload.name}`.toWellFormed(),
    kind: INTERNAL,
    startTimeUnixNano: earliest(times),
    endTimeUnixNano: latest(times),
    attributes: keyValues({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': block.payload.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': keyOfCall(block),
      'gen_ai.tool.call.arguments': block.payload.arguments,
      'gen_ai.tool.call.result': answer?.value,
      'error.type': isFailed ? 'tool_error' : null,
      'ors.reward': rewards.length > 0 ? sum(rewards) : null,
      'ors.finished': extras.some(({ finished }) => finished === true) ? true : null,
      'ors.block.extra': block.extra,
      'ors.result.extra': extras.length > 0 ? extras : null,
    }),
    status: isFailed ? { code: ERROR } : {},
  };
}

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
