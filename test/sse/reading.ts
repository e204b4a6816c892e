import { type DecodeOptions, decodeEvents } from '../../src/sse/events.ts';
import type { ServerSentEvent } from '../../src/sse/index.ts';

/** How many bytes a read has: parts of characters, of line ends and of lines; then the whole stream at once. */
export const READ_SIZES = [1, 2, 3, 5, 8, 13, Number.POSITIVE_INFINITY];

export async function collect(
  reads: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: DecodeOptions,
): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of decodeEvents(isAsync(reads) ? reads : toStream(reads), options)) events.push(event);
  return events;
}

/** What is read out of a stream, for each size of its reads. */
export async function collectInAllSizes(wire: string | Uint8Array, options?: DecodeOptions) {
  const bytes = typeof wire === 'string' ? Buffer.from(wire) : wire;
  const results = READ_SIZES.map(async (size) => [size, await collect(inReadsOf(size, bytes), options)] as const);
  return Object.fromEntries(await Promise.all(results));
}

/** The same events for each size of the reads. */
export function inAllSizes(events: readonly ServerSentEvent[]) {
  return Object.fromEntries(READ_SIZES.map((size) => [size, events]));
}

export function* inReadsOf(size: number, bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Cuts bytes at places that any numbers name; the same place twice gives an empty read. */
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
