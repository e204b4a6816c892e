import { InvalidArgumentError } from 'commander';
import {
  formatCount,
  isHttpUrl,
  type NumberRange,
  parseInteger,
  parseNumber,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../core/index.ts';
import { CliError } from './failure.ts';

/** Parses the argument of a flag. @throws InvalidArgumentError, which commander prints with flag and argument. */
type FlagParser<T> = (text: string) => T;

const MAX_SECONDS = 1_000_000;

/** Returns `value`. @throws InvalidArgumentError if it is undefined. */
export function orInvalid<T>(value: T | undefined, expected: string): T {
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Expected ${expected}.`);
}

/** Creates a parser of whole numbers. */
export function integerParser({ min = 0, max }: NumberRange = {}): FlagParser<number> {
  const range = max === undefined ? `${min} up` : `${min} to ${max}`;
  return (text) =>
    orInvalid(parseInteger(text, { min, ...(max !== undefined && { max }) }), `a whole number from ${range}`);
}

export const parsePort = integerParser({ max: 65_535 });

export const parseNumberFlag: FlagParser<number> = (text) => orInvalid(parseNumber(text), 'a number');

/** Parses a duration in seconds, greater than 0. */
export const parseSeconds: FlagParser<number> = (text) =>
  orInvalid(
    parseNumber(text, { min: Number.MIN_VALUE, max: MAX_SECONDS }),
    `a number of seconds above 0, at most ${formatCount(MAX_SECONDS)}`,
  );

/** Collects the arguments of a repeatable flag. */
export const collect = (text: string, previous: readonly string[] = []): readonly string[] => [...previous, text];

/** Collects comma-separated names of a repeatable flag. */
export function collectList(text: string, previous: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...previous, ...names.filter((name) => name !== '')];
}

/**
 * Parses the URL of a server. @returns origin and path.
 *
 * @param fail creates the error for an invalid URL.
 */
export function parseServerUrl(address: string, fail = (message: string): Error => new CliError(message)): string {
  const url = isHttpUrl(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url) {
    const shown = withoutCredentials(address);
    const meant = `http://${shown.replace(/^.*:\/\//, '')}`;
    const advice = URL.canParse(meant) ? meant : 'http://127.0.0.1:8080';
    throw fail(`invalid URL '${shown}': expected a URL such as ${advice}`);
  }
  if (url.username || url.password) {
    throw fail(`the URL of ${url.host} contains a user name or password; send them with --header instead`);
  }
  return withoutTrailingSlashes(url.origin + url.pathname);
}

const DURATION_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses a duration such as `90s`, `45m`, `1.5h`, `30d` or `2w`. @returns milliseconds, or undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (DURATION_UNITS[unit] ?? Number.NaN) * 1_000;
  return Number.isFinite(ms) ? ms : undefined;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 };

/**
 * Parses a size such as `1024`, `64KB` or `64 KiB`; all units are powers of 1,024.
 *
 * @returns bytes, or undefined for other texts.
 */
export function parseSize(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)(?: ?([KMG])i?B)?$/i.exec(text) ?? [];
  const bytes = Number(count) * (SIZE_UNITS[unit.toUpperCase()] ?? Number.NaN);
  return count !== '' && Number.isSafeInteger(bytes) ? bytes : undefined;
}
