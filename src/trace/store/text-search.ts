import { escapeRegExp } from '../../core/index.ts';
import { foldCase } from './fold.ts';

/** The most characters of an excerpt. Source: trace.schema.json, BlockHit. */
const EXCERPT_CHARACTERS = 160;
/** So many characters are looked for first; a longer text in one that repeats itself would take the square of its time. */
const BEGINNING_CHARACTERS = 32;

/**
 * Looks for a text in the string values of JSON, capitals or not.
 *
 * @param q not empty.
 * @returns what gives what stands around the first place of it in a JSON text; undefined where it is not there.
 */
export function createTextSearch(q: string): (json: string) => string | undefined {
  const beginning = Array.from(q).slice(0, BEGINNING_CHARACTERS).join('');
  // As JSON.stringify has written it; keys and signs of JSON may match too.
  const mayHold = new RegExp(escapeRegExp(JSON.stringify(beginning).slice(1, -1)), 'iu');
  const find = createFinder(foldCase(q));
  return (json) => {
    if (!mayHold.test(json)) return undefined;
    for (const text of stringsIn(JSON.parse(json))) {
      const start = find(foldCase(text));
      if (start >= 0) return excerptOf(text, start, start + q.length);
    }
    return undefined;
  };
}

/** Finds the first place of a text in time that grows with both, whatever they are: by Knuth, Morris and Pratt. */
function createFinder(requested: string): (text: string) => number {
  /** Of each beginning of what is wanted, how many of its last units are also its first ones. */
  const overlaps = new Uint16Array(requested.length);
  const step = (length: number, unit: number): number => {
    let held = length;
    while (held > 0 && requested.charCodeAt(held) !== unit) held = overlaps[held - 1] ?? 0;
    return requested.charCodeAt(held) === unit ? held + 1 : held;
  };
  for (let place = 1, held = 0; place < requested.length; place++) {
    held = step(held, requested.charCodeAt(place));
    overlaps[place] = held;
  }
  return (text) => {
    for (let place = 0, held = 0; place < text.length; place++) {
      held = step(held, text.charCodeAt(place));
      if (held === requested.length) return place + 1 - held;
    }
    return -1;
  };
}

/** All string values, in the order of the text; a value may be deeper than calls can be. */
function* stringsIn(value: unknown): Iterable<string> {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') yield next;
    if (typeof next !== 'object' || next === null) continue;
    for (const part of Object.values(next).reverse()) waiting.push(part);
  }
}

/** Whole characters around a place, as many before as after where there are so many. */
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
