import { stripVTControlCharacters } from 'node:util';

/** Control characters but for tab and newline, and those that turn the direction of writing. */
const UNSAFE = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;
const UNSAFE_IN_JSON = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** A text of a server, safe to print on a terminal: without escape sequences and control characters. */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(UNSAFE, '');
}

/** The same on one line. */
export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

/** JSON on one line that is safe to print: what a terminal could act on is escaped. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped);
}

/** The same of JSON that is text already, each on a line. */
export const safeLines = (lines: string): string =>
  lines.replace(/[^\n]+/g, (line) => line.replace(UNSAFE_IN_JSON, escaped));

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
