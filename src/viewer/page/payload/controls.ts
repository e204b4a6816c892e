/** A part of a text: one that is seen as it is, or characters that would be unseen or change how others are seen. */
export interface VisibleSegment {
  readonly text: string;
  /** What stands in place of them. */
  readonly mark?: string;
  /** What they are. */
  readonly title?: string;
}

/**
 * Control characters but tab and line feed, what turns the direction of a text, what has no width, and halves of
 * characters. Joiners are left alone behind letters and pictures that they are made for.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]|(?<![\u0600-\u1fff\u2190-\u2bff\u{1f000}-\u{1faff}]|\ufe0f)[\u200c\u200d])+/gu;

/** Each of so many would be an element of the page. */
const MANY = 2_000;

/** Whether a text has so much that is unseen or turns colours that it is not to be drawn at once. */
export function hasManyInvisible(text: string): boolean {
  if (text.length < MANY) return false;
  let runs = 0;
  for (const _ of text.matchAll(INVISIBLE)) if (++runs > MANY) return true;
  return false;
}

const NAMES: Readonly<Record<number, string>> = {
  0: 'NUL',
  7: 'bell',
  8: 'backspace',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of a change of direction',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'isolate',
  8297: 'end of an isolate',
  65279: 'byte order mark',
};

const SHOWN_IN_A_ROW = 4;

/** Splits a text at characters that would be unseen, with a mark for each run of them. Joined, the texts are the text. */
export function splitInvisible(text: string): readonly VisibleSegment[] {
  const parts: VisibleSegment[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(INVISIBLE)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push(marked(run));
    from = index + run.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function marked(run: string): VisibleSegment {
  const first = Array.from(run.slice(0, 2 * (SHOWN_IN_A_ROW + 1))).map((character) => character.codePointAt(0) ?? 0);
  const shown = first.slice(0, SHOWN_IN_A_ROW);
  const isAll = first.length <= SHOWN_IN_A_ROW && run.length <= 2 * SHOWN_IN_A_ROW;
  return {
    text: run,
    mark: shown.map(codeOf).join(' ') + (isAll ? '' : ` … (${run.length.toLocaleString('en')})`),
    title: shown.map((code) => NAMES[code] ?? (isHalf(code) ? 'half a character' : 'control character')).join(', '),
  };
}

const codeOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff;
