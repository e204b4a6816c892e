import { unicodeEscape } from '../core/index.ts';
import type { ServerSentEvent } from '../sse/index.ts';
import { CHUNK_BYTES } from './constants.ts';

/**
 * Characters that Python's `str.lstrip` removes and that can be unescaped in JSON. Existing Python clients strip the start
 * of each data value, so they would lose such a character at the start of a chunk.
 */
const PYTHON_WHITE_SPACE = /^[ \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/**
 * Splits compact JSON into the events of a result: any number of `chunk`, then `end`. A data value has at most 4096 bytes
 * of UTF-8, splits no character, and does not begin with white space: compact JSON has white space only in strings, where
 * it can be escaped. Source: HTTP API, "SSE Event Types".
 */
export function* resultEvents(json: string): Generator<ServerSentEvent> {
  let start = 0;
  while (true) {
    const escaped = PYTHON_WHITE_SPACE.test(json[start] ?? '');
    const head = escaped ? unicodeEscape(json[start] as string) : '';
    const from = escaped ? start + 1 : start;
    const stop = advance(json, from, CHUNK_BYTES - head.length);
    const data = head + json.slice(from, stop);
    if (stop >= json.length) return yield { event: 'end', data };
    yield { event: 'chunk', data };
    start = stop;
  }
}

const encoder = new TextEncoder();

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Target for measuring; its content is not used. */
const scratch = new Uint8Array(CHUNK_BYTES);

/** Returns the end of the longest piece from `start` that takes at most `maxBytes` in UTF-8 and ends after a character. */
function advance(text: string, start: number, maxBytes: number): number {
  // The usual case, without measuring.
  if ((text.length - start) * MAX_UNIT_BYTES <= maxBytes) return text.length;
  // A unit takes at least one byte. A piece with a surrogate takes more bytes than units, so its cut end is not reached.
  const piece = text.slice(start, start + maxBytes);
  const target = maxBytes === CHUNK_BYTES ? scratch : scratch.subarray(0, maxBytes);
  return start + encoder.encodeInto(piece, target).read;
}
