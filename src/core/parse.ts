/** Range of a number, inclusive. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

const isWithin = (value: number, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: NumberRange) =>
  value >= min && value <= max;

/** Parses a whole number in decimal digits. Returns undefined for other texts, and outside of the range. */
export function parseInteger(text: string, range: NumberRange = {}): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && isWithin(value, range) ? value : undefined;
}

/** Parses a decimal number such as `30`, `0.5` or `1e-3`. Returns undefined for other texts, and outside of the range. */
export function parseNumber(text: string, range: NumberRange = {}): number | undefined {
  const value = Number(text);
  const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  return isDecimal && Number.isFinite(value) && isWithin(value, range) ? value : undefined;
}
