import { createHash } from 'node:crypto';
import type { blocksOf } from './bodies.ts';

/** A span with the payload of a block as its input. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly input: string;
}

const hashOf = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);

/** What Phoenix calls the span of a block. */
export const spanIdOf = (blockId: string): string => hashOf(blockId, 8);

/** Blocks as the body of a request of OTLP over HTTP, all in one trace. */
export function exportOf(trace: string, blocks: ReturnType<typeof blocksOf>): Buffer {
  const spans = blocks.map(({ id, sub_type, payload }) =>
    spanOf({
      traceId: hashOf(trace, 16),
      spanId: spanIdOf(id),
      name: sub_type,
      input: JSON.stringify(payload),
    }),
  );
  const scopeSpans = Buffer.concat(spans.map((span) => field(2, span)));
  return field(1, field(2, scopeSpans));
}

/** The numbers of the fields are those of opentelemetry/proto/trace/v1/trace.proto. */
function spanOf({ traceId, spanId, name, input }: Span): Buffer {
  const now = BigInt(Date.now()) * 1_000_000n;
  return Buffer.concat([
    field(1, Buffer.from(traceId, 'hex')),
    field(2, Buffer.from(spanId, 'hex')),
    field(5, Buffer.from(name)),
    fixed64(7, now),
    fixed64(8, now + 1_000_000n),
    field(9, attribute('openinference.span.kind', 'CHAIN')),
    field(9, attribute('input.value', input)),
  ]);
}

const attribute = (key: string, value: string): Buffer =>
  Buffer.concat([field(1, Buffer.from(key)), field(2, field(1, Buffer.from(value)))]);

/** A field of bytes: its number and type, its length, itself. */
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
