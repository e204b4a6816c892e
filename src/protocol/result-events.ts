import { truncateBytes, unicodeEscape, utf8PieceEnd } from '../core/index.ts';
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
    const stop = utf8PieceEnd(json, from, CHUNK_BYTES - head.length);
    const data = head + json.slice(from, stop);
    if (stop >= json.length) return yield { event: 'end', data };
    // As many bytes as characters.
    yield { event: 'chunk', data, isAscii: data.length === CHUNK_BYTES };
    start = stop;
  }
}

/**
 * Returns the event of a call without a result. No client joins several of them, so a text over 4096 bytes is cut. Source:
 * HTTP API, "SSE Event Types".
 */
export const errorEvent = (message: string): ServerSentEvent => ({
  event: 'error',
  data: truncateBytes(message, CHUNK_BYTES),
});
