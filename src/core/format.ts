/** Formats a number with a few significant digits: `0.3333`, `2`, `1000000`. With 12 digits, 0.1 + 0.2 is `0.3`. */
export const formatNumber = (value: number, digits = 4): string => String(Number(value.toPrecision(digits)));

const grouped = new Intl.NumberFormat('en-US');

/** Formats a count with a thousands separator: `2,000`. */
export const formatCount = (value: number): string => grouped.format(value);

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a number of bytes with three digits, in units of 1,024: `731 B`, `1.5 KiB`, `64 KiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Rounding must not reach the next unit.
  while (Math.round(value) >= 1_024 && unit < BYTE_UNITS.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${value >= 100 ? formatCount(Math.round(value)) : formatNumber(value, 3)} ${BYTE_UNITS[unit]}`;
}

const TIME_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Formats a duration in ms with three digits, or in its two largest units: `40 ms`, `4.2 s`, `3 min 12 s`, `2 h`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0 s';
  // Rounding must not reach the next unit.
  if (ms < 999.5) return `${formatNumber(ms, 3)} ms`;
  if (ms < 59_950) return `${formatNumber(ms / 1_000, 3)} s`;
  const seconds = Math.round(ms / 1_000);
  const first = TIME_UNITS.findIndex(([, size]) => seconds >= size);
  const [unit = ['s', 1], next] = TIME_UNITS.slice(first, first + 2);
  const count = Math.floor(seconds / unit[1]);
  const rest = next ? Math.floor((seconds % unit[1]) / next[1]) : 0;
  return next && rest > 0 ? `${count} ${unit[0]} ${rest} ${next[0]}` : `${count} ${unit[0]}`;
}

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
