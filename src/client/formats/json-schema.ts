import { isRecord } from '../../core/index.ts';

/** A schema that is no boolean. */
export type Schema = { readonly [keyword: string]: unknown };

/** Work that is left before a schema counts as too large. */
export interface Budget {
  left: number;
}

/** Finds what a `$ref` leads to; undefined if that is nothing. */
export type Resolve = (ref: string) => Schema | undefined;

/** Keywords that hold a schema or a list of schemas. */
const SCHEMAS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
]);

/** Keywords that hold schemas by name; a name in them is never a keyword. */
const NAMED_SCHEMAS = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']);

/** A copy of the schema in which each schema directly inside it is replaced; booleans stay. */
export function mapChildren(schema: Schema, change: (child: Schema) => Schema): Schema {
  const changed = (child: unknown) => (isRecord(child) ? change(child) : child);
  return mapValues(schema, (value, keyword) => {
    if (SCHEMAS.has(keyword)) return Array.isArray(value) ? value.map(changed) : changed(value);
    return NAMED_SCHEMAS.has(keyword) && isRecord(value) ? mapValues(value, changed) : value;
  });
}

/** A copy of the object; safe for every name, `__proto__` too. */
export function mapValues<T>(object: Schema, change: (value: unknown, name: string) => T): { [name: string]: T } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

/** The schemas by name under a keyword such as `properties`; none if the keyword holds no object. */
export const namesIn = (schema: Schema, keyword: string): Schema =>
  Object.hasOwn(schema, keyword) && isRecord(schema[keyword]) ? schema[keyword] : {};

/** The list under a keyword; empty if there is none. */
export const listIn = (schema: Schema, keyword: string): readonly unknown[] =>
  Array.isArray(schema[keyword]) ? schema[keyword] : [];

export const stringsIn = (schema: Schema, keyword: string): string[] => [
  ...new Set(listIn(schema, keyword).filter((item) => typeof item === 'string')),
];

/** A boolean schema as an object, other than a schema as the schema that allows everything. */
export const asSchema = (value: unknown): Schema => (isRecord(value) ? value : value === false ? { not: {} } : {});

/** The schema without some keywords. */
export function without(schema: Schema, ...keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/**
 * Resolves references inside a document: a JSON pointer (`#/$defs/Point`), the document (`#`), an `$anchor`, an `$id`
 * as it is written. A reference to another document leads to nothing: nobody fetches it.
 */
export function resolverOf(document: Schema): Resolve {
  let named: Map<string, Schema> | undefined;
  return (ref) => {
    if (ref === '#') return document;
    if (ref.startsWith('#/')) return followPointer(document, ref);
    named ??= namedSchemas(document);
    return named.get(ref);
  };
}

function followPointer(document: Schema, ref: string): Schema | undefined {
  let found: unknown = document;
  for (const step of decoded(ref).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const inside = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = inside ? Reflect.get(found as object, key) : undefined;
  }
  return isRecord(found) || typeof found === 'boolean' ? asSchema(found) : undefined;
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

function namedSchemas(schema: Schema, named = new Map<string, Schema>()): Map<string, Schema> {
  if (typeof schema.$id === 'string') named.set(schema.$id, schema);
  if (typeof schema.$anchor === 'string') named.set(`#${schema.$anchor}`, schema);
  mapChildren(schema, (child) => {
    namedSchemas(child, named);
    return child;
  });
  return named;
}

/** The description with a sentence after it. */
export function addSentence(description: unknown, sentence: string): string {
  return typeof description === 'string' && description !== '' ? `${description}\n${sentence}` : sentence;
}

/** Longer JSON than this, in characters, is not put into a description. */
const LONGEST_JSON = 600;

/** Says in words, for a model, what a schema says by these keywords; undefined if that is nothing or too long. */
export function inWords(keywords: Schema): string | undefined {
  const short = Object.entries(keywords).filter(([, value]) => JSON.stringify(value ?? null).length <= LONGEST_JSON);
  const json = JSON.stringify(Object.fromEntries(short));
  if (short.length > 0 && json.length <= LONGEST_JSON) return `JSON Schema: ${json}`;
  return undefined;
}
