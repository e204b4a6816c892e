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
