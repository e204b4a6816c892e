import { formatCount } from './format.ts';

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
