/** Spans in the Protobuf encoding of OTLP. Field numbers are from opentelemetry/proto/trace/v1/trace.proto. */

import { createHash } from 'node:crypto';
import type { SampleBlock } from './sample-blocks.ts';

const hash = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);

/** Returns the span id of a block. */
export const spanId = (blockId: string): string => hash(blockId, 8);

/** Returns the id of the trace with a name. */
export const traceId = (name: string): string => hash(name, 16);

/** A block as a span. */
export interface BlockSpan {
  readonly block: SampleBlock;
  /** Block of the parent span; without one, it is a root span. */
  readonly parentBlock?: string;
  /** Start and end in milliseconds. @default now, for a millisecond */
  readonly time?: readonly [start: number, end: number];
}

/** Encodes spans of one trace as a request. */
export function otlpRequest(trace: string, spans: readonly BlockSpan[]): Buffer {
  const scopeSpans = Buffer.concat(spans.map((span) => field(2, encodeSpan(traceId(trace), span))));
  return field(1, field(2, scopeSpans));
}

/** Encodes a span, with the payload of the block as input. */
function encodeSpan(trace: string, { block, parentBlock, time = [Date.now(), Date.now() + 1] }: BlockSpan): Buffer {
  const [start, end] = time;
  return Buffer.concat([
    field(1, Buffer.from(trace, 'hex')),
    field(2, Buffer.from(spanId(block.id), 'hex')),
    ...(parentBlock === undefined ? [] : [field(4, Buffer.from(spanId(parentBlock), 'hex'))]),
    field(5, Buffer.from(block.sub_type)),
    fixed64(7, BigInt(start) * 1_000_000n),
    fixed64(8, BigInt(end) * 1_000_000n),
    field(9, attribute('openinference.span.kind', 'CHAIN')),
    field(9, attribute('input.value', JSON.stringify(block.payload))),
  ]);
}

const attribute = (key: string, value: string): Buffer =>
  Buffer.concat([field(1, Buffer.from(key)), field(2, field(1, Buffer.from(value)))]);

/** Encodes a length-delimited field. */
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);

function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest > 127 ? 128 : 0));
  }
  return Buffer.from(bytes);
}
