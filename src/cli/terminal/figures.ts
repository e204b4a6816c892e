/** Figures as people read them in a column. */

export function duration(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 1) return `${figure(seconds * 1_000)} ms`;
  return seconds < 120 ? `${figure(seconds)} s` : longDuration(seconds);
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** In its two largest units: `3 h 12 min`. */
export function longDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const first = UNITS.findIndex(([, size]) => whole >= size);
  if (first < 0) return '0 s';
  return UNITS.slice(first, first + 2)
    .map(
      ([unit, size], at) => [Math.floor((at === 0 ? whole : whole % (UNITS[first]?.[1] ?? 1)) / size), unit] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(count) / 10));
  return `${figure(count / 1024 ** power)} ${SIZES[power]}`;
}

export const perSecond = (rate: number): string => `${figure(rate)}/s`;

export const percent = (part: number | null): string => (part === null ? '-' : `${figure(part * 100)} %`);

/** Three digits, of which none is behind a hundred. */
export function figure(value: number): string {
  if (value === 0) return '0';
  if (value >= 99.5) return Math.round(value).toLocaleString('en-US');
  return value >= 9.95 ? value.toFixed(value % 1 === 0 ? 0 : 1) : value.toFixed(Number.isInteger(value) ? 0 : 2);
}
