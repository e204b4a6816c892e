import { createHash } from 'node:crypto';
import type { JSONObject } from 'ors-kit';

/** A PNG of one pixel, in base64. */
export const POINT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

export const IMAGE_METADATA: JSONObject = {
  unicode: 'snow \u2603 and \u{1F600}',
  deep: { list: [1, 2.5, null, true, { empty: [] }] },
};

/** Input of a tool call in the conversation, whose text in the prompt has the form of Python's JSON. */
export const CALL_INPUT: JSONObject = {
  id: '7',
  page: 2,
  words: ['snow \u2603', '\u{1F600}', 'a"b\\c'],
  deep: { none: null },
};

export const PATTERNS = {
  ascii: 'abcdefghijklmnopqrstuvwxyz0123456789',
  spaces: ' ',
  prose: 'The quick brown fox jumps over the lazy dog. ',
  emoji: '\u{1F600}',
  mixed: 'a\u00e9\u2603\u{1F600}\u00a0\u3000 \n',
};

export const ODD_TEXTS = {
  nul: 'a\u0000b',
  separators: 'a\u2028b\u2029c',
  crlf: 'a\r\nb\rc\n',
  surrogate: 'a\ud800b',
};

/** Invalid tool outputs, which a server must not send. */
export const BAD_OUTPUTS = {
  no_blocks: { blocks: [] },
  nan_reward: { text: 'bad', reward: Number.NaN },
  infinite_reward: { text: 'bad', reward: Number.POSITIVE_INFINITY },
  text_reward: { text: 'bad', reward: '1' },
  unknown_block: { blocks: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
  no_text: { blocks: [{ type: 'text' }] },
};

/** Repeats the pattern up to exactly this number of code points. */
export function bigText(characters: number, pattern: keyof typeof PATTERNS): string {
  const unit = [...PATTERNS[pattern]];
  const rest = unit.slice(0, characters % unit.length).join('');
  return PATTERNS[pattern].repeat(Math.floor(characters / unit.length)) + rest;
}

/** Computes the SHA-256 in lower-case hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
