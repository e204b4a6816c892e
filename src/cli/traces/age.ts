import { parseDuration } from '../../core/index.ts';
import { orInvalid } from '../option-parsers.ts';

/** Parses an age such as `30d` or `1.5h`. @returns milliseconds. @throws InvalidArgumentError */
export const parseAge = (text: string): number =>
  orInvalid(parseDuration(text) || undefined, 'a time such as 30d, 12h, 45m, 90s or 2w');

/** A time as stores write it. */
export const formatTimestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
