import type { Readable, Writable } from 'node:stream';

/**
 * Copies a stream line by line, each with a prefix, so that the lines of many can be told apart. Lines of JSON are copied
 * as they are: they are for programs, and name their node themselves.
 */
export function copyLines(from: Readable, to: Writable, prefix: string): void {
  let rest = '';
  const write = (line: string) => to.write(line.startsWith('{') ? `${line}\n` : `${prefix}${line}\n`);
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) write(line);
  });
  from.on('end', () => rest !== '' && write(rest));
}
