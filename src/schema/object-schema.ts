import { createResolver, isRecord, type JSONSchema } from '../core/index.ts';

/** Whether only objects can be valid: by `type`, or because every way through `$ref`, `allOf`, `anyOf` and `oneOf` says so. */
export function isObjectSchema(json: JSONSchema): boolean {
  const resolver = createResolver(json);
  const seen = new Set<unknown>();

  const only = (schema: unknown): boolean => {
    if (!isRecord(schema) || seen.has(schema)) return false; // a reference in a circle says nothing
    const { type, $ref, allOf, anyOf, oneOf } = schema;
    if (type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object')) return true;

    seen.add(schema);
    const isOnly =
      ($ref !== undefined && only(resolver.resolve($ref)?.schema)) ||
      (Array.isArray(allOf) && allOf.some(only)) ||
      [anyOf, oneOf].some((union) => Array.isArray(union) && union.length > 0 && union.every(only));
    seen.delete(schema);
    return isOnly;
  };
  return only(json);
}
