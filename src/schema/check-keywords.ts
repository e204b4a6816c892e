import { isRecord, isSchema, type JSONSchema, pointerSegment, schemasByName, schemasIn } from '../core/index.ts';
import type { ValueIssue } from './schema.ts';

type Test = (value: unknown) => boolean;

/** Values that a keyword can have. */
interface KeywordRule {
  readonly expected: string;
  readonly accepts: Test;
  readonly keywords: readonly string[];
}

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isType: Test = (value) => TYPES.includes(value);
const listOf =
  (accepts: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(accepts);
const mapOf =
  (accepts: Test): Test =>
  (value) =>
    isRecord(value) && Object.values(value).every(accepts);
const isStringSet: Test = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') && new Set(value).size === value.length;
const isNotEmpty: Test = (value) => Array.isArray(value) && value.length > 0;

/** Source: meta-schema of JSON Schema 2020-12. Identifiers are missing, because they are removed before. */
const RULES: readonly KeywordRule[] = [
  {
    expected: 'must be a string',
    accepts: (value) => typeof value === 'string',
    keywords: [
      ...['$ref', '$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$comment', 'title', 'description'],
      ...['pattern', 'format', 'contentEncoding', 'contentMediaType'],
    ],
  },
  {
    expected: 'must be true or false',
    accepts: (value) => typeof value === 'boolean',
    keywords: ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'],
  },
  {
    expected: 'must be a number',
    accepts: (value) => typeof value === 'number',
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  },
  {
    expected: 'must be a number above 0',
    accepts: (value) => typeof value === 'number' && value > 0,
    keywords: ['multipleOf'],
  },
  {
    expected: 'must be a whole number from 0',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
    keywords: ['Length', 'Items', 'Contains', 'Properties'].flatMap((part) => [`min${part}`, `max${part}`]),
  },
  {
    expected: `must be one of ${TYPES.map((type) => `'${type}'`).join(', ')}, or an array of them`,
    accepts: (value) => isType(value) || (listOf(isType)(value) && isStringSet(value) && isNotEmpty(value)),
    keywords: ['type'],
  },
  { expected: 'must be an array', accepts: Array.isArray, keywords: ['enum', 'examples'] },
  { expected: 'must be an array of different strings', accepts: isStringSet, keywords: ['required'] },
  {
    expected: 'must be a schema',
    accepts: isSchema,
    keywords: [
      ...['items', 'contains', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
      ...['not', 'if', 'then', 'else', 'contentSchema'],
    ],
  },
  {
    expected: 'must be an array of schemas that is not empty',
    accepts: (value) => listOf(isSchema)(value) && isNotEmpty(value),
    keywords: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  },
  {
    expected: 'must be an object of schemas',
    accepts: mapOf(isSchema),
    keywords: ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas'],
  },
  {
    expected: 'must be an object of arrays of different strings',
    accepts: mapOf(isStringSet),
    keywords: ['dependentRequired'],
  },
  {
    expected: 'must be an object of schemas or arrays of different strings',
    accepts: mapOf((value) => isSchema(value) || isStringSet(value)),
    keywords: ['dependencies'],
  },
];

const RULE_BY_KEYWORD: ReadonlyMap<string, KeywordRule> = new Map(
  RULES.flatMap((rule) => rule.keywords.map((keyword) => [keyword, rule] as const)),
);

/** Returns the first keyword of a schema, at any depth, whose value JSON Schema does not allow. */
export function findInvalidKeyword(json: JSONSchema): ValueIssue | undefined {
  for (const { schema, pointer } of schemasIn(json)) {
    for (const [keyword, value] of Object.entries(schema)) {
      const rule = RULE_BY_KEYWORD.get(keyword);
      if (rule && !rule.accepts(value)) return { path: pointer + pointerSegment(keyword), message: rule.expected };
    }
  }
  return undefined;
}

/** @throws SyntaxError for a pattern that is not valid with the flag `u`, which JSON Schema recommends. */
export function assertValidPatterns(json: JSONSchema): void {
  for (const { schema } of schemasIn(json)) {
    const patterns = Object.keys(schemasByName(schema, 'patternProperties'));
    if (typeof schema.pattern === 'string') patterns.push(schema.pattern);
    for (const pattern of patterns) new RegExp(pattern, 'u');
  }
}
