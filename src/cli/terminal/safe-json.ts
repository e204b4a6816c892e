import { unicodeEscape } from '../../core/index.ts';

const UNSAFE_IN_JSON = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns JSON on one line that is safe to print: what a terminal could act on is escaped. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, unicodeEscape);
}

/** Does the same to lines of JSON. */
export const safeLines = (lines: string): string =>
  lines.replace(/[^\n]+/g, (line) => line.replace(UNSAFE_IN_JSON, unicodeEscape));
