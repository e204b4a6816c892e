import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `30d`, `12h`, `45m`, `90s`, `2w` -> milliseconds. @throws InvalidArgumentError */
export function readAge(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0) * 1000;
  if (ms > 0 && Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a time such as 30d, 12h, 45m, 90s or 2w.');
}

/** A time as stores write it. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
