import { cleanLine } from '../terminal/clean-text.ts';

/** A command line to copy; every word means itself. */
export function commandLine(...words: readonly string[]): string {
  return words.map((word) => quoted(cleanLine(word))).join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
