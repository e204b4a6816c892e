import { isRecord } from '../core/index.ts';
import { keysOf, pointerOf, step } from './pointer.ts';
import type { JSONSchema } from './schema.ts';

/** Keywords that hold a schema or a list of schemas. */
const SCHEMAS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
]);

/** Keywords that hold schemas by name. */
const NAMED_SCHEMAS = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']);

/** A copy of the schema in which each schema directly inside it is replaced; `pointer` is the place of `schema` itself. */
export function mapChildren(
  schema: JSONSchema,
  pointer: string,
  change: (child: JSONSchema, pointer: string) => JSONSchema,
): JSONSchema {
  const changed = (child: unknown, at: string) => (isRecord(child) ? change(child, at) : child);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const at = pointer + step(keyword);
    if (SCHEMAS.has(keyword)) {
      return [keyword, Array.isArray(value) ? value.map((item, i) => changed(item, at + step(i))) : changed(value, at)];
    }
    if (NAMED_SCHEMAS.has(keyword) && isRecord(value)) {
      return [keyword, mapValues(value, (child, name) => changed(child, at + step(name)))];
    }
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

/** The schemas directly inside a schema. */
export function childrenOf(schema: JSONSchema): readonly JSONSchema[] {
  const children: JSONSchema[] = [];
  mapChildren(schema, '', (child) => {
    children.push(child);
    return child;
  });
  return children;
}

/** The schema that a `$ref` of the document leads to; undefined where the document has none at that place. */
export function follow(document: JSONSchema, ref: unknown): JSONSchema | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined;
  let found: unknown = document;
  for (const key of keysOf(pointerOf(ref))) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
  }
  return isRecord(found) ? found : undefined;
}

function mapValues(object: object, change: (value: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
