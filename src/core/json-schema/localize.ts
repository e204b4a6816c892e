import { toFragment } from '../json-pointer.ts';
import { createResolver } from './resolve.ts';
import { type JSONSchema, mapSchemas, schemasIn, withoutKeywords } from './walk.ts';

/**
 * Converts all references of a schema to pointers from its root (`#/$defs/Point`), and removes `$id` and `$anchor`. A
 * reference that cannot be resolved in the document stays as it is.
 */
export function localizeSchema(document: JSONSchema): JSONSchema {
  const resolver = createResolver(document);
  return mapSchemas(document, (schema) => {
    const { $id, $anchor, ...rest } = schema;
    const target = resolver.resolve(schema.$ref, schema);
    return target ? { ...rest, $ref: toFragment(target.pointer) } : rest;
  });
}

/** Returns true if references of a schema can depend on an anchor or on a nested `$id`. */
export const hasNestedIds = (document: JSONSchema): boolean =>
  Array.from(schemasIn(document)).some(
    ({ schema, pointer }) => Object.hasOwn(schema, '$anchor') || (pointer !== '' && Object.hasOwn(schema, '$id')),
  );

/** Converts a tuple to `prefixItems`. Before 2020-12 it was `items: [...]`, followed by `additionalItems`. */
export function modernizeTuple(schema: JSONSchema): JSONSchema {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** Converts `exclusiveMinimum: true`, which before draft 6 excluded the value of `minimum`, to a number. */
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
