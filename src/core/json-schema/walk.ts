import { isRecord } from '../json.ts';
import { pointerSegment } from '../json-pointer.ts';

/** JSON Schema that is an object. */
export type JSONSchema = { readonly [keyword: string]: unknown };

/** Schema within a document. */
export interface SchemaPlace {
  readonly schema: JSONSchema;
  /** JSON pointer of the schema. */
  readonly pointer: string;
}

/** Keywords whose value is a schema or a list of schemas, from draft 4 to 2020-12. */
const SCHEMA_KEYWORDS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contentSchema'],
]);

/** Keywords whose value is an object of schemas by name. */
const SCHEMA_MAP_KEYWORDS = new Set([
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
]);

/** Returns true for an object and for a boolean. */
export const isSchema = (value: unknown): value is JSONSchema | boolean =>
  typeof value === 'boolean' || isRecord(value);

/** Returns a schema as an object: `{ not: {} }` for false, `{}` for true and for other values. */
export const asSchema = (value: unknown): JSONSchema => (isRecord(value) ? value : value === false ? { not: {} } : {});

/** Copies a schema without some keywords. */
export const withoutKeywords = (schema: JSONSchema, ...keywords: readonly string[]): JSONSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** Returns the schemas by name of a keyword such as `properties`; empty if there are none. */
export const schemasByName = (schema: JSONSchema, keyword: string): JSONSchema => {
  const schemas = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return isRecord(schemas) ? schemas : {};
};

/** Returns the list of a keyword such as `allOf`; empty if there is none. */
export const listAt = (schema: JSONSchema, keyword: string): readonly unknown[] => {
  const list = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return Array.isArray(list) ? list : [];
};

/** Returns the distinct strings in the list of a keyword such as `required`. */
export const stringsAt = (schema: JSONSchema, keyword: string): string[] => [
  ...new Set(listAt(schema, keyword).filter((item) => typeof item === 'string')),
];

/** Returns the direct subschemas of a schema that are objects. */
export function subschemas(schema: JSONSchema, pointer = ''): SchemaPlace[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = pointer + pointerSegment(keyword);
    if (SCHEMA_KEYWORDS.has(keyword) && isRecord(value)) return [{ schema: value, pointer: at }];
    if (!hasSchemas(keyword, value)) return [];
    return Object.entries(value).flatMap(([key, child]) =>
      isRecord(child) ? [{ schema: child, pointer: at + pointerSegment(key) }] : [],
    );
  });
}

/** Returns true if the value of a keyword contains several schemas. */
const hasSchemas = (keyword: string, value: unknown): value is object =>
  SCHEMA_KEYWORDS.has(keyword) ? Array.isArray(value) : SCHEMA_MAP_KEYWORDS.has(keyword) && isRecord(value);

/** Yields a schema and all its subschemas, outer ones first, to any depth. Does not follow references. */
export function* schemasIn(root: unknown): Generator<SchemaPlace> {
  const open: SchemaPlace[] = isRecord(root) ? [{ schema: root, pointer: '' }] : [];
  for (const place of open) {
    yield place;
    for (const child of subschemas(place.schema, place.pointer)) open.push(child);
  }
}

/**
 * Copies a schema, and changes the copy and all its subschemas, outer ones first, to any depth. The subschemas are those of
 * the changed schema.
 *
 * @param change receives a schema and its pointer, which is that of the original unless schemas are moved.
 */
export function mapSchemas(root: JSONSchema, change: (schema: JSONSchema, pointer: string) => JSONSchema): JSONSchema {
  const result: { schema: JSONSchema } = { schema: root };
  const open: (SchemaPlace & { readonly holder: object; readonly key: string })[] = [];
  open.push({ schema: root, pointer: '', holder: result, key: 'schema' });
  for (const { schema, pointer, holder, key } of open) {
    const copy: Record<string, unknown> = { ...change(schema, pointer) };
    Reflect.set(holder, key, copy);
    for (const [keyword, value] of Object.entries(copy)) {
      const at = pointer + pointerSegment(keyword);
      if (SCHEMA_KEYWORDS.has(keyword) && isRecord(value)) {
        open.push({ schema: value, pointer: at, holder: copy, key: keyword });
      } else if (hasSchemas(keyword, value)) {
        const holder: object = Array.isArray(value) ? [...value] : { ...value };
        Reflect.set(copy, keyword, holder);
        for (const [name, child] of Object.entries(value)) {
          if (isRecord(child)) open.push({ schema: child, pointer: at + pointerSegment(name), holder, key: name });
        }
      }
    }
  }
  return result.schema;
}
