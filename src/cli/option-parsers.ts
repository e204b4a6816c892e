import { InvalidArgumentError } from 'commander';
import { formatCount, type NumberRange, parseInteger, parseNumber } from '../core/index.ts';

/** Parses the argument of an option. @throws InvalidArgumentError, which Commander prints with option and argument. */
export type OptionParser<T> = (text: string) => T;

/** Returns a value, unless it is undefined. @throws InvalidArgumentError that says what was expected. */
export function orInvalid<T>(value: T | undefined, expected: string): T {
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Expected ${expected}.`);
}

/** Creates a parser of whole numbers. */
export function integerOption({ min = 0, max }: NumberRange = {}): OptionParser<number> {
  const range = max === undefined ? `${min} up` : `${min} to ${max}`;
  return (text) =>
    orInvalid(parseInteger(text, { min, ...(max !== undefined && { max }) }), `a whole number from ${range}`);
}

export const portOption = integerOption({ max: 65_535 });

export const numberOption: OptionParser<number> = (text) => orInvalid(parseNumber(text), 'a number');

/** Parses seconds above 0. */
export const secondsOption: OptionParser<number> = (text) =>
  orInvalid(
    parseNumber(text, { min: Number.MIN_VALUE, max: MAX_SECONDS }),
    `a number of seconds above 0, at most ${formatCount(MAX_SECONDS)}`,
  );

const MAX_SECONDS = 1_000_000;

/** Collects the arguments of an option that can be repeated. */
export const collectOption = (text: string, others: readonly string[] = []): readonly string[] => [...others, text];
