import { toFragment } from '../json-pointer.ts';
import { createResolver } from './resolve.ts';
import { type JSONSchema, mapSchemas, schemasIn, withoutKeywords } from './walk.ts';

/**
 * Writes all references of a schema as pointers from its root (`#/$defs/Point`), so that `$id` and `$anchor`, which are
 * removed, are not needed. A reference that leads nowhere in the document stays as it is.
 */
export function localizeSchema(document: JSONSchema): JSONSchema {
  const resolver = createResolver(document);
  return mapSchemas(document, (schema) => {
    const { $id, $anchor, ...rest } = schema;
    const target = resolver.resolve(schema.$ref, schema);
    return target ? { ...rest, $ref: toFragment(target.pointer) } : rest;
  });
}

/** Returns true if references of a schema may depend on an anchor, or on an `$id` within it. */
export function hasNestedIds(document: JSONSchema): boolean {
  for (const { schema, pointer } of schemasIn(document)) {
    if (Object.hasOwn(schema, '$anchor') || (pointer !== '' && Object.hasOwn(schema, '$id'))) return true;
  }
  return false;
}

/** Writes a tuple as `prefixItems`. Before 2020-12 it was `items: [...]`, with `additionalItems` for what follows it. */
export function modernizeTuple(schema: JSONSchema): JSONSchema {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** Writes `exclusiveMinimum: true` as a number. Before draft 6 it said that `minimum` itself is not allowed. */
export function modernizeLimits(schema: JSONSchema): JSONSchema {
  let modern = schema;
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    const isStrict = modern[exclusive] === true && typeof modern[limit] === 'number';
    modern = isStrict
      ? { ...withoutKeywords(modern, limit), [exclusive]: modern[limit] }
      : withoutKeywords(modern, exclusive);
  }
  return modern;
}
