import { createReadStream } from 'node:fs';

/** The lines of a file, without their ends; no more than one line is held. Node's own reader also cuts at U+2028. */
export async function* readLines(file: string): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const text = chunk as string;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      begun.push(text.slice(start, end));
      yield begun.join('').replace(/\r$/, '');
      begun = [];
      start = end + 1;
    }
    if (start < text.length) begun.push(text.slice(start));
  }
  if (begun.length > 0) yield begun.join('').replace(/\r$/, '');
}
