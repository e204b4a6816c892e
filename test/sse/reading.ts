import { type DecodeOptions, decodeEvents } from '../../src/sse/events.ts';
import type { ServerSentEvent } from '../../src/sse/index.ts';

/** Bytes per chunk: some split characters, line endings and lines; the last one is the whole stream. */
export const READ_SIZES = [1, 2, 3, 5, 8, 13, Number.POSITIVE_INFINITY];

export async function collect(
  reads: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: DecodeOptions,
): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of decodeEvents(isAsync(reads) ? reads : toStream(reads), options)) events.push(event);
  return events;
}

/** Decodes a stream in chunks of each size, and returns the events by size. */
export async function collectInAllSizes(wire: string | Uint8Array, options?: DecodeOptions) {
  const bytes = typeof wire === 'string' ? Buffer.from(wire) : wire;
  const results = READ_SIZES.map(async (size) => [size, await collect(inReadsOf(size, bytes), options)] as const);
  return Object.fromEntries(await Promise.all(results));
}

/** Returns the same events for each chunk size. */
export function inAllSizes(events: readonly ServerSentEvent[]) {
  return Object.fromEntries(READ_SIZES.map((size) => [size, events]));
}

export function* inReadsOf(size: number, bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Splits bytes at positions derived from any numbers; equal positions create an empty chunk. */
export function* inReadsCutAt(cuts: readonly number[], bytes: Uint8Array): Generator<Uint8Array> {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  for (const [index, place] of [0, ...places].entries()) yield bytes.subarray(place, places[index] ?? bytes.length);
}

async function* toStream(reads: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* reads;
}

function isAsync(reads: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): reads is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in reads;
}
