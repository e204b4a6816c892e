import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { fieldsOf, isRecord, stringifyJson } from '../../core/index.ts';
import { readToolSpec, type ToolSpec } from '../../protocol/index.ts';
import { asList, asString, type ConversationItem, type JsonFields, omitMissing } from '../conversation/index.ts';
import type { Span, SpanAttributes } from './read-otlp.ts';
import { itemsOfMessages, parsedAttribute } from './span-messages.ts';

/** Content of a span about an agent run. */
export type SpanContent = ModelSpan | ToolSpan | OtherSpan;

/** An agent, a step of a chain, a retrieval, or anything else. */
interface OtherSpan {
  readonly kind: 'other';
  /** The conversation of an agent. */
  readonly items: readonly ConversationItem[];
  readonly tools: readonly ToolSpec[];
  readonly rest: SpanAttributes;
}

/** A request to a model. */
interface ModelSpan {
  readonly kind: 'model';
  readonly model: string | undefined;
  readonly input: readonly ConversationItem[];
  readonly output: readonly ConversationItem[];
  /** Response id, model, finish reason and usage. */
  readonly extra: JSONObject;
  readonly tools: readonly ToolSpec[];
  /** Temperature and other settings; undefined if the span has none. */
  readonly sampling: JSONObject | undefined;
  /** Attributes that are not part of the other fields. */
  readonly rest: SpanAttributes;
}

/** The execution of a tool. */
interface ToolSpan {
  readonly kind: 'tool';
  /** Empty if the span has none. */
  readonly callId: string;
  readonly name: string;
  readonly input: JSONObject | string;
  readonly output: JSONValue;
  readonly isFailed: boolean;
  readonly extra: JSONObject;
  readonly rest: SpanAttributes;
}

const PREFIXES = ['gen_ai.', 'openinference.', 'llm.', 'ai.', 'traceloop.', 'ors.trace.'];

/** Returns true for a span of the GenAI conventions, of OpenInference, or of a library with similar attributes. */
export const isAgentSpan = ({ attributes }: Span): boolean =>
  Object.keys(attributes).some((key) => PREFIXES.some((prefix) => key.startsWith(prefix)));

/**
 * Reads a span by the conventions that its attributes follow. Sources: OpenTelemetry, "Semantic conventions for generative
 * AI" 1.27 to 1.41; OpenInference, "Semantic Conventions"; the telemetry of the AI SDK.
 */
export function readSpan(span: Span): SpanContent {
  const attributes = withEvents(span);
  const kind = kindOf(attributes);
  if (kind === 'model') return readModelSpan(attributes);
  if (kind === 'tool') return readToolSpan(span, attributes);
  const items = [...inputOf(attributes), ...outputOf(attributes)];
  return { kind: 'other', items, tools: toolsOf(attributes), rest: omit(attributes, MESSAGE_KEYS) };
}

/**
 * Returns the name of the agent that a span is about, or that made the request of the span; undefined if the span has none.
 *
 * @param span its description is enough.
 */
export function agentNameOf({ name, attributes }: Pick<Span, 'name' | 'attributes'>): string | undefined {
  const named = firstText(attributes, 'gen_ai.agent.name', 'agent.name', 'ai.telemetry.functionId');
  if (named !== undefined) return named;
  const { 'openinference.span.kind': kind, 'traceloop.span.kind': traceloopKind } = attributes;
  if (kind === 'AGENT') return name || undefined;
  return traceloopKind === 'agent' ? firstText(attributes, 'traceloop.entity.name') : undefined;
}

const MODEL_OPERATIONS: readonly unknown[] = ['chat', 'text_completion', 'generate_content'];

function kindOf(attributes: SpanAttributes): SpanContent['kind'] {
  const { 'gen_ai.operation.name': operation, 'openinference.span.kind': kind } = attributes;
  const aiOperation = asString(attributes['ai.operationId']);
  if (MODEL_OPERATIONS.includes(operation) || kind === 'LLM' || /\.do(Generate|Stream)$/.test(aiOperation)) {
    return 'model';
  }
  if (attributes['llm.request.type'] === 'chat' || attributes['llm.request.type'] === 'completion') return 'model';
  const isTool = operation === 'execute_tool' || kind === 'TOOL' || aiOperation === 'ai.toolCall';
  return isTool || attributes['traceloop.span.kind'] === 'tool' ? 'tool' : 'other';
}

/** Attributes with the conversation of a model, which becomes blocks. */
const MESSAGE_KEYS =
  /^(gen_ai\.(input\.messages|output\.messages|system_instructions|tool\.definitions|(prompt|completion)(\.\d+\..*)?)|llm\.(input_messages|output_messages|tools)\..*|ai\.prompt\.(messages|tools)|ai\.response\.(text|toolCalls|reasoning|object))$/;

const omit = (attributes: SpanAttributes, keys: RegExp): SpanAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => !keys.test(key)));

function readModelSpan(attributes: SpanAttributes): ModelSpan {
  const input = inputOf(attributes);
  const output = outputOf(attributes);
  const model = firstText(
    attributes,
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.model_name',
    'ai.response.model',
    'ai.model.id',
  );
  const reasons = asList(parsedAttribute(attributes['gen_ai.response.finish_reasons']));
  const rest = omit(attributes, MESSAGE_KEYS);
  return {
    kind: 'model',
    model,
    input: input.length > 0 ? input : itemsOfText(attributes['input.value'], 'user'),
    output: output.length > 0 ? output : itemsOfText(attributes['output.value'], 'assistant'),
    extra: omitMissing({
      model,
      response_id: firstText(attributes, 'gen_ai.response.id', 'ai.response.id'),
      finish_reason:
        reasons[0] ??
        fieldsOf(messagesIn(attributes, OUTPUT_KEYS)[0]).finish_reason ??
        firstText(attributes, 'ai.response.finishReason'),
      usage: usageOf(attributes),
    }),
    tools: toolsOf(attributes),
    sampling: samplingOf(attributes),
    // The request repeats the conversation.
    rest: input.length > 0 ? omit(rest, /^input\.(value|mime_type)$/) : rest,
  };
}

const itemsOfText = (value: unknown, role: string): ConversationItem[] =>
  typeof value === 'string' && value !== '' ? itemsOfMessages([{ role, content: value }]) : [];

function firstText(attributes: SpanAttributes, ...keys: readonly string[]): string | undefined {
  const found = keys.map((key) => attributes[key]).find((value) => typeof value === 'string' && value !== '');
  return found === undefined ? undefined : asString(found);
}

const USAGE = {
  input_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
  ],
  output_tokens: [
    ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
    'ai.usage.outputTokens',
  ],
  cached_tokens: [
    ...['gen_ai.usage.cache_read.input_tokens', 'llm.token_count.prompt_details.cache_read'],
    'ai.usage.cachedInputTokens',
  ],
  reasoning_tokens: ['llm.token_count.completion_details.reasoning', 'ai.usage.reasoningTokens'],
  total_tokens: ['llm.token_count.total', 'llm.usage.total_tokens', 'ai.usage.totalTokens'],
} as const;

function usageOf(attributes: SpanAttributes): JSONObject | undefined {
  const usage = Object.entries(USAGE).flatMap(([name, keys]) => {
    const value = keys.map((key) => attributes[key]).find((each) => typeof each === 'number');
    return value === undefined ? [] : [[name, value] as const];
  });
  return usage.length === 0 ? undefined : (Object.fromEntries(usage) as JSONObject);
}

const SAMPLING = ['temperature', 'top_p', 'top_k', 'max_tokens', 'frequency_penalty', 'presence_penalty'];

function samplingOf(attributes: SpanAttributes): JSONObject | undefined {
  const parameters = fieldsOf(parsedAttribute(attributes['llm.invocation_parameters']));
  const settings = omitMissing(
    Object.fromEntries(SAMPLING.map((name) => [name, attributes[`gen_ai.request.${name}`] ?? parameters[name]])),
  );
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function inputOf(attributes: SpanAttributes): ConversationItem[] {
  const instructions = asList(parsedAttribute(attributes['gen_ai.system_instructions']));
  const system = instructions.length > 0 ? itemsOfMessages([{ role: 'system', parts: instructions }]) : [];
  return [...system, ...itemsOfMessages(messagesIn(attributes, INPUT_KEYS))];
}

const INPUT_KEYS = ['gen_ai.input.messages', 'llm.input_messages.', 'ai.prompt.messages', 'gen_ai.prompt.'];
const OUTPUT_KEYS = ['gen_ai.output.messages', 'llm.output_messages.', 'gen_ai.completion.'];

/** Returns the messages of the first attribute that has some; a name with a dot at the end is a prefix. */
function messagesIn(attributes: SpanAttributes, keys: readonly string[]): readonly unknown[] {
  for (const key of keys) {
    const found = asList(key.endsWith('.') ? unflatten(attributes, key) : parsedAttribute(attributes[key]));
    if (found.length > 0) return found;
  }
  return [];
}

function outputOf(attributes: SpanAttributes): ConversationItem[] {
  const found = itemsOfMessages(
    messagesIn(attributes, OUTPUT_KEYS).map((each) => ({ role: 'assistant', ...fieldsOf(each) })),
  );
  if (found.length > 0) return found;
  const { 'ai.response.text': text, 'ai.response.object': object, 'ai.response.reasoning': reasoning } = attributes;
  const calls = asList(parsedAttribute(attributes['ai.response.toolCalls'])).map((call) => ({
    type: 'tool-call',
    ...fieldsOf(call),
  }));
  const parts = [
    ...(asString(reasoning) === '' ? [] : [{ type: 'reasoning', text: reasoning }]),
    ...[text, object].flatMap((each) => (asString(each) === '' ? [] : [{ type: 'text', text: each }])),
    ...calls,
  ];
  return parts.length > 0 ? itemsOfMessages([{ role: 'assistant', parts }]) : [];
}

/**
 * Returns the list under a prefix, such as `llm.input_messages.`, whose elements are spread over attributes with an index
 * and a path in their names.
 */
function unflatten(attributes: SpanAttributes, prefix: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix)) continue;
    const path = key.slice(prefix.length).split('.');
    const last = path.pop() ?? '';
    let at = root;
    for (const name of path) {
      if (!Object.hasOwn(at, name) || !isRecord(at[name])) at[name] = {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return toLists(root);
}

/** Converts objects whose keys are all indexes to lists. */
function toLists(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, toLists(each)]);
  if (entries.length === 0 || !entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, each]) => each);
}

function toolsOf(attributes: SpanAttributes): ToolSpec[] {
  const { 'gen_ai.tool.definitions': definitions, 'ai.prompt.tools': aiTools } = attributes;
  const given = asList(parsedAttribute(definitions ?? aiTools)).map(parsedAttribute);
  const flat = asList(unflatten(attributes, 'llm.tools.')).map((each) => {
    const { json_schema, name, description } = fieldsOf(fieldsOf(each).tool);
    return { ...omitMissing({ name, description }), ...fieldsOf(parsedAttribute(json_schema)) };
  });
  return (given.length > 0 ? given : flat).flatMap((tool) => {
    const { function: called, ...own } = fieldsOf(tool);
    const fields: JsonFields = { ...own, ...fieldsOf(called) };
    return (
      readToolSpec({ ...fields, input_schema: fields.parameters ?? fields.inputSchema ?? fields.input_schema }) ?? []
    );
  });
}

const TOOL_KEYS =
  /^(gen_ai\.tool\.(name|call\.(id|arguments|result))|tool\.name|tool_call\.id|ai\.toolCall\.(name|id|args|result)|(input|output)\.(value|mime_type)|traceloop\.entity\.(name|input|output)|ors\.(reward|finished))$/;

function readToolSpan(span: Span, attributes: SpanAttributes): ToolSpan {
  const of = (...keys: readonly string[]) => keys.map((key) => attributes[key]).find((value) => value !== undefined);
  const input = parsedAttribute(
    of('gen_ai.tool.call.arguments', 'ai.toolCall.args', 'input.value', 'traceloop.entity.input', 'tool.parameters'),
  );
  const output = of('gen_ai.tool.call.result', 'ai.toolCall.result', 'output.value', 'traceloop.entity.output');
  const isFailed = span.isFailed || attributes['error.type'] !== undefined;
  return {
    kind: 'tool',
    callId: asString(of('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id')),
    name: asString(of('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name')) || span.name,
    input: argumentsOf(input),
    // Attributes are JSON.
    output: (output === undefined && isFailed ? failureOf(span) : (parsedAttribute(output) ?? null)) as JSONValue,
    isFailed,
    extra: omitMissing({
      reward: typeof attributes['ors.reward'] === 'number' ? attributes['ors.reward'] : null,
      finished: attributes['ors.finished'],
      tool_error: isFailed ? true : null,
    }),
    rest: omit(attributes, TOOL_KEYS),
  };
}

function argumentsOf(input: unknown): JSONObject | string {
  if (input === undefined || input === null) return {};
  if (isRecord(input)) return input as JSONObject;
  return { input: typeof input === 'string' ? input : stringifyJson(input) };
}

/** Returns the message of a failed span: that of its exception, or else of its status. */
function failureOf({ events, failure, attributes }: Span): string {
  const exception = events.find(({ name }) => name === 'exception')?.attributes['exception.message'];
  return asString(exception) || failure || asString(attributes['error.type']);
}

/** Roles of the events that versions of the conventions before 1.37 have for messages. */
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** Returns the attributes of a span with the messages that older conventions record as events. */
function withEvents({ attributes, events }: Span): SpanAttributes {
  if (!events.some(({ name }) => name.startsWith('gen_ai.'))) return attributes;
  const input: unknown[] = [];
  const output: unknown[] = [];
  let all: SpanAttributes = attributes;
  for (const { name, attributes: own } of events) {
    const [, role] = MESSAGE_EVENT.exec(name) ?? [];
    if (role) input.push({ role, ...readEvent(own) });
    else if (name === 'gen_ai.choice')
      output.push({ role: 'assistant', ...fieldsOf(readEvent(own).message ?? readEvent(own)) });
    else if (name === 'gen_ai.content.prompt') input.push(...asList(parsedAttribute(own['gen_ai.prompt'])));
    else if (name === 'gen_ai.content.completion') output.push(...asList(parsedAttribute(own['gen_ai.completion'])));
    else if (name.startsWith('gen_ai.')) all = { ...own, ...all };
  }
  return {
    ...(input.length > 0 ? { 'gen_ai.input.messages': input } : {}),
    ...(output.length > 0 ? { 'gen_ai.output.messages': output } : {}),
    ...all,
  };
}

const readEvent = (attributes: SpanAttributes): JsonFields =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key.replace(/^gen_ai\.event\./, ''),
      key === 'content' ? value : parsedAttribute(value),
    ]),
  );
