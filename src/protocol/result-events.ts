import { unicodeEscape } from '../core/index.ts';
import type { ServerSentEvent } from '../sse/index.ts';
import { CHUNK_CODE_POINTS } from './constants.ts';

/**
 * Characters that Python's `str.lstrip` removes and that can be unescaped in JSON. Existing Python clients strip the start
 * of each data value, so they would lose such a character at the start of a chunk.
 */
const PYTHON_WHITE_SPACE = /^[ \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Splits compact JSON into the events of a result: any number of `chunk`, then `end`. A data value has at most 4096 code
 * points, splits no surrogate pair, and does not begin with white space: compact JSON has white space only in strings,
 * where it can be escaped. Source: HTTP API, "SSE Event Types".
 */
export function* resultEvents(json: string): Generator<ServerSentEvent> {
  let start = 0;
  while (true) {
    const escaped = PYTHON_WHITE_SPACE.test(json[start] ?? '');
    const head = escaped ? unicodeEscape(json[start] as string) : '';
    const from = escaped ? start + 1 : start;
    const stop = advance(json, from, CHUNK_CODE_POINTS - head.length);
    const data = head + json.slice(from, stop);
    if (stop >= json.length) return yield { event: 'end', data };
    yield { event: 'chunk', data };
    start = stop;
  }
}

/** Returns the index `count` code points after `start`, at most the length of the text. */
function advance(text: string, start: number, count: number): number {
  if (start + count >= text.length) return text.length;
  if (!SURROGATE.test(text.slice(start, start + count))) return start + count;
  let index = start;
  for (let left = count; left > 0 && index < text.length; left--) {
    index += isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
  }
  return index;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;
