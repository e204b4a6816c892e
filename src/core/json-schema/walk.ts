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

/** Keywords with a schema or a list of schemas, of the drafts 4 to 2020-12. */
const SCHEMA_KEYWORDS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contentSchema'],
]);

/** Keywords with schemas by name; a name in them is never a keyword. */
const SCHEMA_MAP_KEYWORDS = new Set([
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
]);

/** Returns true for an object and for a boolean. */
export const isSchema = (value: unknown): value is JSONSchema | boolean =>
  typeof value === 'boolean' || isRecord(value);

/** Returns a schema as an object: `{ not: {} }` for false, `{}` for true and for what is not a schema. */
export const asSchema = (value: unknown): JSONSchema => (isRecord(value) ? value : value === false ? { not: {} } : {});

/** Returns a copy of a schema without some keywords. */
export const withoutKeywords = (schema: JSONSchema, ...keywords: readonly string[]): JSONSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** Returns the schemas by name under a keyword such as `properties`; empty if it has none. */
export const schemasByName = (schema: JSONSchema, keyword: string): JSONSchema => {
  const schemas = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return isRecord(schemas) ? schemas : {};
};

/** Returns the list under a keyword such as `allOf`; empty if it has none. */
export const listAt = (schema: JSONSchema, keyword: string): readonly unknown[] => {
  const list = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return Array.isArray(list) ? list : [];
};

/** Returns the distinct strings in the list under a keyword such as `required`. */
export const stringsAt = (schema: JSONSchema, keyword: string): string[] => [
  ...new Set(listAt(schema, keyword).filter((item) => typeof item === 'string')),
];

/** Returns the schemas directly within a schema that are objects. */
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

/** Returns true for a keyword that holds several schemas, and whose value does. */
const hasSchemas = (keyword: string, value: unknown): value is object =>
  SCHEMA_KEYWORDS.has(keyword) ? Array.isArray(value) : SCHEMA_MAP_KEYWORDS.has(keyword) && isRecord(value);

/** Yields a schema and all schemas within it, outer ones first; references are not followed. Accepts any depth. */
export function* schemasIn(root: unknown): Generator<SchemaPlace> {
  const open: SchemaPlace[] = isRecord(root) ? [{ schema: root, pointer: '' }] : [];
  for (const place of open) {
    yield place;
    for (const child of subschemas(place.schema, place.pointer)) open.push(child);
  }
}

/**
 * Copies a schema, with a change to it and to all schemas within it. Outer ones are changed first; then follow those
 * within what was returned. Accepts any depth.
 *
 * @param change gets the schema and its pointer, which is that of the original as long as no schema is moved.
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
