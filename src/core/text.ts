import { formatCount } from './format.ts';

/** Returns the beginning of a text, at most `max` UTF-16 code units. It does not end within a surrogate pair. */
export function wellFormedPrefix(text: string, max: number): string {
  if (text.length <= max) return text;
  const isSplit = isSurrogate(text.charCodeAt(max - 1), 0xd800) && isSurrogate(text.charCodeAt(max), 0xdc00);
  return text.slice(0, isSplit ? max - 1 : max);
}

/** Returns whether a code unit is one of the 1,024 surrogates from `first` on. */
const isSurrogate = (unit: number, first: number): boolean => unit >= first && unit < first + 0x400;

/**
 * Returns a text, or its beginning with an ellipsis, at most `max` UTF-16 code units. The ellipsis lets `createRedactor`
 * recognize secrets that were cut.
 */
export const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${wellFormedPrefix(text, Math.max(0, max - 1))}…`;

/** Escape sequences of terminals: those with parameters, strings up to their terminator, and those of two characters. */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
/** Control characters except tab and line feed, and characters that change the direction of writing. */
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes what acts on a terminal or a page instead of being shown: escape sequences, control characters, and changes of
 * the direction of writing. Tabs stay, and all line ends become line feeds.
 */
export const stripControls = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** Returns a text on one line, without controls. */
export const oneLine = (text: string): string => stripControls(text).replace(/\s+/g, ' ').trim();

/** Returns the noun that goes with a count: `block` for 1, else `blocks`. */
export const noun = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** Returns a count with its noun: `1 block`, `2,000 blocks`. */
export const plural = (count: number, one: string, many?: string): string =>
  `${formatCount(count)} ${noun(count, one, many)}`;

export interface JoinOptions {
  /** @default 'and' */
  readonly conjunction?: 'and' | 'or';
  /** Number of words that are shown; the others are counted. @default Infinity */
  readonly max?: number;
}

/** Joins words: `a`, `a and b`, `a, b and c`, or `a, b and 4 more`; one word more than `max` is shown instead of counted. */
export function joinWords(
  words: readonly string[],
  { conjunction = 'and', max = Number.POSITIVE_INFINITY }: JoinOptions = {},
): string {
  const hidden = words.length - max;
  const shown = hidden > 1 ? [...words.slice(0, max), `${formatCount(hidden)} more`] : words;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(` ${conjunction} `);
}
