import { oneLine } from './escape.ts';
import { joinWords, noun } from './format.ts';

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbors that turn one text into the other
 * (optimal string alignment distance).
 *
 * @param max texts whose lengths differ by more than this are not compared; the result is then `max + 1`. @default Infinity
 */
export function editDistance(one: string, other: string, max = Number.POSITIVE_INFINITY): number {
  // A character has up to two code units.
  if (Math.abs(one.length - other.length) > 2 * max) return max + 1;
  const from = [...one];
  const to = [...other];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, character] of from.entries()) {
    const next = [row + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(last, column - 1) + (character === to[column - 1] ? 0 : 1);
      const isSwapped = row > 0 && column > 1 && character === to[column - 2] && from[row - 1] === to[column - 1];
      const swapped = isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, at(last, column) + 1, at(next, column - 1) + 1));
    }
    beforeLast = last;
    last = next;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/**
 * Returns the name that a misspelled one probably means: the one with the fewest edits, ignoring case, if they are at most
 * two or a third of the name. Returns undefined otherwise.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const requested = name.toLowerCase();
  const max = Math.min(requested.length - 1, Math.max(2, Math.floor(requested.length / 3)));
  let nearest: string | undefined;
  let fewest = max + 1;
  for (const other of names) {
    const edits = editDistance(requested, other.toLowerCase(), max);
    if (edits >= fewest) continue;
    nearest = other;
    fewest = edits;
  }
  return nearest;
}

/**
 * Returns the known name that another one misspells. The limits are stricter than those of `nearestName`, so that a name
 * with another meaning does not count as a misspelled one: at most two edits, and a third of the known name.
 */
export function misspelledName(name: string, known: readonly string[]): string | undefined {
  return known.find((other) => {
    // In a short name, two edits make another word: `salt` is not a misspelled `split`.
    const max = Math.min(2, Math.floor(other.length / 3));
    return editDistance(name.toLowerCase(), other.toLowerCase(), max) <= max;
  });
}

/** Maximum number of names in a message. */
const MAX_LISTED_NAMES = 20;

/** Formats the error for an unknown name: suggests a similar name and lists the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const names = joinWords(known.map(oneLine), { max: MAX_LISTED_NAMES });
  const list = known.length === 0 ? 'There is none.' : `There ${noun(known.length, 'is', 'are')}: ${names}.`;
  return `there is no ${kind} '${oneLine(name)}'.${didYouMean(name, known)} ${list}`;
}

/** Returns ` Did you mean 'countdown'?` for a misspelled name, with a leading space; empty if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean '${oneLine(near)}'?`;
}

/**
 * There is nothing with the name that an option selects. The message names neither an option nor a flag, so that libraries
 * and commands can share it.
 */
export class UnknownNameError extends RangeError {
  override readonly name = 'UnknownNameError';
  /** Kind of the selected thing, such as `split`. */
  readonly kind: string;

  /** @param where prefix of the message, such as `in 'countdown'`. @default '' */
  constructor(kind: string, name: string, known: readonly string[], where = '') {
    super(`${where && `${where} `}${unknownName(kind, name, known)}`);
    this.kind = kind;
  }
}

export interface UniqueNameOptions {
  /** Separates the name from its number. @default '_' */
  readonly separator?: string;
  /** Maximum length, in UTF-16 code units. A longer name is cut before its number. @default Infinity */
  readonly maxLength?: number;
}

/** Returns the name if it is free, otherwise the first free one of `name_2`, `name_3`, ... */
export function uniqueName(
  name: string,
  isTaken: (name: string) => boolean,
  { separator = '_', maxLength = Number.POSITIVE_INFINITY }: UniqueNameOptions = {},
): string {
  let unique = name.slice(0, maxLength);
  for (let number = 2; isTaken(unique); number++) {
    const ending = `${separator}${number}`;
    unique = name.slice(0, maxLength - ending.length) + ending;
  }
  return unique;
}

/** Returns a unique name like `uniqueName`, and adds it to the taken ones. */
export function claimName(name: string, taken: Set<string>, options?: UniqueNameOptions): string {
  const unique = uniqueName(name, (other) => taken.has(other), options);
  taken.add(unique);
  return unique;
}

/** Names that a protocol accepts. */
export interface NameRule {
  /** Matches rejected characters, which become `_`. Must be global. */
  readonly rejected: RegExp;
  /** Matches names with a valid first character. Others are prefixed with `_`. */
  readonly start: RegExp;
  /** Maximum length, in UTF-16 code units. */
  readonly maxLength: number;
}

/** Names that all model providers accept for tools, and all but a few for calls. */
export const PLAIN_NAME: NameRule = { rejected: /[^a-zA-Z0-9_-]/g, start: /^./, maxLength: 64 };

/**
 * Returns a valid name for each name: the name itself, or a unique name derived from it. Names in the same order always get
 * the same result.
 */
export function toAllowedNames(names: readonly string[], rule: NameRule): string[] {
  const taken = new Set(names.filter((name) => sanitizeName(name, rule) === name));
  return names.map((name) => {
    const sanitized = sanitizeName(name, rule);
    return sanitized === name ? name : claimName(sanitized, taken, { maxLength: rule.maxLength });
  });
}

/** Like `toAllowedNames`, as a map from each name. */
export function mapAllowedNames(names: readonly string[], rule: NameRule): Map<string, string> {
  const distinct = [...new Set(names)];
  const allowed = toAllowedNames(distinct, rule);
  return new Map(distinct.map((name, index) => [name, allowed[index] ?? name]));
}

/** Returns the name itself if it is valid, else a valid one that resembles it. */
export function sanitizeName(name: string, { rejected, start, maxLength }: NameRule): string {
  const clean = name.replaceAll(rejected, '_');
  return (start.test(clean) ? clean : `_${clean}`).slice(0, maxLength);
}

/**
 * Converts to lower case unit by unit, so that indices in both texts agree. A letter becomes one letter: ẞ equals ß, and
 * Σ equals ς and σ, but ß does not equal ss, nor İ i.
 */
export const foldCase = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.replaceAll(/\p{Changes_When_Casefolded}/gu, foldLetter);

const ASCII = /^[\0-\x7f]*$/;

const folded = new Map<string, string>();

function foldLetter(letter: string): string {
  const known = folded.get(letter);
  if (known !== undefined) return known;
  const equal = new RegExp(`^${letter}$`, 'iu');
  const others = [letter.toUpperCase().toLowerCase(), letter.toLowerCase(), letter.toUpperCase()];
  const candidates = others.filter((each) => equal.test(each));
  // Lower-case letters do not change, except in Cherokee, whose upper-case letters do not.
  const found = candidates.find((each) => !/\p{Changes_When_Casefolded}/u.test(each)) ?? candidates[0] ?? letter;
  folded.set(letter, found);
  return found;
}
