import { InvalidArgumentError } from 'commander';
import {
  formatCount,
  type NumberRange,
  parseHttpUrl,
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
  const url = parseHttpUrl(address);
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
