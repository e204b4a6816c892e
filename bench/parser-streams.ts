const MB = 1_000_000;
const READ = 65_536;

const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** An answer of 32 KB as the server writes it: its id, the chunks of its result, its end. */
const id = event('task_id', '4f6cbe2a-58a0-4a5c-9d3e-3f0b7d9a1c55');
const answer = [id, ...Array.from({ length: 8 }, () => event('chunk', 'x'.repeat(4096))), event('end', '"}]}}')];
const small = event('chunk', '{"reward":1}');
const japanese = event('chunk', '豆腐は美味しい。A1 '.repeat(120));

/** A stream of events, cut as it is read. */
export interface Stream {
  readonly name: string;
  readonly reads: readonly Uint8Array[];
  readonly megabytes: number;
}

/** The streams that are measured; each is made when its turn comes. */
export const STREAMS: readonly (() => Stream)[] = [
  () => stream('answers to calls', repeated(answer.join(''), 10 * MB)),
  () => stream('answers to calls, CR LF', repeated(answer.join(''), 10 * MB).replaceAll('\n', '\r\n')),
  () =>
    ofReads(
      'answers to calls, each event a read',
      Array.from({ length: 300 }, () => answer)
        .flat()
        .map(encoded),
    ),
  () => stream('small events', repeated(small, 5 * MB)),
  () => stream('small events, CR LF', repeated(small, 5 * MB).replaceAll('\n', '\r\n')),
  () => stream('Japanese text', repeated(japanese, 10 * MB)),
  () => stream('one line of 10 MB', event('end', 'x'.repeat(10 * MB))),
  () => stream('one line of 1 MB, byte by byte', event('end', 'x'.repeat(MB)), 1),
];

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const repeated = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / encoded(text).length));

function stream(name: string, text: string, size = READ): Stream {
  const bytes = encoded(text);
  const count = Math.ceil(bytes.length / size);
  return ofReads(
    name,
    Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  );
}

function ofReads(name: string, reads: readonly Uint8Array[]): Stream {
  return { name, reads, megabytes: reads.reduce((sum, { length }) => sum + length, 0) / MB };
}
