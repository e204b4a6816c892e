import { plural } from '../format.ts';

const TYPE_PHRASES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** Maximum number of values in a message. */
const MAX_LISTED = 20;

/** Formats a JSON type for a message, such as `a string`. */
export const typePhrase = (type: string): string => TYPE_PHRASES[type] ?? type;

/** Formats a value that a schema allows, for a message. */
export const choicePhrase = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));

/** Formats expected types or values: `must be a string or null`, or as a list `must be one of 'm', 'km'`. */
export function expectedPhrase(expected: readonly string[], isList: boolean): string {
  const all = [...new Set(expected)];
  if (isList && all.length > 1) return `must be one of ${enumerated(all)}`;
  return `must be ${enumerated(all.slice(0, -1))}${all.length > 1 ? ' or ' : ''}${all.at(-1)}`;
}

function enumerated(names: readonly string[]): string {
  const hidden = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
}

/** Limits of JSON Schema in words, such as `at least 3 characters`. */
const LIMIT_PHRASES: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  exclusiveMinimum: (limit) => `more than ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  exclusiveMaximum: (limit) => `less than ${limit}`,
  multipleOf: (limit) => `a multiple of ${limit}`,
  minLength: (limit) => `at least ${plural(Number(limit), 'character')}`,
  maxLength: (limit) => `at most ${plural(Number(limit), 'character')}`,
  minItems: (limit) => `at least ${plural(Number(limit), 'item')}`,
  maxItems: (limit) => `at most ${plural(Number(limit), 'item')}`,
  minProperties: (limit) => `at least ${plural(Number(limit), 'property', 'properties')}`,
  maxProperties: (limit) => `at most ${plural(Number(limit), 'property', 'properties')}`,
  pattern: (limit) => `pattern ${limit}`,
  format: (limit) => `format ${limit}`,
};

/** Formats the limit of a keyword such as `minLength`. Returns undefined for other keywords. */
export const limitPhrase = (keyword: string, limit: unknown): string | undefined =>
  Object.hasOwn(LIMIT_PHRASES, keyword) ? LIMIT_PHRASES[keyword]?.(limit) : undefined;

/** Keywords whose limit applies to the value itself instead of its length. */
const OF_NUMBERS = new Set(['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf']);

type Params = Readonly<Record<string, unknown>>;

const PHRASES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is missing',
  dependentRequired: ({ property }) => `is missing, and is needed where '${property}' is given`,
  additionalProperties: () => 'is not an allowed property',
  unevaluatedProperties: () => 'is not an allowed property',
  propertyNames: ({ propertyName }) => `has a property whose name is not allowed: '${propertyName}'`,
  items: ({ limit }) => `must have ${limitPhrase('maxItems', limit)}`,
  unevaluatedItems: ({ len }) => `must have ${limitPhrase('maxItems', len)}`,
  uniqueItems: ({ i, j }) => `must not contain an item twice (items ${j} and ${i} are equal)`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must contain at least ${minContains} of the items asked for`
      : `must contain ${minContains} to ${maxContains} of the items asked for`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must have the format '${format}'`,
  multipleOf: ({ multipleOf }) => `must be ${limitPhrase('multipleOf', multipleOf)}`,
  anyOf: () => 'fits none of the allowed forms',
  oneOf: ({ passingSchemas }) => `fits ${passingSchemas ? 'more than one' : 'none'} of the allowed forms`,
  not: () => 'must not have this form',
  'false schema': () => 'is not allowed',
};

/**
 * Formats a validation error as a sentence without its subject, such as `must have at least 3 characters`.
 *
 * @param params details, named as in ajv, such as `limit`.
 * @returns undefined for a keyword without a phrase.
 */
export function issuePhrase(keyword: string, params: Params): string | undefined {
  if (Object.hasOwn(PHRASES, keyword)) return PHRASES[keyword]?.(params);
  const limit = limitPhrase(keyword, params.limit);
  return limit && `must ${OF_NUMBERS.has(keyword) ? 'be' : 'have'} ${limit}`;
}
