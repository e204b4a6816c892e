import { fragment } from './pointer.ts';
import type { JSONSchema } from './schema.ts';
import { mapChildren } from './walk.ts';

/**
 * The schema as one self-contained document of dialect 2020-12: tuples written as `prefixItems`, and references by
 * `$id` or `$anchor` (TypeBox writes such) as references by place. So two schemas never meet under one name.
 */
export function localSchema(schema: JSONSchema): JSONSchema {
  const modern = modernTuples(schema);
  const places = new Map<string, string>();
  collectPlaces(modern, '', '', places);
  return localRefs(modern, '', '', places);
}

/** Before 2020-12 a tuple was `items: [...]`, and `additionalItems` spoke of what follows it. */
function modernTuples(schema: JSONSchema): JSONSchema {
  const { items, additionalItems, ...rest } = mapChildren(schema, '', modernTuples);
  if (Array.isArray(items)) {
    return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
  }
  return items === undefined ? rest : { ...rest, items };
}

/** Notes where each `$id` and `$anchor` stands; an anchor counts within the innermost `$id` around it. */
function collectPlaces(schema: JSONSchema, pointer: string, outer: string, places: Map<string, string>): void {
  const { $id, $anchor } = schema;
  const origin = typeof $id === 'string' ? pointer : outer;
  if (typeof $id === 'string') places.set($id.replace(/#$/, ''), pointer);
  if (typeof $anchor === 'string') places.set(`${origin}#${$anchor}`, pointer);
  mapChildren(schema, pointer, (child, at) => {
    collectPlaces(child, at, origin, places);
    return child;
  });
}

function localRefs(
  schema: JSONSchema,
  pointer: string,
  outer: string,
  places: ReadonlyMap<string, string>,
): JSONSchema {
  const origin = typeof schema.$id === 'string' ? pointer : outer;
  const { $schema, $id, $anchor, $async, ...rest } = mapChildren(schema, pointer, (child, at) =>
    localRefs(child, at, origin, places),
  );
  return typeof rest.$ref === 'string' ? { ...rest, $ref: localRef(rest.$ref, origin, places) } : rest;
}

/** A reference that leads nowhere inside the document stays as it is; compiling it then says so. */
function localRef(ref: string, origin: string, places: ReadonlyMap<string, string>): string {
  const [name = '', inside = ''] = ref.split('#', 2);
  const start = name === '' ? origin : places.get(name);
  if (start === undefined) return ref;
  if (inside === '' || inside.startsWith('/')) return fragment(start) + inside;
  const anchored = places.get(`${start}#${inside}`);
  return anchored === undefined ? ref : fragment(anchored);
}
