const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12,345`. */
export const count = (value: number): string => whole.format(value);

/** `12.3K`, where there is little room. */
export const shortCount = (value: number): string => (value < 10_000 ? whole.format(value) : compact.format(value));

/** `731 B`, `64.0 KB`, `2.0 MB`; a KB has 1,024 bytes. */
export function bytes(value: number): string {
  if (value < 1_024) return `${value} B`;
  const power = Math.min(Math.floor(Math.log2(value) / 10), 4);
  return `${(value / 1_024 ** power).toFixed(1)} ${['', 'KB', 'MB', 'GB', 'TB'][power]}`;
}

/** A reward as people compare it: up to four significant digits, with its sign; `–` where there is none. */
export function reward(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const text =
    Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value.toExponential(2)
      : String(Number(value.toPrecision(4)));
  return text.replace('-', '−');
}

/** A reward in a column: the points of those that can be told apart by three digits stand under each other. */
export const rewardInColumn = (value: number | null | undefined): string =>
  value !== null && value !== undefined && (value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6))
    ? decimal(value)
    : reward(value);

/** A mean or a deviation, with as many digits as fit under each other. */
export const decimal = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? '–' : value.toFixed(digits).replace(NOUGHT, '$1').replace('-', '−');

/** What rounding leaves of a little less than nothing. */
const NOUGHT = /^-(0(?:\.0+)?)$/;

/** As `decimal`, with a plus as well. */
export function signed(value: number): string {
  const text = decimal(value);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** `3 blocks`, `1 block`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
