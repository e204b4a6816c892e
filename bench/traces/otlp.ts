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

/** Encodes blocks as a request: the spans of one trace. */
export function otlpRequest(trace: string, blocks: readonly SampleBlock[]): Buffer {
  const traceId = hash(trace, 16);
  const spans = blocks.map((block) => encodeSpan(traceId, block));
  const scopeSpans = Buffer.concat(spans.map((span) => field(2, span)));
  return field(1, field(2, scopeSpans));
}

/** Encodes a span, with the payload of the block as input. */
function encodeSpan(traceId: string, { id, sub_type, payload }: SampleBlock): Buffer {
  const now = BigInt(Date.now()) * 1_000_000n;
  return Buffer.concat([
    field(1, Buffer.from(traceId, 'hex')),
    field(2, Buffer.from(spanId(id), 'hex')),
    field(5, Buffer.from(sub_type)),
    fixed64(7, now),
    fixed64(8, now + 1_000_000n),
    field(9, attribute('openinference.span.kind', 'CHAIN')),
    field(9, attribute('input.value', JSON.stringify(payload))),
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
