import { isRecord } from '../../core/index.ts';

/** A line without its end, or why it cannot be read. */
export type Line =
  | { readonly number: number; readonly text: string; readonly reason?: never }
  | { readonly number: number; readonly reason: string; readonly text?: never };

type Chunk = string | Uint8Array;

const LINE_FEED = 0x0a;

/**
 * Cuts text into its lines, counted from 1; a carriage return at the end and a byte order mark at the beginning of one are
 * taken away. No more than one line is held, and of one that is too long nothing.
 *
 * @param maxSize of a line: bytes, or UTF-16 units of what is given as text.
 */
export async function* readLines(chunks: AsyncIterable<Chunk>, maxSize: number): AsyncGenerator<Line> {
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
      keep(part(chunk, start, end));
      yield finish();
      start = end + 1;
    }
    keep(part(chunk, start, chunk.length));
  }
  if (size > 0) yield finish();
}

const endOfLine = (chunk: Chunk, from: number): number =>
  typeof chunk === 'string' ? chunk.indexOf('\n', from) : chunk.indexOf(LINE_FEED, from);

/** A copy of bytes: whoever gave them may use their place again. */
const part = (chunk: Chunk, start: number, end: number): Chunk => chunk.slice(start, end);

const tooLong = (number: number, maxSize: number): Line => ({
  number,
  reason: `the line is longer than ${maxSize} bytes; nothing of it was read`,
});

function decode(number: number, pieces: readonly Chunk[]): Line {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = pieces.map((piece) =>
      typeof piece === 'string' ? `${decoder.decode()}${piece}` : decoder.decode(piece, { stream: true }),
    );
    const text = `${texts.join('')}${decoder.decode()}`;
    return { number, text: text.replace(/^\ufeff/, '').replace(/\r$/, '') };
  } catch (error) {
    if (isRecord(error) && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return { number, reason: 'the line is not UTF-8' };
    }
    throw error;
  }
}
