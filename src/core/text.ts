import { formatCount } from './format.ts';

/** Cuts a text to at most `max` UTF-16 code units, but not within a surrogate pair. */
export function wellFormedPrefix(text: string, max: number): string {
  if (text.length <= max) return text;
  const isSplit = isSurrogate(text.charCodeAt(max - 1), 0xd800) && isSurrogate(text.charCodeAt(max), 0xdc00);
  return text.slice(0, isSplit ? max - 1 : max);
}

/** Returns true if a code unit is one of the 1,024 surrogates that start at `first`. */
const isSurrogate = (unit: number, first: number): boolean => unit >= first && unit < first + 0x400;

/**
 * Cuts a text to at most `max` UTF-16 code units, with an ellipsis, by which `createRedactor` recognizes cut secrets.
 */
export const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${wellFormedPrefix(text, Math.max(0, max - 1))}…`;

/** Removes the byte order mark with which some editors and shells begin a file of UTF-8. JSON parsers reject it. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** White space of Python that JavaScript does not have. */
const PYTHON_SPACE = '\u001c\u001d\u001e\u001f\u0085';

const isPythonSpace = (character: string): boolean =>
  PYTHON_SPACE.includes(character) || (character !== '\ufeff' && character.trim() === '');

/** Removes white space at both ends like `str.strip` of Python, which differs from `trim` in a few characters. */
export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPythonSpace(text.charAt(start))) start++;
  while (end > start && isPythonSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
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

/** Terminal escape sequences: with parameters, strings up to their terminator, and of two characters. */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
/** Control characters except tab and line feed, and characters that change the text direction. */
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes escape sequences, control characters and changes of the text direction, which affect a terminal or a page. Keeps
 * tabs, and converts line ends to line feeds.
 */
export const stripControls = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** Joins the lines of a text, without control characters. */
export const oneLine = (text: string): string => stripControls(text).replace(/\s+/g, ' ').trim();

/** Returns the singular or plural of a noun: `block` for 1, otherwise `blocks`. */
export const noun = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** Formats a count with its noun: `1 block`, `2,000 blocks`. */
export const plural = (count: number, one: string, many?: string): string =>
  `${formatCount(count)} ${noun(count, one, many)}`;

export interface JoinOptions {
  /** @default 'and' */
  readonly conjunction?: 'and' | 'or';
  /** Maximum number of words; the others are counted. @default Infinity */
  readonly max?: number;
}

/** Joins words: `a`, `a and b`, `a, b and c`, or `a, b and 4 more`. A single word above `max` is shown, not counted. */
export function joinWords(
  words: readonly string[],
  { conjunction = 'and', max = Number.POSITIVE_INFINITY }: JoinOptions = {},
): string {
  const hidden = words.length - max;
  const shown = hidden > 1 ? [...words.slice(0, max), `${formatCount(hidden)} more`] : words;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(` ${conjunction} `);
}
