/** Range of a number; both ends belong to it. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

const isWithin = (value: number, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: NumberRange) =>
  value >= min && value <= max;

/** Parses a whole number of decimal digits; undefined for other texts and outside of the range. */
export function parseInteger(text: string, range: NumberRange = {}): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && isWithin(value, range) ? value : undefined;
}

/** Parses a decimal number such as `30`, `0.5` or `1e-3`; undefined for other texts and outside of the range. */
export function parseNumber(text: string, range: NumberRange = {}): number | undefined {
  const value = Number(text);
  const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  return isDecimal && Number.isFinite(value) && isWithin(value, range) ? value : undefined;
}

const DURATION_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses a duration such as `90s`, `45m`, `1.5h`, `30d` or `2w`. @returns milliseconds; undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (DURATION_UNITS[unit] ?? Number.NaN) * 1_000;
  return Number.isFinite(ms) ? ms : undefined;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 };

/**
 * Parses a size such as `1024`, `64KB` or `64 KiB`; all units are powers of 1,024.
 *
 * @returns bytes; undefined for other texts.
 */
export function parseSize(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)(?: ?([KMG])i?B)?$/i.exec(text) ?? [];
  const bytes = Number(count) * (SIZE_UNITS[unit.toUpperCase()] ?? Number.NaN);
  return count !== '' && Number.isSafeInteger(bytes) ? bytes : undefined;
}
