/** Measures how fast our parser reads events, beside eventsource-parser, in one run, and prints figures and ratios. */

import { parseArgs } from 'node:util';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { errorMessage } from '../src/core/index.ts';
import { decodeEvents } from '../src/sse/index.ts';
import { median } from './load/statistics.ts';
import { STREAMS, type Stream } from './parser-streams.ts';
import { machineText } from './report.ts';
import { fail } from './say.ts';

const help = `Usage: node --import tsx bench/parser.ts [options]

Measures megabytes a second from the bytes of a stream to its events. The parsers take turns, round after round; a
figure is the median of the rounds with the least and the most.
  ours       decodeEvents, its events taken by for await
  iterated   eventsource-parser in an async generator, its events taken by for await
  callback   eventsource-parser, its events taken by its callback, which nothing can slow down
It takes about 90 seconds, or 20 with --quick.

Options:
  --quick    fewer rounds
  --help     this text

Exit code: 0, or 1 if the parsers read different events, 2 for a wrong option.`;

type Reads = AsyncIterable<Uint8Array>;
/** Reads a stream to its end; what comes back must be the same for all parsers. */
type Parser = (reads: Reads) => Promise<string>;

const PARSERS: Readonly<Record<string, Parser>> = {
  ours: (reads) => countEach(decodeEvents(reads)),
  iterated: (reads) => countEach(iterated(reads)),
  callback: async (reads) => {
    const count = counter();
    await feedPeer(reads, count.add);
    return count.text();
  },
};

async function main(): Promise<void> {
  const rounds = readRounds();
  if (rounds === undefined) return;
  console.log(`${machineText()}.`);
  console.log(`MB/s: median (least-most of ${rounds} rounds); more is better.\n`);
  printRow(['', ...Object.keys(PARSERS), 'ours/iterated', 'ours/callback']);
  for (const make of STREAMS) {
    const stream = make();
    const { ours = [], iterated = [], callback = [] } = await measure(stream, rounds);
    const ratios = [iterated, callback].map((peer) => `${(median(ours) / median(peer)).toFixed(2)} x`);
    printRow([stream.name, ...[ours, iterated, callback].map(figureText), ...ratios]);
  }
}

/** Megabytes a second of each parser, in each round; one round more comes first and warms up. */
async function measure(stream: Stream, rounds: number): Promise<Record<string, number[]>> {
  const figures: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    const results = new Set<string>();
    for (const [name, parse] of Object.entries(PARSERS)) {
      const start = performance.now();
      results.add(await parse(arriving(stream.reads)));
      const seconds = (performance.now() - start) / 1000;
      if (round > 0) figures[name] = [...(figures[name] ?? []), stream.megabytes / seconds];
    }
    if (results.size > 1) fail(1, `error: ${stream.name}: the parsers read ${[...results].join(' or ')}`);
  }
  return figures;
}

async function* arriving(reads: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const read of reads) yield read;
}

async function* iterated(reads: Reads): AsyncGenerator<EventSourceMessage> {
  let complete: EventSourceMessage[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: (event) => complete.push(event) });
  for await (const read of reads) {
    parser.feed(decoder.decode(read, { stream: true }));
    for (const event of complete) yield event;
    complete = [];
  }
}

async function feedPeer(reads: Reads, onEvent: (event: EventSourceMessage) => void): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  for await (const read of reads) parser.feed(decoder.decode(read, { stream: true }));
}

async function countEach(events: AsyncIterable<{ data: string }>): Promise<string> {
  const count = counter();
  for await (const event of events) count.add(event);
  return count.text();
}

function counter() {
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

function readRounds(): number | undefined {
  try {
    const options = { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ options });
    if (!values.help) return values.quick ? 5 : 25;
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

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
