import type { Readable, Writable } from 'node:stream';
import { createLineSplitter } from '../../core/index.ts';

/**
 * Copies a stream line by line, each with a prefix, so that the lines of many can be told apart. Lines of JSON are copied
 * as they are: they are for programs, and name their node themselves.
 */
export function pipeLinesWithPrefix(from: Readable, to: Writable, prefix: string): void {
  const lines = createLineSplitter((line) => to.write(line.startsWith('{') ? `${line}\n` : `${prefix}${line}\n`));
  from.setEncoding('utf8').on('data', lines.push).on('end', lines.end);
}
