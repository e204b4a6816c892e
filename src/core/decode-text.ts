/** UTF-16 code units of a text. Strings would be slower to index and to build. */
export type Units = Uint16Array;
/** Range in a text: start and end offset. */
export type TextSpan = readonly [from: number, to: number];

/** A way of escaping characters in a text. */
export type Escapes = 'json' | 'percent' | 'html';

const TRIGGERS: Readonly<Record<Escapes, number>> = { json: 0x5c, percent: 0x25, html: 0x26 };

export function unitsOf(text: string): Units {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** Replaces the escape sequences of one kind by their characters. Returns undefined if there are none. */
export function decode(units: Units, escapes: Escapes): Units | undefined {
  if (!units.includes(TRIGGERS[escapes])) return undefined;
  const decoded = new Uint16Array(units.length);
  let length = 0;
  const isEscaped = walk(units, escapes, (codePoint) => {
    if (codePoint > 0xffff) {
      decoded[length++] = 0xd800 + ((codePoint - 0x10000) >> 10);
      decoded[length++] = 0xdc00 + (codePoint & 0x3ff);
    } else decoded[length++] = codePoint;
  });
  return isEscaped ? decoded.subarray(0, length) : undefined;
}

/** Maps spans of the decoded text, in order, to spans of the original text. */
export function sourceSpans(units: Units, escapes: Escapes, spans: readonly TextSpan[]): TextSpan[] {
  const sources: TextSpan[] = [];
  let decoded = 0;
  let from = 0;
  let [next] = spans;
  walk(units, escapes, (codePoint, start, end) => {
    const before = decoded;
    decoded += codePoint > 0xffff ? 2 : 1;
    if (!next) return;
    if (next[0] >= before && next[0] < decoded) from = start;
    if (next[1] > before && next[1] <= decoded) {
      sources.push([from, end]);
      next = spans[sources.length];
      if (next && next[0] < decoded) from = start;
    }
  });
  return sources;
}

/** Calls back for each character with its span in the source. @returns true if any character was escaped. */
function walk(units: Units, escapes: Escapes, each: (codePoint: number, from: number, to: number) => void): boolean {
  const trigger = TRIGGERS[escapes];
  const sequence = { length: 0, codePoint: 0 };
  const read = READERS[escapes];
  let isEscaped = false;
  for (let at = 0; at < units.length; ) {
    const unit = units[at] as number;
    sequence.length = 0;
    if (unit === trigger) read(units, at, sequence);
    if (sequence.length === 0) {
      each(unit, at, at + 1);
      at++;
    } else {
      isEscaped = true;
      each(sequence.codePoint, at, at + sequence.length);
      at += sequence.length;
    }
  }
  return isEscaped;
}

/** Stores the escape sequence at an offset; leaves `length` at 0 if there is none. */
type ReadEscape = (units: Units, at: number, sequence: { length: number; codePoint: number }) => void;

/** Control characters by the letter after the backslash, in JSON, JavaScript and Python. */
const CONTROLS: Readonly<Record<number, number>> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9 };
/** Digits after `\u`, `\x` and Python's `\U`. */
const HEX_ESCAPES: Readonly<Record<number, number>> = { 117: 4, 120: 2, 85: 8 };
const LAST_CODE_POINT = 0x10ffff;

const READERS: Readonly<Record<Escapes, ReadEscape>> = {
  json(units, at, sequence) {
    const kind = units[at + 1];
    if (kind === undefined) return;
    const digits = HEX_ESCAPES[kind] ?? 0;
    const value = digits === 0 ? -1 : hexValue(units, at + 2, digits);
    const isHex = value >= 0 && value <= LAST_CODE_POINT;
    sequence.length = isHex ? 2 + digits : 2;
    sequence.codePoint = isHex ? value : (CONTROLS[kind] ?? kind);
  },
  percent(units, at, sequence) {
    const first = percentByte(units, at);
    if (first < 0) return;
    sequence.length = 3;
    sequence.codePoint = first;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    let codePoint = first & (0x7f >> (more + 1));
    for (let index = 1; index <= more; index++) {
      const byte = percentByte(units, at + 3 * index);
      // Invalid UTF-8 may be Latin-1, which the function `escape` writes.
      if (byte < 0x80 || byte > 0xbf) return;
      codePoint = codePoint * 64 + (byte & 0x3f);
    }
    if (more === 0 || codePoint > LAST_CODE_POINT) return;
    sequence.length = 3 * (more + 1);
    sequence.codePoint = codePoint;
  },
  html(units, at, sequence) {
    const entity = units.subarray(at, at + MAX_ENTITY_LENGTH);
    if (!entity.includes(SEMICOLON)) return;
    const text = String.fromCharCode(...entity);
    const [all = '', decimal, hex, name] = text.match(/^&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/) ?? [];
    const named = name === undefined ? undefined : ENTITIES[name];
    const value = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : named;
    if (value === undefined || value > LAST_CODE_POINT) return;
    sequence.length = all.length;
    sequence.codePoint = value;
  },
};

const MAX_ENTITY_LENGTH = 10;
const SEMICOLON = 0x3b;
/** Entities that HTML escape functions write. Others, such as `&eacute;`, are not decoded. */
const ENTITIES: Readonly<Record<string, number>> = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160 };

const percentByte = (units: Units, at: number): number =>
  units[at] === TRIGGERS.percent ? hexValue(units, at + 1, 2) : -1;

/** Returns the value of hexadecimal digits in either case, or -1 if they are not valid. */
function hexValue(units: Units, at: number, digits: number): number {
  let value = 0;
  for (let index = 0; index < digits; index++) {
    const unit = units[at + index] ?? 0;
    const lower = unit | 0x20;
    if (unit >= 48 && unit <= 57) value = value * 16 + unit - 48;
    else if (unit < 128 && lower >= 97 && lower <= 102) value = value * 16 + lower - 87;
    else return -1;
  }
  return value;
}
