import { formatCount, formatDuration, formatNumber, unicodeEscape } from '../../core/index.ts';

/** Longer lines are data and are not wrapped. */
const MAX_LINE_LENGTH = 20_000;

/** Wraps a text between words. Words longer than the width stay whole, and an indented line keeps its indent. */
export function wrapText(text: string, width: number, indent = ''): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width - indent.length))
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (line.length > MAX_LINE_LENGTH) return [line];
  const own = /^ */.exec(line)?.[0] ?? '';
  const margin = own.length < width / 2 ? own : '';
  const lines: string[] = [];
  let rest = margin + line.trim();
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > margin.length ? space : rest.indexOf(' ', width);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = margin + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

const UNSAFE_IN_JSON = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Serializes a value on one line, with characters escaped that a terminal could act on. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, unicodeEscape);
}

/** Escapes the same characters in lines of JSON. */
export const safeLines = (lines: string): string =>
  lines.replace(/[^\n]+/g, (line) => line.replace(UNSAFE_IN_JSON, unicodeEscape));

/** Formats a duration in seconds. */
export const duration = (seconds: number | null): string => (seconds === null ? '-' : formatDuration(seconds * 1_000));

/** Formats a reward, or a statistic of rewards. */
export const formatReward = (value: number | null): string => (value === null ? '-' : formatNumber(value));

/** Formats a reward with 12 digits. */
export const formatRewardCell = (reward: number | null): string => (reward === null ? '-' : formatNumber(reward, 12));

/** Formats a timestamp to the second. */
export const formatTime = (time: string): string => time.slice(0, 19).replace('T', ' ');

export const formatRate = (rate: number): string => `${figure(rate)}/s`;

export const formatPercent = (part: number | null): string => (part === null ? '-' : `${figure(part * 100)} %`);

/** Formats a number with three digits, without decimals from 100 up. */
export function figure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 99.5) return formatCount(Math.round(value));
  return size >= 9.95 ? value.toFixed(value % 1 === 0 ? 0 : 1) : value.toFixed(Number.isInteger(value) ? 0 : 2);
}
