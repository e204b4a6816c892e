import { noun } from '../../../../core/index.ts';
import type { JSONValue } from '../../../../protocol/index.ts';

/** What is wrong with a value where a keyword has this limit; undefined where nothing is. */
export type ValueCheck<Value> = (limit: JSONValue, value: Value) => string | undefined;

/** Characters as JSON Schema counts them. */
const lengthOf = (text: string): number => [...text].length;

const letters = (limit: JSONValue) => `${limit} ${noun(Number(limit), 'character')}`;

export const STRING_CHECKS: Readonly<Record<string, ValueCheck<string>>> = {
  minLength: (limit, value) =>
    lengthOf(value) < Number(limit) ? `must have at least ${letters(limit)}, and has ${lengthOf(value)}` : undefined,
  maxLength: (limit, value) =>
    lengthOf(value) > Number(limit) ? `may have at most ${letters(limit)}, and has ${lengthOf(value)}` : undefined,
  pattern: (limit, value) => (matches(String(limit), value) ? undefined : `must match ${limit}`),
};

export const NUMBER_CHECKS: Readonly<Record<string, ValueCheck<number>>> = {
  minimum: (limit, value) => (value < Number(limit) ? `must be at least ${limit}` : undefined),
  maximum: (limit, value) => (value > Number(limit) ? `may be at most ${limit}` : undefined),
  exclusiveMinimum: (limit, value) =>
    typeof limit === 'number' && value <= limit ? `must be greater than ${limit}` : undefined,
  exclusiveMaximum: (limit, value) =>
    typeof limit === 'number' && value >= limit ? `must be less than ${limit}` : undefined,
  multipleOf: (limit, value) =>
    Number.isInteger(value / Number(limit)) ? undefined : `must be a multiple of ${limit}`,
};

/** Some patterns take twice the time for each letter more, and nothing can stop a browser that looks for one. */
const LONGEST_MATCHED = 20;

/** Whether a text has a pattern in it; a long text, and what browsers cannot read, is the server's affair. */
export function matches(pattern: string, value: string): boolean {
  if (value.length > LONGEST_MATCHED) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}
