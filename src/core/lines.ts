import { isInstance } from './errors.ts';

/** A line without its line end, or the reason why it cannot be read. */
export type Line =
  | { readonly number: number; readonly text: string; readonly reason?: never }
  | { readonly number: number; readonly reason: string; readonly text?: never };

type Chunk = string | Uint8Array;

const LINE_FEED = 0x0a;

/**
 * Splits text into lines at line feeds. Removes a carriage return at the end of a line and a byte order mark at its start.
 * Keeps at most one line in memory, and nothing of a line that is too long.
 *
 * Unlike `node:readline`, it does not split at U+2028 and U+2029, which are valid in JSON strings.
 *
 * @param maxSize maximum length of a line, in bytes, or in UTF-16 code units for chunks of text. @default Infinity
 */
export async function* readLines(
  chunks: AsyncIterable<Chunk>,
  maxSize = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line> {
  let number = 1;
  let pieces: Chunk[] = [];
  let size = 0;
  const keep = (piece: Chunk) => {
    size += piece.length;
    if (size > maxSize) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const finish = (): Line => {
    const line = size > maxSize ? tooLong(number, maxSize) : decode(number, pieces);
    number += 1;
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = endOfLine(chunk, start); end !== -1; end = endOfLine(chunk, start)) {
      keep(chunk.slice(start, end));
      yield finish();
      start = end + 1;
    }
    // A copy, since the source may reuse the memory.
    keep(chunk.slice(start));
  }
  if (size > 0) yield finish();
}

const endOfLine = (chunk: Chunk, from: number): number =>
  typeof chunk === 'string' ? chunk.indexOf('\n', from) : chunk.indexOf(LINE_FEED, from);

const tooLong = (number: number, maxSize: number): Line => ({
  number,
  reason: `the line is longer than ${maxSize} bytes; nothing of it was read`,
});

function decode(number: number, pieces: readonly Chunk[]): Line {
  try {
    return { number, text: textOf(pieces).replace(/^\ufeff|\r$/g, '') };
  } catch (error) {
    if (isInstance(error, TypeError)) return { number, reason: 'the line is not UTF-8' };
    throw error;
  }
}

const createDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** For lines in one piece, as most are. */
const whole = createDecoder();

/** @throws TypeError for bytes that are not UTF-8. */
function textOf(pieces: readonly Chunk[]): string {
  const [first = '', ...others] = pieces;
  if (others.length === 0) return typeof first === 'string' ? first : whole.decode(first);
  const decoder = createDecoder();
  const texts = pieces.map((piece) =>
    typeof piece === 'string' ? `${decoder.decode()}${piece}` : decoder.decode(piece, { stream: true }),
  );
  return `${texts.join('')}${decoder.decode()}`;
}

/** Creates a splitter that calls back for each line, without its line feed, as soon as it is complete. */
export function createLineSplitter(onLine: (line: string) => void) {
  let pieces: string[] = [];
  const finish = (last: string) => {
    const line = pieces.join('') + last;
    pieces = [];
    onLine(line);
  };
  return {
    push(text: string): void {
      const lines = text.split('\n');
      const rest = lines.pop() ?? '';
      for (const line of lines) finish(line);
      if (rest !== '') pieces.push(rest);
    },
    /** Passes on the last line, if it has no line feed. */
    end(): void {
      if (pieces.length > 0) finish('');
    },
  };
}
