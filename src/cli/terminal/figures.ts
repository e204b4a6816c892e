import { formatCount, formatDuration, formatNumber } from '../../core/index.ts';

export const duration = (seconds: number | null): string => (seconds === null ? '-' : formatDuration(seconds * 1_000));

/** A reward, or a figure of several. */
export const score = (value: number | null): string => (value === null ? '-' : formatNumber(value));

export const formatRate = (rate: number): string => `${figure(rate)}/s`;

export const formatPercent = (part: number | null): string => (part === null ? '-' : `${figure(part * 100)} %`);

/** Three digits, of which none is behind a hundred. */
export function figure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 99.5) return formatCount(Math.round(value));
  return size >= 9.95 ? value.toFixed(value % 1 === 0 ? 0 : 1) : value.toFixed(Number.isInteger(value) ? 0 : 2);
}
