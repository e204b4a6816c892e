import { escapeRegExp } from '../../../core/index.ts';

/** Range of a text in UTF-16 units; `end` is exclusive. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of hits to render. */
const MAX_HITS = 1_000;

/** Finds a text in another, ignoring case, without overlaps, up to a limit. */
export function findHits(text: string, highlight: string | undefined, max = MAX_HITS): readonly TextRange[] {
  const requested = toSearchPattern(highlight);
  if (!requested) return [];
  const hits: TextRange[] = [];
  for (const found of text.matchAll(requested)) {
    if (hits.length === max) break;
    hits.push({ start: found.index, end: found.index + found[0].length });
  }
  return hits;
}

/** Returns a global, case-insensitive pattern for a text; undefined for an empty one. */
export function toSearchPattern(highlight: string | undefined): RegExp | undefined {
  if (!highlight) return undefined;
  return new RegExp(escapeRegExp(highlight), 'giu');
}

const WINDOW = 256 * 1024;
/** Maximum number of hits that are counted in a long text. */
export const MAX_COUNTED_HITS = 10_000;

/** Returns the positions of a text in a very long one, up to `MAX_COUNTED_HITS`. Yields at intervals, for `runTimeSliced`. */
export function* findAll(
  text: string,
  highlight: string | undefined,
  max = MAX_COUNTED_HITS,
): Generator<undefined, number[]> {
  const requested = toSearchPattern(highlight);
  const positions: number[] = [];
  // Upper and lower case may differ in length.
  const overlap = 2 * (highlight?.length ?? 0);
  let behind = 0;
  for (let from = 0; requested && from < text.length && positions.length < max; from += WINDOW) {
    const begin = Math.max(from, behind);
    for (const found of text.slice(begin, from + WINDOW + overlap).matchAll(requested)) {
      const position = begin + found.index;
      if (position >= from + WINDOW || positions.length === max) break;
      positions.push(position);
      behind = position + found[0].length;
    }
    yield;
  }
  return positions;
}

/** Text of one style. */
export interface StyledSegment {
  readonly text: string;
}
type HitSegment<S extends StyledSegment> = S & { readonly isHit: boolean };

/** Splits segments at the ends of hits, which are ranges of the joined text. Preserves all text. */
export function splitAtHits<S extends StyledSegment>(
  segments: readonly S[],
  hits: readonly TextRange[],
): readonly HitSegment<S>[] {
  const pieces: HitSegment<S>[] = [];
  let offset = 0;
  let next = 0;
  for (const segment of segments) {
    const end = offset + segment.text.length;
    for (let from = offset; from < end; ) {
      let hit = hits[next];
      while (hit && hit.end <= from) hit = hits[++next];
      const isHit = hit !== undefined && hit.start <= from;
      const to = Math.min(end, hit ? (isHit ? hit.end : hit.start) : end);
      pieces.push({ ...segment, text: segment.text.slice(from - offset, to - offset), isHit });
      from = to;
    }
    offset = end;
  }
  return pieces;
}

/** Part of a text: visible text, or a run of characters that are invisible or change the direction of others. */
interface VisibleSegment {
  readonly text: string;
  /** Replacement to show. */
  readonly mark?: string;
  /** Names of the characters. */
  readonly title?: string;
}

/**
 * Control characters other than tab and line feed, direction marks, zero-width characters and lone surrogates. Joiners
 * are allowed after the letters and emoji that they are meant for.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /(?:[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]|(?<![\u0600-\u1fff\u2190-\u2bff\u{1f000}-\u{1faff}]|\ufe0f)[\u200c\u200d])+/gu;

/** Each of them would be an element of the page. */
const MAX_INVISIBLE = 2_000;

/** Returns whether a text has too many invisible characters or colours to render at once. */
export function hasManyInvisible(text: string): boolean {
  if (text.length < MAX_INVISIBLE) return false;
  let runs = 0;
  for (const _ of text.matchAll(INVISIBLE)) if (++runs > MAX_INVISIBLE) return true;
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

/** Splits a text at invisible characters, with a mark for each run. The joined texts are the input. */
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

/** Returns `otherwise` if a value is nested too deeply for the stack. */
export function unlessTooDeep(format: () => string, otherwise: string): string {
  try {
    return format();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
