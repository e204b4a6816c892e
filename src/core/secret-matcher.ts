import { toBase64, toHex } from './bytes.ts';
import { type TextSpan, type Units, unitsOf } from './decode-text.ts';
import { unicodeEscape } from './escape.ts';

/** Secrets of fewer UTF-16 code units occur by chance, so they are not masked. */
export const MIN_SECRET_LENGTH = 6;
/** Every form is at least this long. The hash of a window selects the forms to compare. */
const WINDOW = MIN_SECRET_LENGTH;
const HASH_BITS = 5;
const HASH_MASK = 2 ** (HASH_BITS * WINDOW) - 1;
const GOLDEN = 0x9e3779b1;
const { imul } = Math;
/** Maximum number of comparisons per code unit of text. After that, the rest of the text counts as secret. */
const BUDGET = 16;
const MIN_BUDGET = 1_000_000;

/** A way of writing a secret. Escapes are not among them: they are decoded in the text instead. */
export interface Form {
  readonly text: string;
  /** True for a part of a base64 text, which is masked completely: adjacent characters hold bits of the secret. */
  readonly isBase64: boolean;
}

/** Returns all forms of a secret. */
export function formsOf(secret: string): Form[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, unicodeEscape);
  const wellFormed = secret.toWellFormed();
  const hex = toHex(new TextEncoder().encode(wellFormed));
  const plain = new Set([secret, wellFormed, hex, hex.toUpperCase()]);
  const base64 = new Set([wellFormed, json, ascii].flatMap(base64Parts));
  return [
    ...[...plain].map((text) => ({ text, isBase64: false })),
    ...[...base64].map((text) => ({ text, isBase64: true })),
  ];
}

/** Returns the base64 digits that depend only on the text, for each of the 3 positions at which it can begin. */
function base64Parts(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const part = toBase64(padded).slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

interface Pattern {
  readonly units: Units;
  readonly isBase64: boolean;
  /** Offset in the marker, if the marker contains it; -1 otherwise. */
  readonly inMarker: number;
}

/** Patterns of one length with the same first window, by the hash of their last window. */
interface SameLength {
  readonly length: number;
  readonly byLastWindow: Map<number, Pattern[]>;
}

/** State of the search in one text. */
interface Search {
  readonly units: Units;
  /** End of the last match. */
  covered: number;
  /** Comparisons that are left. */
  budget: number;
  /** Offset of the next ellipsis; -1 if it is not known, Infinity if there is none. */
  ellipsis: number;
}

/** Finds many forms in a text, by hashes of windows of 6 code units. */
export class SecretMatcher {
  /** By the hash of the first window; longest first, since one may begin with another. */
  readonly #patterns = new Map<number, SameLength[]>();
  /** Bloom filter: for most windows, reading one byte is enough. */
  readonly #filter: Uint8Array;
  readonly #shift: number;
  readonly #marker: Units;

  /** @param marker replacement for secrets. A secret that is part of the marker is not found there. */
  constructor(forms: readonly Form[], marker: string) {
    const bits = Math.min(18, 8 + Math.ceil(Math.log2(forms.length)));
    this.#filter = new Uint8Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#marker = unitsOf(marker);
    for (const { text, isBase64 } of [...forms].sort((a, b) => b.text.length - a.text.length)) {
      const units = unitsOf(text).map(folded);
      this.#add({ units, isBase64, inMarker: marker.indexOf(text) });
    }
  }

  #add(pattern: Pattern): void {
    const { length } = pattern.units;
    const first = windowAt(pattern.units, 0);
    this.#filter[imul(first, GOLDEN) >>> this.#shift] = 1;
    const lengths = this.#patterns.get(first) ?? [];
    this.#patterns.set(first, lengths);
    if (lengths.at(-1)?.length !== length) lengths.push({ length, byLastWindow: new Map() });
    const last = windowAt(pattern.units, length - WINDOW);
    const { byLastWindow } = lengths.at(-1) as SameLength;
    const same = byLastWindow.get(last);
    if (same) same.push(pattern);
    else byLastWindow.set(last, [pattern]);
  }

  /**
   * Yields the spans of all forms, in order of their start.
   *
   * @param withCut also finds the beginning of a form before an ellipsis.
   */
  *find(units: Units, withCut: boolean): Generator<TextSpan> {
    const filter = this.#filter;
    const shift = this.#shift;
    const search: Search = {
      units,
      covered: 0,
      budget: BUDGET * units.length + MIN_BUDGET,
      ellipsis: withCut ? -1 : Number.POSITIVE_INFINITY,
    };
    let hash = 0;
    for (let end = 0; end < units.length; end++) {
      hash = rolled(hash, units[end] as number);
      if (end < WINDOW - 1 || filter[imul(hash, GOLDEN) >>> shift] === 0) continue;
      const lengths = this.#patterns.get(hash);
      const span = lengths && this.#longest(search, end - WINDOW + 1, lengths);
      if (!span) continue;
      yield span;
      search.covered = span[1];
      if (search.covered === units.length) return;
    }
  }

  /** Returns the longest match at an offset, if it extends beyond the last match. */
  #longest(search: Search, at: number, lengths: readonly SameLength[]): TextSpan | undefined {
    const { units, covered } = search;
    const cutLength = nextEllipsis(search, at) - at;
    for (const { length, byLastWindow } of lengths) {
      if (at + length <= covered) return undefined;
      search.budget -= WINDOW;
      const isWhole = at + length <= units.length;
      const near = isWhole ? byLastWindow.get(windowAt(units, at + length - WINDOW)) : undefined;
      let to = at + length;
      let match = near?.find((pattern) => this.#isAt(search, at, pattern, length));
      if (!match && cutLength >= WINDOW && cutLength < length && at + cutLength > covered) {
        to = at + cutLength;
        for (const patterns of byLastWindow.values()) {
          match ??= patterns.find((pattern) => this.#isAt(search, at, pattern, cutLength));
        }
      }
      if (search.budget < 0) return [at, units.length];
      if (match) return match.isBase64 ? base64Word(units, at, { to, covered }) : [at, to];
    }
    return undefined;
  }

  /** Returns true if the first `length` units of a pattern are at an offset, but not as part of the marker. */
  #isAt(search: Search, at: number, { units, inMarker }: Pattern, length: number): boolean {
    if (search.budget < 0) return false;
    let same = 0;
    while (same < length && units[same] === folded(search.units[at + same] ?? 0)) same++;
    search.budget -= same + 1;
    return same === length && !(inMarker >= 0 && this.#isMarkerAt(search.units, at - inMarker));
  }

  #isMarkerAt(units: Units, at: number): boolean {
    return at >= 0 && this.#marker.every((unit, index) => units[at + index] === unit);
  }
}

/** Shifts a code unit into the hash of a window, and the oldest one out. */
const rolled = (hash: number, unit: number): number => ((hash << HASH_BITS) + folded(unit)) & HASH_MASK;

/** Returns the hash of the window at an offset. */
function windowAt(units: Units, at: number): number {
  let hash = 0;
  for (let index = at; index < at + WINDOW; index++) hash = rolled(hash, units[index] as number);
  return hash;
}

/** HTML forms encode a space as `+`, so the two count as equal. */
const folded = (unit: number): number => (unit === 0x2b ? 0x20 : unit);

const isEllipsis = (units: Units, at: number): boolean =>
  units[at] === 0x2026 || (units[at] === 0x2e && units[at + 1] === 0x2e && units[at + 2] === 0x2e);

/** Returns the offset of the first ellipsis at or after an offset; Infinity if there is none. */
function nextEllipsis(search: Search, from: number): number {
  if (search.ellipsis >= from) return search.ellipsis;
  let at = from;
  while (at < search.units.length && !isEllipsis(search.units, at)) at++;
  search.ellipsis = at < search.units.length ? at : Number.POSITIVE_INFINITY;
  return search.ellipsis;
}

const BASE64_DIGITS = new Uint8Array(128);
for (const unit of unitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')) {
  BASE64_DIGITS[unit] = 1;
}
const PADDING = 0x3d;

/** Extends a match to all base64 digits around it, and the padding after them. */
function base64Word(units: Units, at: number, { to, covered }: { to: number; covered: number }): TextSpan {
  let from = at;
  let end = to;
  while (from > covered && BASE64_DIGITS[units[from - 1] as number]) from--;
  while (end < units.length && BASE64_DIGITS[units[end] as number]) end++;
  while (units[end] === PADDING) end++;
  return [from, end];
}
