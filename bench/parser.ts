/** Measures how fast our parser and eventsource-parser parse event streams, and prints figures and ratios. */

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { decodeEvents } from '../src/sse/index.ts';
import { fail, readCommandLine } from './command-line.ts';
import { machineText } from './report.ts';
import { median } from './statistics.ts';

const help = `Usage: node --import tsx bench/parser.ts [options]

Measures megabytes per second from the bytes of a stream to its events. The parsers take turns, round after round; a
figure is the median of the rounds, with the minimum and the maximum.
  ours       decodeEvents, read with for await
  iterated   eventsource-parser in an async generator, read with for await
  callback   eventsource-parser with a callback, without back-pressure
It takes about 90 seconds, or 20 with --quick.

Options:
  --quick    fewer rounds
  --help     print this help

Exit code: 0; 1 if the parsers return different events; 2 for an invalid option.`;

type Chunks = AsyncIterable<Uint8Array>;
/** Parses a stream, and returns a summary of its events that must be the same for all parsers. */
type Parser = (chunks: Chunks) => Promise<string>;

const PARSERS: Readonly<Record<string, Parser>> = {
  ours: (chunks) => countEvents(decodeEvents(chunks)),
  iterated: (chunks) => countEvents(iterate(chunks)),
  callback: async (chunks) => {
    const counter = createCounter();
    await parseWithCallback(chunks, counter.add);
    return counter.text();
  },
};

async function main(): Promise<void> {
  const rounds = readRounds();
  if (rounds === undefined) return;
  console.log(`${machineText()}.`);
  console.log(`MB/s: median (min-max of ${rounds} rounds); more is better.\n`);
  printRow(['', ...Object.keys(PARSERS), 'ours/iterated', 'ours/callback']);
  for (const create of STREAMS) {
    const stream = create();
    const { ours = [], iterated = [], callback = [] } = await measure(stream, rounds);
    const ratios = [iterated, callback].map((peer) => `${(median(ours) / median(peer)).toFixed(2)} x`);
    printRow([stream.name, ...[ours, iterated, callback].map(figureText), ...ratios]);
  }
}

/** @returns megabytes per second of each parser in each round, after a warm-up round. */
async function measure(stream: Stream, rounds: number): Promise<Record<string, number[]>> {
  const figures: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    const results = new Set<string>();
    for (const [name, parse] of Object.entries(PARSERS)) {
      const start = performance.now();
      results.add(await parse(readChunks(stream.chunks)));
      const seconds = (performance.now() - start) / 1000;
      if (round > 0) figures[name] = [...(figures[name] ?? []), stream.megabytes / seconds];
    }
    if (results.size > 1) fail(1, `error: ${stream.name}: the parsers returned ${[...results].join(' and ')}`);
  }
  return figures;
}

async function* readChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
}

async function* iterate(chunks: Chunks): AsyncGenerator<EventSourceMessage> {
  let complete: EventSourceMessage[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: (event) => complete.push(event) });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const event of complete) yield event;
    complete = [];
  }
}

async function parseWithCallback(chunks: Chunks, onEvent: (event: EventSourceMessage) => void): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  for await (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
}

async function countEvents(events: AsyncIterable<{ data: string }>): Promise<string> {
  const counter = createCounter();
  for await (const event of events) counter.add(event);
  return counter.text();
}

function createCounter() {
  let events = 0;
  let characters = 0;
  return {
    add: ({ data }: { data: string }): void => {
      events += 1;
      characters += data.length;
    },
    text: () => `${events} events of ${characters} characters`,
  };
}

const MB = 1_000_000;
const CHUNK_BYTES = 65_536;

/** A stream of events, as the chunks in which it arrives. */
interface Stream {
  readonly name: string;
  readonly chunks: readonly Uint8Array[];
  readonly megabytes: number;
}

const formatEvent = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** The stream of a call with a result of 32 KB, as the server writes it: its id, chunks and end. */
const callEvents = [
  formatEvent('task_id', '4f6cbe2a-58a0-4a5c-9d3e-3f0b7d9a1c55'),
  ...Array.from({ length: 8 }, () => formatEvent('chunk', 'x'.repeat(4096))),
  formatEvent('end', '"}]}}'),
];
const callStream = callEvents.join('');
const small = formatEvent('chunk', '{"reward":1}');
const japanese = formatEvent('chunk', '豆腐は美味しい。A1 '.repeat(120));

/** The streams, each created when it is measured. */
const STREAMS: readonly (() => Stream)[] = [
  () => createStream('call streams', repeat(callStream, 10 * MB)),
  () => createStream('call streams, CR LF', repeat(callStream, 10 * MB).replaceAll('\n', '\r\n')),
  () => ofChunks('call streams, one chunk per event', Array.from({ length: 300 }, () => callEvents.map(encode)).flat()),
  () => createStream('small events', repeat(small, 5 * MB)),
  () => createStream('small events, CR LF', repeat(small, 5 * MB).replaceAll('\n', '\r\n')),
  () => createStream('Japanese text', repeat(japanese, 10 * MB)),
  () => createStream('one line of 10 MB', formatEvent('end', 'x'.repeat(10 * MB))),
  () => createStream('one line of 1 MB, byte by byte', formatEvent('end', 'x'.repeat(MB)), 1),
];

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const repeat = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / encode(text).length));

function createStream(name: string, text: string, chunkBytes = CHUNK_BYTES): Stream {
  const bytes = encode(text);
  const count = Math.ceil(bytes.length / chunkBytes);
  return ofChunks(
    name,
    Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  );
}

function ofChunks(name: string, chunks: readonly Uint8Array[]): Stream {
  return { name, chunks, megabytes: chunks.reduce((sum, { length }) => sum + length, 0) / MB };
}

const readRounds = (): number | undefined =>
  readCommandLine(help, { quick: { type: 'boolean', default: false } }, ({ quick }) => (quick ? 5 : 25));

function figureText(values: readonly number[]): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value < 10 ? value.toFixed(1) : value.toFixed(0),
  );
  return `${middle} (${least}-${most})`;
}

function printRow([name = '', ...cells]: readonly string[]): void {
  console.log(name.padEnd(36) + cells.map((cell) => cell.padStart(18)).join(''));
}

await main();
