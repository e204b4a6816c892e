import { formatCount, formatNumber } from '../../../core/index.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12.3K`, where there is little room. */
export const formatShortCount = (value: number): string =>
  value < 10_000 ? formatCount(value) : compact.format(value);

/** A reward as people compare it: up to four significant digits, with its sign; `–` where there is none. */
export function formatReward(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const text =
    Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : formatNumber(value);
  return text.replace('-', '−');
}

/** A reward in a column: the points of those that can be told apart by three digits stand under each other. */
export const formatRewardInColumn = (value: number | null | undefined): string =>
  value !== null && value !== undefined && (value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6))
    ? formatDecimal(value)
    : formatReward(value);

/** A mean or a deviation, with as many digits as fit under each other. */
export const formatDecimal = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? '–' : value.toFixed(digits).replace(NOUGHT, '$1').replace('-', '−');

/** What rounding leaves of a little less than nothing. */
const NOUGHT = /^-(0(?:\.0+)?)$/;

/** As `decimal`, with a plus as well. */
export function formatSigned(value: number): string {
  const text = formatDecimal(value);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}
