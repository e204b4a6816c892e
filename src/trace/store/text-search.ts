import { escapeRegExp, foldCase, stripControls } from '../../core/index.ts';

/** Maximum length of an excerpt. Source: trace.schema.json, BlockHit. */
const EXCERPT_CHARACTERS = 160;
/** Length of the prefix that a regular expression searches; with a long text it takes quadratic time in the worst case. */
const PREFIX_CHARACTERS = 32;

/**
 * Creates a search for a text in the string values of JSON that ignores case.
 *
 * @param q the text, not empty.
 * @param options `isClean`: excerpts have no escape sequences and control characters.
 * @returns a function that returns an excerpt around the first match in a JSON text; undefined if there is none.
 */
export function createTextSearch(
  q: string,
  { isClean = false }: { readonly isClean?: boolean } = {},
): (json: string) => string | undefined {
  const prefix = Array.from(q).slice(0, PREFIX_CHARACTERS).join('');
  // Searches the text as JSON.stringify writes it, and so may match keys and punctuation too.
  const mayMatch = new RegExp(escapeRegExp(JSON.stringify(prefix).slice(1, -1)), 'iu');
  const find = createFinder(foldCase(q));
  return (json) => {
    if (!mayMatch.test(json)) return undefined;
    for (const text of stringsIn(JSON.parse(json))) {
      const start = find(foldCase(text));
      if (start < 0) continue;
      const shown = isClean ? stripControls(text) : text;
      const shownStart = isClean ? find(foldCase(shown)) : start;
      // A match that contains control characters is shown with them.
      return shownStart < 0
        ? excerptOf(text, start, start + q.length)
        : excerptOf(shown, shownStart, shownStart + q.length);
    }
    return undefined;
  };
}

/** Creates an `indexOf` for one pattern that takes linear time in the worst case (Knuth, Morris and Pratt). */
function createFinder(pattern: string): (text: string) => number {
  /** For each prefix of the pattern: length of its longest proper suffix that is also a prefix. */
  const overlaps = new Uint16Array(pattern.length);
  const step = (length: number, unit: number): number => {
    let matched = length;
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = overlaps[matched - 1] ?? 0;
    return pattern.charCodeAt(matched) === unit ? matched + 1 : matched;
  };
  for (let index = 1, matched = 0; index < pattern.length; index++) {
    matched = step(matched, pattern.charCodeAt(index));
    overlaps[index] = matched;
  }
  return (text) => {
    for (let index = 0, matched = 0; index < text.length; index++) {
      matched = step(matched, text.charCodeAt(index));
      if (matched === pattern.length) return index + 1 - matched;
    }
    return -1;
  };
}

/** Yields all string values in the order of the text; iterative, because a value may be nested deeper than the stack. */
function* stringsIn(value: unknown): Iterable<string> {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') yield next;
    if (typeof next !== 'object' || next === null) continue;
    for (const part of Object.values(next).reverse()) waiting.push(part);
  }
}

/** Returns whole characters around a match, as many before as after it if possible. */
function excerptOf(text: string, start: number, end: number): string {
  const found = Array.from(text.slice(start, end)).slice(0, EXCERPT_CHARACTERS);
  const room = EXCERPT_CHARACTERS - found.length;
  // Characters may take two units each.
  const before = Array.from(text.slice(Math.max(0, start - 2 * room), start));
  const after = Array.from(text.slice(end, end + 2 * room)).slice(0, room);
  const leading = Math.min(before.length, Math.max(Math.floor(room / 2), room - after.length));
  const shown = [...before.slice(before.length - leading), ...found, ...after.slice(0, room - leading)];
  return shown.join('').toWellFormed();
}
