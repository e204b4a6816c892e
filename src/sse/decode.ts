import type { ServerSentEvent } from './encode.ts';

/**
 * Reads events out of a stream of bytes, by the rules of the HTML standard: lines end in LF, CR LF or CR, a leading
 * BOM is dropped, one space after the colon is dropped, a field without a colon has an empty value, comments and
 * unknown fields are skipped, an event that no blank line ends is not an event.
 */
export async function* decodeEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const lines = lineSplitter();
  let event = '';
  let data: string[] = [];
  for await (const chunk of bytes) {
    for (const line of lines(decoder.decode(chunk, { stream: true }))) {
      if (line === '') {
        if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
        event = '';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
    }
  }
}

/** Takes text in pieces and gives the lines that are complete; a CR at the end of a piece may be half of a CR LF. */
function lineSplitter(): (piece: string) => string[] {
  let rest = '';
  let afterCarriageReturn = false;
  return (piece) => {
    if (piece === '') return [];
    const skip = afterCarriageReturn && piece[0] === '\n' ? 1 : 0;
    afterCarriageReturn = piece.endsWith('\r');
    const lines = (rest + piece.slice(skip)).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    return lines;
  };
}
