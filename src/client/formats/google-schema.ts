import {
  asSchema,
  canonicalJson,
  flattenSchema,
  isJsonType,
  type JSONSchema,
  type JSONType,
  jsonTypeOf,
  mergeSchemas,
  pointerKeys,
  type SchemaBudget,
  type SchemaResolver,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../../core/index.ts';
import { alternativesOf, createWorkBudget, describeKeywords, mapValues, type ToolInputSchema } from './input-schema.ts';
import type { GoogleSchema, GoogleType } from './types.ts';

/** Maximum nesting of converted schemas. */
const MAX_DEPTH = 24;

/** Maximum number of times that a reference is expanded on one path, including the first time. */
const MAX_EXPANSIONS = 2;

/** Maximum nesting of references, in decreasing order; the first value that keeps a schema within its budget is used. */
const REF_LIMITS = [16, 6, 3, 1, 0];

/** Keywords that describe a value of any type. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples'];

interface GoogleSchemaContext {
  readonly resolver: SchemaResolver;
  readonly budget: SchemaBudget;
  readonly refLimit: number;
}

interface SchemaPosition {
  readonly depth: number;
  /** References that are expanded around this position. */
  readonly refs: readonly string[];
}

/** Values that a schema allows: those of any of `choices`, none of which has `anyOf`, and null if it is nullable. */
interface AllowedSchemas {
  readonly choices: readonly GoogleSchema[];
  readonly nullable: boolean;
}

/**
 * Converts the input of a tool to a Gemini schema. Gemini does not support references, so they are expanded; recursive
 * ones twice. Returns undefined for a tool without parameters.
 */
export function toGoogleSchema({ schema, resolver, size }: ToolInputSchema): GoogleSchema | undefined {
  let converted: GoogleSchema | undefined;
  for (const refLimit of REF_LIMITS) {
    const work: GoogleSchemaContext = { resolver, budget: createWorkBudget(size), refLimit };
    const change = (child: unknown) => convert(child, work, { depth: 1, refs: [] });
    converted = annotated(schema, singleTypeSchema(schema, 'object', change));
    if (work.budget.left > 0) break;
  }
  return converted !== undefined && isEmptyInput(schema, converted) ? undefined : converted;
}

/** Returns true for an input without properties, unless the schema allows arbitrary ones. */
function isEmptyInput(schema: JSONSchema, converted: GoogleSchema): boolean {
  const { additionalProperties, patternProperties } = schema;
  const isOpen = Boolean(additionalProperties ?? patternProperties ?? false);
  return !isOpen && Object.keys(converted).every((keyword) => keyword === 'type' || keyword === 'title');
}

function convert(value: unknown, work: GoogleSchemaContext, position: SchemaPosition): GoogleSchema {
  const schema = asSchema(value);
  const { choices, nullable } = allowedSchemas(withoutKeywords(schema, ...ANNOTATIONS), work, position);
  const [first = describedTypeSchema('string', 'Always null.'), ...others] = distinct(choices);
  const head = annotated(
    nullable ? withoutKeywords(schema, ...(schema.default === null ? ['default'] : [])) : schema,
    first,
  );
  if (nullable) head.nullable = true;
  if (others.length === 0) return head;
  // Vertex AI rejects every other keyword next to anyOf.
  return { anyOf: [head, ...others] };
}

function allowedSchemas(value: JSONSchema, work: GoogleSchemaContext, position: SchemaPosition): AllowedSchemas {
  work.budget.left -= 1;
  const { schema, refs } = flattenSchema(value, work.resolver, work.budget);
  const types = allowedJsonTypes(schema);
  if (isTooDeep(refs, work, position)) {
    const name = refs[0] === undefined ? undefined : nameOfRef(refs[0]);
    const note =
      name === undefined ? 'Its fields are not shown.' : `Nested; its fields are those of ${JSON.stringify(name)}.`;
    return {
      choices: [describedTypeSchema(types?.find((type) => type !== 'null') ?? 'object', note)],
      nullable: types?.includes('null') ?? false,
    };
  }
  const here: SchemaPosition = { depth: position.depth, refs: [...position.refs, ...refs] };
  const alternatives = alternativesOf(schema);
  if (alternatives !== undefined) {
    const base = withoutKeywords(schema, alternatives.keyword);
    const each = alternatives.schemas.map((choice) => allowedSchemas(mergeSchemas(choice, base), work, here));
    return { choices: each.flatMap(({ choices }) => choices), nullable: each.some(({ nullable }) => nullable) };
  }
  const inside: SchemaPosition = { ...here, depth: position.depth + 1 };
  const change = (child: unknown) => convert(child, work, inside);
  if (types === undefined) return { choices: anyTypeSchemas(schema), nullable: true };
  const choices = types
    .filter((type) => type !== 'null')
    .map((type) => annotated(schema, singleTypeSchema(schema, type, change)));
  return { choices, nullable: types.includes('null') || schema.nullable === true };
}

/** Returns the last segment of a reference, which is a pointer or, if it is dangling, any text. */
const nameOfRef = (ref: string): string => (pointerKeys(ref) ?? ref.split('/')).at(-1) ?? '#';

function isTooDeep(
  refs: readonly string[],
  { budget, refLimit }: GoogleSchemaContext,
  { depth, refs: open }: SchemaPosition,
): boolean {
  const isRecursive = refs.some((ref) => open.filter((other) => other === ref).length >= MAX_EXPANSIONS);
  return isRecursive || budget.left <= 0 || depth > MAX_DEPTH || (refs.length > 0 && open.length >= refLimit);
}

/** Adds the annotations of a schema to the converted schema: title, description, default and examples. */
function annotated(schema: JSONSchema, converted: GoogleSchema): GoogleSchema {
  const { title, description } = schema;
  const result = { ...converted };
  if (typeof title === 'string' && title !== '') result.title = title;
  const { default: value, examples } = schema;
  const note = describeKeywords({
    ...(value === undefined ? {} : { default: value }),
    ...(examples === undefined ? {} : { examples }),
  });
  const sentences = [description, converted.description, note].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  if (sentences.length > 0) result.description = [...new Set(sentences)].join('\n');
  return result;
}

function distinct(choices: readonly GoogleSchema[]): GoogleSchema[] {
  return [...new Map(choices.map((choice) => [canonicalJson(choice), choice])).values()];
}

type ValueType = Exclude<JSONType, 'null'>;

/** Gemini writes the names of types in upper case. */
const googleType = (type: ValueType): GoogleType => type.toUpperCase() as Uppercase<ValueType>;

/** Formats that the Gemini API accepts; it rejects others. */
const FORMATS: { readonly [type: string]: readonly string[] } = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Keywords for counts, which both dialects have. */
const COUNTS: { readonly [type: string]: readonly `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`[] } = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};

/** Keywords for one type that Gemini does not support. */
const UNSUPPORTED: { readonly [type in ValueType]: readonly string[] } = {
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
const UNSUPPORTED_EVERYWHERE = ['allOf', 'not', 'if', 'then', 'else'];

/** Keywords that imply the type of a schema without `type`. */
const TYPE_HINTS: readonly (readonly [ValueType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'minProperties', 'maxProperties', ...UNSUPPORTED.object]],
  ['array', ['items', 'minItems', 'maxItems', ...UNSUPPORTED.array]],
  ['string', ['minLength', 'maxLength', 'pattern', ...UNSUPPORTED.string]],
  ['number', ['minimum', 'maximum', ...UNSUPPORTED.number]],
];

/** Returns the types that a schema allows by `type`, `enum`, `const` or the implied types; undefined for all types. */
function allowedJsonTypes(schema: JSONSchema): JSONType[] | undefined {
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
  const hints = TYPE_HINTS.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return hints.length === 0 ? undefined : hints.map(([type]) => type);
}

/** Converts a schema for one type; describes keywords that Gemini does not support in the description. */
function singleTypeSchema(schema: JSONSchema, type: ValueType, change: (child: unknown) => GoogleSchema): GoogleSchema {
  const converted: GoogleSchema = { type: googleType(type) };
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
  const note = describeKeywords(unsupportedKeywords(schema, type, converted));
  return note === undefined ? converted : { ...converted, description: note };
}

/** Returns a schema of a type with a description instead of other keywords. */
function describedTypeSchema(type: JSONType, description: string): GoogleSchema {
  const items: GoogleSchema = { type: 'STRING' };
  return { type: googleType(type === 'null' ? 'string' : type), ...(type === 'array' ? { items } : {}), description };
}

/** Returns a schema for each type, because Gemini rejects schemas without type; allows neither null nor nested arrays. */
function anyTypeSchemas(schema: JSONSchema): GoogleSchema[] {
  const others: GoogleSchema[] = [{ type: 'NUMBER' }, { type: 'BOOLEAN' }, { type: 'OBJECT' }];
  const note = describeKeywords(withoutRefs(schema, UNSUPPORTED_EVERYWHERE));
  const items: GoogleSchema = { anyOf: [{ type: 'STRING', nullable: true }, ...others] };
  const description = note === undefined ? {} : { description: note };
  return [{ type: 'STRING', ...description }, ...others, { type: 'ARRAY', items }];
}

/** Returns the values that `enum` or `const` allows. */
function valuesOf(schema: JSONSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : undefined;
}

function addStringKeywords(schema: JSONSchema, converted: GoogleSchema): void {
  const strings = valuesOf(schema)?.filter((value) => typeof value === 'string');
  // Gemini rejects the empty string in an enum.
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
  // Gemini rejects a required property that is not declared.
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}]);
  const all: JSONSchema = { ...properties, ...Object.fromEntries(undeclared) };
  if (Object.keys(all).length > 0) converted.properties = mapValues(all, change);
  if (required.length > 0) converted.required = required;
}

/** Returns the keywords for a type that the converted schema does not express. */
function unsupportedKeywords(schema: JSONSchema, type: ValueType, converted: GoogleSchema): JSONSchema {
  const keywords = { ...withoutRefs(schema, [...UNSUPPORTED[type], ...UNSUPPORTED_EVERYWHERE]) };
  if (typeof keywords.additionalProperties === 'boolean') delete keywords.additionalProperties;
  if (keywords.uniqueItems === false) delete keywords.uniqueItems;
  if (typeof schema.format === 'string' && converted.format === undefined && type !== 'object') {
    keywords.format = schema.format;
  }
  const values = valuesOf(schema)?.filter((value) => fits(value, type));
  if (values !== undefined && values.length > 0 && converted.enum === undefined) keywords.enum = values;
  return keywords;
}

/** Returns these keywords of a schema, without those that contain references, which would dangle. */
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
