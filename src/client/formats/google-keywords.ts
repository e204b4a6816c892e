import { isJsonType, type JSONSchema, type JSONType, jsonTypeOf, schemasByName, stringsAt } from '../../core/index.ts';
import { describeKeywords } from './describe-keywords.ts';
import { mapValues } from './object-schema.ts';
import type { GoogleSchema, GoogleType } from './types.ts';

type ValueType = Exclude<JSONType, 'null'>;

const TYPES: { readonly [type in ValueType]: GoogleType } = {
  string: 'STRING',
  number: 'NUMBER',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  array: 'ARRAY',
  object: 'OBJECT',
};

/** Formats that the Gemini API takes; it refuses others. */
const FORMATS: { readonly [type: string]: readonly string[] } = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Counts that have the same keyword in both. */
const COUNTS: {
  readonly [type: string]: readonly (
    | 'minLength'
    | 'maxLength'
    | 'minItems'
    | 'maxItems'
    | 'minProperties'
    | 'maxProperties'
  )[];
} = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};

/** Keywords that speak of one type only, that Gemini does not know. */
const UNKNOWN: { readonly [type in ValueType]: readonly string[] } = {
  string: ['contentEncoding', 'contentMediaType'],
  number: ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['multipleOf'],
  boolean: [],
  array: ['uniqueItems', 'contains', 'minContains', 'maxContains', 'prefixItems', 'unevaluatedItems'],
  object: [
    ...['additionalProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties'],
    ...['dependentRequired', 'dependentSchemas'],
  ],
};
const UNKNOWN_EVERYWHERE = ['allOf', 'not', 'if', 'then', 'else'];

/** Keywords that show which type a schema without `type` has in mind. */
const SIGNS: readonly (readonly [ValueType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'minProperties', 'maxProperties', ...UNKNOWN.object]],
  ['array', ['items', 'minItems', 'maxItems', ...UNKNOWN.array]],
  ['string', ['minLength', 'maxLength', 'pattern', ...UNKNOWN.string]],
  ['number', ['minimum', 'maximum', ...UNKNOWN.number]],
];

/** The types that a schema allows, by its `type`, its `enum` or `const`, or else its keywords; undefined: all. */
export function allowedJsonTypes(schema: JSONSchema): JSONType[] | undefined {
  const values = valuesOf(schema);
  const named = [schema.type].flat().filter(isJsonType);
  if (values !== undefined) {
    const found = values.flatMap((value) => jsonTypeOf(value) ?? []);
    const isNumeric = named.includes('number') || found.includes('number');
    const types = found.map((type) => (type === 'integer' && isNumeric ? 'number' : type));
    const both = types.filter((type) => named.length === 0 || named.includes(type));
    if (both.length > 0) return [...new Set(both)];
  }
  if (named.length > 0) return [...new Set(named)];
  const signs = SIGNS.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return signs.length === 0 ? undefined : signs.map(([type]) => type);
}

/** A schema that allows one type; what it says beyond what Gemini knows is put into words in its description. */
export function singleTypeSchema(
  schema: JSONSchema,
  type: ValueType,
  change: (child: unknown) => GoogleSchema,
): GoogleSchema {
  const converted: GoogleSchema = { type: TYPES[type] };
  for (const keyword of COUNTS[type] ?? []) {
    const count = schema[keyword];
    if (Number.isSafeInteger(count) && Number(count) >= 0) converted[keyword] = Number(count);
  }
  const formats = FORMATS[type] ?? [];
  if (typeof schema.format === 'string' && formats.includes(schema.format)) converted.format = schema.format;
  if (type === 'string') addStringKeywords(schema, converted);
  if (type === 'number' || type === 'integer') addLimits(schema, converted, type);
  if (type === 'array') addItems(schema, converted, change);
  if (type === 'object') addProperties(schema, converted, change);
  const words = describeKeywords(unsaid(schema, type, converted));
  return words === undefined ? converted : { ...converted, description: words };
}

/** A schema of a type, about which there is no more to say than this. */
export function describedTypeSchema(type: JSONType, description: string): GoogleSchema {
  const items: GoogleSchema = { type: 'STRING' };
  return { type: TYPES[type === 'null' ? 'string' : type], ...(type === 'array' ? { items } : {}), description };
}

/** Any value but null, and no lists in lists: each type on its own, as a schema without type is refused. */
export function anyTypeSchemas(schema: JSONSchema): GoogleSchema[] {
  const others: GoogleSchema[] = [{ type: 'NUMBER' }, { type: 'BOOLEAN' }, { type: 'OBJECT' }];
  const words = describeKeywords(withoutRefs(schema, UNKNOWN_EVERYWHERE));
  const items: GoogleSchema = { anyOf: [{ type: 'STRING', nullable: true }, ...others] };
  const description = words === undefined ? {} : { description: words };
  return [{ type: 'STRING', ...description }, ...others, { type: 'ARRAY', items }];
}

/** The values that `enum` or `const` leaves. */
function valuesOf(schema: JSONSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined;
}

function addStringKeywords(schema: JSONSchema, converted: GoogleSchema): void {
  const strings = valuesOf(schema)?.filter((value) => typeof value === 'string');
  // An empty string is refused as a value of an enumeration.
  if (strings?.length && !strings.includes('')) converted.enum = [...new Set(strings)];
  if (typeof schema.pattern === 'string') converted.pattern = schema.pattern;
}

function addLimits(schema: JSONSchema, converted: GoogleSchema, type: 'number' | 'integer'): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lowest = [minimum, type === 'integer' ? above(exclusiveMinimum) : undefined].filter(isNumber);
  const highest = [maximum, type === 'integer' ? below(exclusiveMaximum) : undefined].filter(isNumber);
  if (lowest.length > 0) converted.minimum = Math.max(...lowest);
  if (highest.length > 0) converted.maximum = Math.min(...highest);
}

function addItems(schema: JSONSchema, converted: GoogleSchema, change: (child: unknown) => GoogleSchema): void {
  const { prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  const isClosed = items === false || (first.length > 0 && Number(schema.maxItems) <= first.length);
  if (items === false) converted.maxItems = Math.min(first.length, converted.maxItems ?? first.length);
  const each = isClosed ? first : [...first, items ?? {}];
  converted.items = change(each.length === 1 ? each[0] : each.length === 0 ? {} : { anyOf: each });
}

function addProperties(schema: JSONSchema, converted: GoogleSchema, change: (child: unknown) => GoogleSchema): void {
  const properties = schemasByName(schema, 'properties');
  const required = stringsAt(schema, 'required');
  // A required property that is not declared is refused.
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}]);
  const all: JSONSchema = { ...properties, ...Object.fromEntries(undeclared) };
  if (Object.keys(all).length > 0) converted.properties = mapValues(all, change);
  if (required.length > 0) converted.required = required;
}

/** What a schema says of a type that its conversion does not. */
function unsaid(schema: JSONSchema, type: ValueType, converted: GoogleSchema): JSONSchema {
  const left = { ...withoutRefs(schema, [...UNKNOWN[type], ...UNKNOWN_EVERYWHERE]) };
  if (typeof left.additionalProperties === 'boolean') delete left.additionalProperties;
  if (left.uniqueItems === false) delete left.uniqueItems;
  if (typeof schema.format === 'string' && converted.format === undefined && type !== 'object')
    left.format = schema.format;
  const values = valuesOf(schema)?.filter((value) => fits(value, type));
  if (values !== undefined && values.length > 0 && converted.enum === undefined) left.enum = values;
  return left;
}

/** These keywords of the schema, but for those whose references would lead to nothing. */
function withoutRefs(schema: JSONSchema, keywords: readonly string[]): JSONSchema {
  const kept = Object.entries(schema).filter(([keyword]) => keywords.includes(keyword));
  return Object.fromEntries(kept.filter(([, value]) => !JSON.stringify(value ?? null).includes('"$ref"')));
}

function fits(value: unknown, type: ValueType): boolean {
  const own = jsonTypeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const above = (limit: unknown): number | undefined => (isNumber(limit) ? Math.floor(limit) + 1 : undefined);
const below = (limit: unknown): number | undefined => (isNumber(limit) ? Math.ceil(limit) - 1 : undefined);
