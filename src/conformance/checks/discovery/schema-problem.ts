import { isRecord } from '../../../core/index.ts';
import { show } from '../shapes.ts';

type Schema = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const MOST_LEVELS = 100;

const isSchema: Test = (value) => typeof value === 'boolean' || isRecord(value);
const isString: Test = (value) => typeof value === 'string';
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isListOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const isMapOf =
  (test: Test): Test =>
  (value) =>
    isRecord(value) && Object.values(value).every(test);
const isOneOrMoreTypes: Test = (value) => [value].flat().every((type) => TYPES.includes(type as string));

/** Keywords, and what their values are, in the drafts 4 to 2020-12; other keywords may hold anything. */
const KEYWORDS: readonly (readonly [keywords: string, what: string, test: Test])[] = [
  ['type', 'the name of a type, or a list of them', isOneOrMoreTypes],
  ['properties patternProperties $defs definitions dependentSchemas', 'an object of schemas', isMapOf(isSchema)],
  ['allOf anyOf oneOf prefixItems', 'an array of schemas', isListOf(isSchema)],
  ['items', 'a schema, or an array of schemas', (value) => isSchema(value) || isListOf(isSchema)(value)],
  [
    'additionalProperties additionalItems not if then else contains propertyNames unevaluatedProperties unevaluatedItems',
    'a schema',
    isSchema,
  ],
  ['required', 'an array of strings', isListOf(isString)],
  ['enum', 'an array', Array.isArray],
  ['$ref $id $schema title description format', 'a string', isString],
  ['pattern', 'a regular expression', (value) => isString(value) && isPattern(String(value))],
  ['minimum maximum', 'a number', (value) => typeof value === 'number'],
  ['exclusiveMinimum exclusiveMaximum', 'a number', (value) => ['number', 'boolean'].includes(typeof value)],
  ['multipleOf', 'a number above 0', (value) => typeof value === 'number' && value > 0],
  [
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    'a number from 0 on',
    isCount,
  ],
  ['uniqueItems', 'a boolean', (value) => typeof value === 'boolean'],
];

const TESTS = new Map(
  KEYWORDS.flatMap(([names, what, test]) => names.split(' ').map((name) => [name, { what, test }])),
);

/** Why a value is no JSON Schema, or none that objects can match; undefined if it is one. */
export function schemaProblem(root: Schema): string | undefined {
  const problem = problemIn(root, root, '', 0);
  if (problem) return problem;
  return allowsObjects(root, root, 0) ? undefined : `no object can match it: ${show(root)}`;
}

function problemIn(schema: Schema, root: Schema, place: string, level: number): string | undefined {
  if (level > MOST_LEVELS) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = TESTS.get(keyword);
    if (rule && !rule.test(value)) return `${place}/${keyword} is not ${rule.what} but ${show(value)}`;
  }
  const { $ref: reference } = schema;
  if (typeof reference === 'string' && reference.startsWith('#/') && resolve(reference, root) === undefined) {
    return `${place}/$ref leads nowhere: ${reference}`;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    for (const [key, inner] of subschemas(keyword, value)) {
      const problem = problemIn(inner, root, `${place}/${keyword}${key}`, level + 1);
      if (problem) return problem;
    }
  }
  return undefined;
}

/** The schemas within the value of a keyword, with the rest of their place. */
function subschemas(keyword: string, value: unknown): [key: string, schema: Schema][] {
  const what = TESTS.get(keyword)?.what;
  if (!what?.includes('schema')) return [];
  const inner: [string, unknown][] =
    Array.isArray(value) || what === 'an object of schemas'
      ? Object.entries(value as object).map(([key, each]) => [`/${key}`, each])
      : [['', value]];
  return inner.filter((each): each is [string, Schema] => isRecord(each[1]));
}

function allowsObjects(schema: unknown, root: Schema, level: number): boolean {
  if (!isRecord(schema) || level > MOST_LEVELS) return schema !== false;
  const { type, $ref: reference, allOf, anyOf, oneOf } = schema;
  const allows = (inner: unknown) => allowsObjects(inner, root, level + 1);
  if (type !== undefined && ![type].flat().includes('object')) return false;
  if (typeof reference === 'string' && reference.startsWith('#/') && !allows(resolve(reference, root))) return false;
  if (Array.isArray(allOf) && !allOf.every(allows)) return false;
  return [anyOf, oneOf].every((choices) => !Array.isArray(choices) || choices.some(allows));
}

/** What a reference within the schema leads to. */
function resolve(reference: string, root: Schema): unknown {
  let found: unknown = root;
  for (const key of reference.slice(2).split('/')) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Schema)[name] : undefined;
  }
  return found;
}

function isPattern(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return Boolean(new RegExp(pattern, flags));
    } catch {
      return false;
    }
  });
}
