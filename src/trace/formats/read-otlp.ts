import { ExactNumber, fieldsOf, isRecord, JsonSyntaxError, parseJson } from '../../core/index.ts';
import { asList, asString } from '../conversation/index.ts';
import { decodeProtobuf, ProtobufError, type ProtobufMessage } from './protobuf.ts';

export type SpanAttributes = Readonly<Record<string, unknown>>;

interface SpanEvent {
  readonly name: string;
  /** Microseconds since 1970. */
  readonly at: number;
  readonly attributes: SpanAttributes;
}

/** A span of OpenTelemetry; attributes are JSON values. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly unknown[];
  readonly isFailed: boolean;
  /** Message of a failed span. */
  readonly failure: string;
  /** Attributes of the process. */
  readonly resource: SpanAttributes;
  /** Name of the instrumentation. */
  readonly scope: string;
}

/** Spans of a request, and the number of those that have no valid id. */
interface OtlpSpans {
  readonly spans: readonly Span[];
  readonly rejected: number;
}

/** The media type of OTLP in Protocol Buffers. */
export const PROTOBUF = 'application/x-protobuf';

/**
 * Reads an ExportTraceServiceRequest. Source: OTLP specification 1.9, trace.proto.
 *
 * @param mediaType `application/x-protobuf`, or any other for JSON.
 * @returns undefined for bytes that are not such a message, with the reason.
 */
export function readOtlp(bytes: Uint8Array, mediaType: string): OtlpSpans | { readonly reason: string } {
  try {
    return spansIn(mediaType.startsWith(PROTOBUF) ? decodeProtobuf(bytes, REQUEST) : parseBody(bytes));
  } catch (error) {
    if (error instanceof ProtobufError) return { reason: error.message };
    if (error instanceof JsonSyntaxError || error instanceof TypeError) return { reason: 'the body is not valid JSON' };
    throw error;
  }
}

const parseBody = (bytes: Uint8Array): unknown =>
  parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { exactNumbers: true }).value;

function spansIn(request: unknown): OtlpSpans {
  const spans: Span[] = [];
  let rejected = 0;
  for (const resourceSpans of listOf(request, 'resourceSpans')) {
    const resource = attributesOf(fieldsOf(resourceSpans.resource).attributes);
    for (const scopeSpans of listOf(resourceSpans, 'scopeSpans')) {
      const scope = asString(fieldsOf(scopeSpans.scope).name);
      for (const each of listOf(scopeSpans, 'spans')) {
        const span = spanOf(each, resource, scope);
        if (span) spans.push(span);
        else rejected++;
      }
    }
  }
  return { spans, rejected };
}

const listOf = (value: unknown, field: string) => asList(fieldsOf(value)[field]).map(fieldsOf);

function spanOf(fields: SpanAttributes, resource: SpanAttributes, scope: string): Span | undefined {
  const traceId = asString(fields.traceId).toLowerCase();
  const spanId = asString(fields.spanId).toLowerCase();
  if (!isId(traceId, 32) || !isId(spanId, 16)) return undefined;
  const parent = asString(fields.parentSpanId).toLowerCase();
  const status = fieldsOf(fields.status);
  const start = toMilliseconds(fields.startTimeUnixNano);
  return {
    traceId,
    spanId,
    parentSpanId: isId(parent, 16) ? parent : undefined,
    name: asString(fields.name),
    start,
    end: Math.max(start, toMilliseconds(fields.endTimeUnixNano)),
    attributes: attributesOf(fields.attributes),
    events: listOf(fields, 'events').map((event) => ({
      name: asString(event.name),
      at: toMilliseconds(event.timeUnixNano),
      attributes: attributesOf(event.attributes),
    })),
    links: listOf(fields, 'links').map(({ traceId, spanId, attributes }) => ({
      trace_id: asString(traceId),
      span_id: asString(spanId),
      attributes: attributesOf(attributes),
    })),
    isFailed: status.code === STATUS_ERROR || status.code === 'STATUS_CODE_ERROR',
    failure: asString(status.message),
    resource,
    scope,
  };
}

/** StatusCode of trace.proto. */
const STATUS_ERROR = 2;

const isId = (id: string, length: number): boolean => id.length === length && /^[0-9a-f]*[1-9a-f][0-9a-f]*$/.test(id);

const NANOS_PER_MICRO = 1000n;
const MICROS_PER_MS = 1000;

/** Converts nanoseconds since 1970 to milliseconds, exact to the microsecond. */
function toMilliseconds(nanos: unknown): number {
  const text = nanos instanceof ExactNumber ? nanos.literal : String(nanos ?? '');
  return /^\d{1,20}$/.test(text) ? Number(BigInt(text) / NANOS_PER_MICRO) / MICROS_PER_MS : 0;
}

/** Converts a list of KeyValue to an object. */
function attributesOf(list: unknown): SpanAttributes {
  return Object.fromEntries(
    asList(list).map((each) => {
      const { key, value } = fieldsOf(each);
      return [asString(key), jsonOf(value)];
    }),
  );
}

/** Converts an AnyValue to JSON. */
function jsonOf(value: unknown): unknown {
  if (!isRecord(value)) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (intValue !== undefined) return toInteger(intValue);
  if (arrayValue !== undefined) return asList(fieldsOf(arrayValue).values).map(jsonOf);
  if (kvlistValue !== undefined) return attributesOf(fieldsOf(kvlistValue).values);
  if (typeof doubleValue === 'number' && !Number.isFinite(doubleValue)) return String(doubleValue);
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue ?? null;
}

/** Converts an integer of 64 bits, which JSON has as text; a double would change a large one. */
function toInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : new ExactNumber(value);
}

const KEY_VALUE: ProtobufMessage = { 1: ['key', 'string'], 2: ['value', () => ANY_VALUE] };
const KEY_VALUES: ProtobufMessage = { 1: ['values', () => KEY_VALUE, true] };
const ANY_VALUES: ProtobufMessage = { 1: ['values', () => ANY_VALUE, true] };
const ANY_VALUE: ProtobufMessage = {
  1: ['stringValue', 'string'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'long'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ANY_VALUES],
  6: ['kvlistValue', () => KEY_VALUES],
  7: ['bytesValue', 'base64'],
};
const EVENT: ProtobufMessage = {
  1: ['timeUnixNano', 'fixed64'],
  2: ['name', 'string'],
  3: ['attributes', () => KEY_VALUE, true],
};
const LINK: ProtobufMessage = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['attributes', () => KEY_VALUE, true],
};
const STATUS: ProtobufMessage = { 2: ['message', 'string'], 3: ['code', 'int'] };
const SPAN: ProtobufMessage = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'string'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', () => KEY_VALUE, true],
  11: ['events', () => EVENT, true],
  13: ['links', () => LINK, true],
  15: ['status', () => STATUS],
};
const SCOPE: ProtobufMessage = { 1: ['name', 'string'] };
const SCOPE_SPANS: ProtobufMessage = { 1: ['scope', () => SCOPE], 2: ['spans', () => SPAN, true] };
const RESOURCE: ProtobufMessage = { 1: ['attributes', () => KEY_VALUE, true] };
const RESOURCE_SPANS: ProtobufMessage = { 1: ['resource', () => RESOURCE], 2: ['scopeSpans', () => SCOPE_SPANS, true] };
const REQUEST: ProtobufMessage = { 1: ['resourceSpans', () => RESOURCE_SPANS, true] };
