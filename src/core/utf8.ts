import { plural } from './format.ts';

const encoder = new TextEncoder();
/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_UNIT_BYTES = 3;
/** Target for short texts, so that measuring them does not allocate memory. */
const scratch = new Uint8Array(MAX_UNIT_BYTES * 2_048);

/** Returns the length of a text in UTF-8, in bytes. A lone surrogate counts as three. */
export function utf8Length(text: string): number {
  if (text.length * MAX_UNIT_BYTES > scratch.length) return encoder.encode(text).length;
  return encoder.encodeInto(text, scratch).written;
}

/** Returns the length of a text in UTF-8 if it exceeds a limit. Measures only texts that can exceed it. */
export function utf8LengthAbove(limit: number, text: string): number | undefined {
  if (text.length * MAX_UNIT_BYTES <= limit) return undefined;
  const length = utf8Length(text);
  return length > limit ? length : undefined;
}

let pieceTarget = scratch;

/**
 * Returns the end of the longest piece of a text from `start` that takes at most `maxBytes` in UTF-8 and splits no
 * character, for `maxBytes` up to 6,144.
 */
export function utf8PieceEnd(text: string, start: number, maxBytes: number): number {
  // The usual case, without measuring.
  if ((text.length - start) * MAX_UNIT_BYTES <= maxBytes) return text.length;
  if (pieceTarget.length !== maxBytes) pieceTarget = scratch.subarray(0, maxBytes);
  // A unit takes at least one byte. A piece with a surrogate takes more bytes than units, so its cut end is not reached.
  return start + encoder.encodeInto(text.slice(start, start + maxBytes), pieceTarget).read;
}

/** Cuts a text to at most `maxBytes` in UTF-8, and says how much is missing: `The beginning… (1,234 bytes more)`. */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = utf8LengthAbove(maxBytes, text);
  if (bytes === undefined) return text;
  const mark = (missing: number) => `… (${plural(missing, 'byte')} more)`;
  const start = text.slice(0, utf8PieceEnd(text, 0, maxBytes - utf8Length(mark(bytes))));
  return start + mark(bytes - utf8Length(start));
}
