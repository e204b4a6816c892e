import { isJsonType, type JSONType, type JSONValue, jsonTypeOf } from '../json.ts';
import { flattenSchema, mergeSchemas, type SchemaBudget } from './flatten.ts';
import { limitPhrase } from './phrases.ts';
import type { SchemaResolver } from './resolve.ts';
import { asSchema, type JSONSchema, listAt, schemasByName, stringsAt, withoutKeywords } from './walk.ts';

/** Depth at which a schema counts as unknown. People do not write deeper ones. */
const MAX_DEPTH = 64;

const newBudget = (): SchemaBudget => ({ left: 10_000 });

/** Returns the types of the keyword `type`, or an empty list if a schema has none. */
export const namedTypes = ({ type }: JSONSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');

/** Returns the values that `enum` or `const` allow, or undefined if a schema has neither. */
export function choicesOf(schema: JSONSchema): readonly JSONValue[] | undefined {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum;
  // Part of a schema, so it is JSON.
  return schema.const === undefined ? undefined : [schema.const as JSONValue];
}

/** Set of JSON types; undefined means all. */
type Types = ReadonlySet<JSONType> | undefined;

/**
 * Returns the JSON types that a schema can accept, by `type`, `enum`, `const`, `anyOf`, `oneOf` and merged schemas. A set
 * with `number` also contains `integer`.
 *
 * @returns undefined for all types.
 */
export const allowedTypes = (schema: unknown, resolver: SchemaResolver): Types =>
  typesOf(schema, resolver, newBudget(), 0);

function typesOf(given: unknown, resolver: SchemaResolver, budget: SchemaBudget, depth: number): Types {
  if (given === false) return new Set();
  if (budget.left-- <= 0 || depth > MAX_DEPTH) return undefined;
  const { schema } = flattenSchema(asSchema(given), resolver, budget);
  const inner = (part: unknown) => typesOf(part, resolver, budget, depth + 1);
  const named = namedTypes(schema).filter(isJsonType);
  const limits: Types[] = [
    named.length === 0 ? undefined : new Set(named.includes('number') ? [...named, 'integer'] : named),
    choicesOf(schema) && new Set(choicesOf(schema)?.map((value) => jsonTypeOf(value))),
    ...['anyOf', 'oneOf'].map((keyword) => union(listAt(schema, keyword).map(inner))),
    ...listAt(schema, 'allOf').map(inner),
  ];
  return limits.reduce(commonTypes);
}

/** Returns the types that are in both sets. */
export const commonTypes = (some: Types, others: Types): Types =>
  some && others ? new Set([...some].filter((type) => others.has(type))) : (some ?? others);

function union(sets: readonly Types[]): Types {
  if (sets.length === 0 || sets.includes(undefined)) return undefined;
  return new Set(sets.flatMap((set) => [...(set ?? [])]));
}

/** Named property of an object schema. */
export interface SchemaProperty {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/**
 * Returns the named properties of an object schema in order, including those in `allOf`, `anyOf`, `oneOf` and references. A
 * property is required if all alternatives require it.
 */
export function propertiesOf(schema: unknown, resolver: SchemaResolver): readonly SchemaProperty[] {
  const { properties, required } = objectOf(schema, resolver, newBudget(), 0);
  return [...properties].map(([name, property]) => ({ name, schema: property, required: required.has(name) }));
}

interface ObjectShape {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}

function objectOf(given: unknown, resolver: SchemaResolver, budget: SchemaBudget, depth: number): ObjectShape {
  if (budget.left-- <= 0 || depth > MAX_DEPTH) return { properties: new Map(), required: new Set() };
  const { schema } = flattenSchema(asSchema(given), resolver, budget);
  const properties = new Map(Object.entries(schemasByName(schema, 'properties')));
  const required = new Set(stringsAt(schema, 'required'));
  for (const keyword of ['anyOf', 'oneOf']) {
    const options = listAt(schema, keyword).map((option) => objectOf(option, resolver, budget, depth + 1));
    for (const name of options[0]?.required ?? []) {
      if (options.every((option) => option.required.has(name))) required.add(name);
    }
    for (const name of new Set(options.flatMap((option) => [...option.properties.keys()]))) {
      const versions = options.filter((option) => option.properties.has(name)).map((each) => each.properties.get(name));
      if (!properties.has(name)) properties.set(name, versions.length === 1 ? versions[0] : { anyOf: versions });
    }
  }
  return { properties, required };
}

export interface DescribeTypeOptions {
  /** Omits the properties of objects, and the format and limits of strings and numbers. @default false */
  readonly isShort?: boolean;
}

/** Maximum number of listed values or alternatives. */
const MAX_CHOICES = 12;
/** Depth to which objects, arrays and alternatives are shown. */
const SHOWN_DEPTH = 2;

/**
 * Describes the values that a schema accepts, like a TypeScript type: `integer, at least 1`, `"north" | "east"`,
 * `{x: number, y?: number}[]`.
 */
export function describeType(
  given: unknown,
  resolver: SchemaResolver,
  { isShort = false }: DescribeTypeOptions = {},
): string {
  const budget = newBudget();
  const describe = (part: unknown, depth: number): string => {
    if (part === false) return 'nothing';
    if (depth < 0 || budget.left-- <= 0) return '…';
    const { schema } = flattenSchema(asSchema(part), resolver, budget);
    const choices = choicesOf(schema);
    if (choices) return joined(choices.map((choice) => JSON.stringify(choice)));
    const options = [listAt(schema, 'anyOf'), listAt(schema, 'oneOf')].find(({ length }) => length > 0);
    if (!options) return joined(typesIn(schema).map((type) => describeOne(schema, type, depth)));
    const rest = withoutKeywords(schema, 'anyOf', 'oneOf', 'title', 'description', 'default');
    return joined(options.map((option) => describe(option === false ? false : both(option, rest), depth - 1)));
  };
  const both = (option: unknown, rest: JSONSchema): JSONSchema =>
    mergeSchemas(flattenSchema(asSchema(option), resolver, budget).schema, rest);
  const describeOne = (schema: JSONSchema, type: string, depth: number): string => {
    if (type === 'array') return depth > 0 ? arrayOf(describe(schema.items ?? {}, depth - 1)) : 'array';
    if (type === 'object') return !isShort && depth > 0 ? objectText(schema, depth) : 'object';
    if (isShort) return type;
    const format = typeof schema.format === 'string' ? ` (${schema.format})` : '';
    return [type + format, ...describeLimits(withoutKeywords(schema, 'format'))].join(', ');
  };
  const objectText = (schema: JSONSchema, depth: number): string => {
    const properties = Object.entries(schemasByName(schema, 'properties'));
    if (properties.length === 0) return 'object';
    const required = stringsAt(schema, 'required');
    const texts = properties.map(
      ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${describe(property, depth - 1)}`,
    );
    return `{${texts.join(', ')}}`;
  };
  return describe(given, SHOWN_DEPTH);
}

function typesIn(schema: JSONSchema): readonly string[] {
  const types = namedTypes(schema);
  if (types.length > 0) return types;
  return [schema.properties ? 'object' : schema.items ? 'array' : ANY];
}

const ANY = 'any JSON';

const arrayOf = (item: string): string => {
  if (item === ANY || item === '…') return 'array';
  return / /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
};

function joined(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const hidden = distinct.length - MAX_CHOICES;
  return [...distinct.slice(0, MAX_CHOICES), ...(hidden > 0 ? [`${hidden} more`] : [])].join(' | ');
}

const RANGES = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
] as const;
const LIMITS = [
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', 'format', 'minItems', 'maxItems'],
];

/** Describes the limits of a schema, such as `at least 1`, `3 to 5 characters` and `no item twice`. */
export function describeLimits(schema: JSONSchema): readonly string[] {
  const ranges = RANGES.filter((range) => [range[0], range[1]].every((keyword) => isLimit(keyword, schema[keyword])));
  const inRanges = ranges.flatMap(([min, max]) => [min, max] as string[]);
  const single = LIMITS.filter((keyword) => isLimit(keyword, schema[keyword]) && !inRanges.includes(keyword));
  return [
    ...ranges.map(([min, max, unit]) => [...new Set([schema[min], schema[max]])].join(' to ') + unit),
    ...single.flatMap((keyword) => limitPhrase(keyword, schema[keyword]) ?? []),
    ...(schema.uniqueItems === true ? ['no item twice'] : []),
  ];
}

const isLimit = (keyword: string, limit: unknown): boolean =>
  keyword === 'pattern' || keyword === 'format'
    ? typeof limit === 'string'
    : typeof limit === 'number' && !(limit === 0 && /^min[LI]/.test(keyword));
