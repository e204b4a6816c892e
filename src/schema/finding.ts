import type { ErrorObject } from 'ajv/dist/2020.js';
import { plural } from '../core/index.ts';
import { step } from './pointer.ts';
import type { Issue } from './schema.ts';

/** An error of ajv on its way to an issue, with what is needed to merge it with others. */
export interface Finding extends Issue {
  readonly keyword: string;
  /** Pointer to the value that was checked; `path` is one step deeper where a property is missing or unknown. */
  readonly at: string;
  readonly schemaPath: string;
  /** What would have been right, where a phrase or two can say it: `a string`, `'m'`. */
  readonly expected: readonly string[];
}

const SHOWN_VALUES = 20;

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

export function findingOf(error: ErrorObject): Finding {
  const { keyword, instancePath: at, schemaPath } = error;
  const expected = expectedBy(error);
  const message = expected.length > 0 ? mustBe(expected, keyword === 'enum') : messageOf(error);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
  const property: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = property === undefined ? at : at + step(String(property));
  return { path, message, keyword, at, schemaPath, expected };
}

/** `must be a string or null`; as a list `must be one of 'm', 'km'`. */
export function mustBe(expected: readonly string[], isList: boolean): string {
  const all = [...new Set(expected)];
  if (!isList || all.length === 1)
    return `must be ${enumerated(all.slice(0, -1))}${all.length > 1 ? ' or ' : ''}${all.at(-1)}`;
  return `must be one of ${enumerated(all)}`;
}

function enumerated(names: readonly string[]): string {
  const hidden = names.length - SHOWN_VALUES;
  return names.slice(0, SHOWN_VALUES).join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
}

/** Whether the finding names the values that are allowed. */
export function namesValues({ keyword }: Pick<Finding, 'keyword'>): boolean {
  return keyword === 'const' || keyword === 'enum';
}

/** What is worth saying of each place: allowed values say more than a type, and a type more than the rest. */
export function strongest(findings: readonly Finding[]): readonly Finding[] {
  const strength = (finding: Finding) => (namesValues(finding) ? 2 : finding.keyword === 'type' ? 1 : 0);
  const best = new Map<string, number>();
  for (const finding of findings) best.set(finding.path, Math.max(best.get(finding.path) ?? 0, strength(finding)));

  const strong = findings.filter((finding) => strength(finding) === best.get(finding.path));
  return [...new Map(strong.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
}

function expectedBy({ keyword, params }: ErrorObject): readonly string[] {
  if (keyword === 'type') return [params.type].flat().map((type: string) => TYPES[type] ?? type);
  if (keyword === 'enum') return params.allowedValues.map(show);
  return keyword === 'const' ? [show(params.allowedValue)] : [];
}

/** An allowed value as text. It comes from the schema, never from the value that was given. */
export function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};

function messageOf({ keyword, params, message }: ErrorObject): string {
  const phrase = PHRASES[keyword];
  return phrase ? phrase(params) : (message ?? `does not keep the rule '${keyword}'`);
}

const PHRASES: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: () => 'is missing',
  dependentRequired: ({ property }) => `is missing, and is needed where '${property}' is given`,
  additionalProperties: () => 'is not an allowed property',
  unevaluatedProperties: () => 'is not an allowed property',
  propertyNames: ({ propertyName }) => `has a property whose name is not allowed: '${propertyName}'`,
  minProperties: ({ limit }) => `must have at least ${plural(limit, 'property', 'properties')}`,
  maxProperties: ({ limit }) => `must have at most ${plural(limit, 'property', 'properties')}`,
  minItems: ({ limit }) => `must have at least ${plural(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${plural(limit, 'item')}`,
  items: ({ limit }) => `must have at most ${plural(limit, 'item')}`,
  unevaluatedItems: ({ len }) => `must have at most ${plural(len, 'item')}`,
  uniqueItems: ({ i, j }) => `must not hold an item twice (items ${j} and ${i} are equal)`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must hold at least ${minContains} of the items asked for`
      : `must hold ${minContains} to ${maxContains} of the items asked for`,
  minLength: ({ limit }) => `must have at least ${plural(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${plural(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must have the format '${format}'`,
  minimum: limited,
  maximum: limited,
  exclusiveMinimum: limited,
  exclusiveMaximum: limited,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  not: () => 'must not have this form',
  'false schema': () => 'is not allowed',
};

function limited({ comparison, limit }: ErrorObject['params']): string {
  return `must be ${COMPARISONS[comparison] ?? comparison} ${limit}`;
}
