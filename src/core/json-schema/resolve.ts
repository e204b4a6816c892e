import { isRecord } from '../json.ts';
import { decodeFragment, pointerSegment, toFragment, valueAt } from '../json-pointer.ts';
import { isSchema, type JSONSchema, mapSchemas, schemasIn, subschemas, withoutKeywords } from './walk.ts';

/**
 * Resolves references within a JSON Schema document: `#`, a pointer (`#/$defs/Point`), an anchor (`#point`), an `$id`
 * (`point.json`, `urn:point#/$defs/x`). Nothing is fetched. Source: JSON Schema 2020-12 core, "Base URI, Anchors, and
 * Dereferencing".
 */
export interface SchemaResolver {
  /**
   * Returns the target of a reference, or undefined if there is none.
   *
   * @param from schema with the reference, which is relative to the innermost enclosing `$id`. @default the document
   */
  resolve(reference: unknown, from?: JSONSchema): ReferenceTarget | undefined;
  /** Returns the pointer of a schema of the document, or of one that a reference led to. */
  pointerOf(schema: JSONSchema): string | undefined;
}

export interface ReferenceTarget {
  readonly schema: JSONSchema | boolean;
  /** JSON pointer of the schema. */
  readonly pointer: string;
}

/** Part of a document with a common base URI. */
interface Resource {
  readonly pointer: string;
  readonly uri: string;
}

/** Base of an `$id` in a document without a URI; makes `point` and `./point` equal. */
const NO_URI = 'json-schema:///';

export function createResolver(document: unknown): SchemaResolver {
  const root: Resource = { pointer: '', uri: NO_URI };
  const places = new Map<JSONSchema, { readonly pointer: string; readonly resource: Resource }>();
  /** By URI, and by the text of `$id`. */
  const resources = new Map<string, Resource>();
  /** Pointers by the pointer of the resource and the name, such as `/$defs/point#name`. */
  const anchors = new Map<string, string>();

  const index = (schema: JSONSchema, pointer: string, resource: Resource): void => {
    const open = [{ schema, pointer, resource }];
    for (const place of open) {
      if (places.has(place.schema)) continue;
      const [uri, name] = splitReference(place.schema.$id);
      const own = uri === '' ? place.resource : { pointer: place.pointer, uri: absolute(uri, place.resource.uri) };
      places.set(place.schema, { pointer: place.pointer, resource: own });
      if (uri !== '') for (const key of [own.uri, uri]) setOnce(resources, key, own);
      // Drafts 6 and 7 write an anchor as `$id: "#name"`.
      for (const anchor of [place.schema.$anchor, place.schema.$dynamicAnchor, name]) {
        if (typeof anchor === 'string' && anchor !== '') setOnce(anchors, `${own.pointer}#${anchor}`, place.pointer);
      }
      for (const child of subschemas(place.schema, place.pointer)) open.push({ ...child, resource: own });
    }
  };
  const resourceOf = (schema: unknown): Resource => {
    if (places.size === 0 && isRecord(document)) index(document, '', root);
    return (isRecord(schema) ? places.get(schema)?.resource : undefined) ?? root;
  };

  const resolve = (reference: unknown, from: unknown = document): ReferenceTarget | undefined => {
    if (typeof reference !== 'string') return undefined;
    const base = resourceOf(from);
    const [uri, fragment] = splitReference(reference);
    const resource = uri === '' ? base : (resources.get(absolute(uri, base.uri)) ?? resources.get(uri));
    if (!resource) return undefined;
    const isPointer = fragment === '' || fragment.startsWith('/');
    const pointer = isPointer ? resource.pointer + fragment : anchors.get(`${resource.pointer}#${fragment}`);
    const schema = pointer === undefined ? undefined : valueAt(document, pointer);
    if (pointer === undefined || !isSchema(schema)) return undefined;
    // Any value is a schema if a reference points to it.
    if (isRecord(schema)) index(schema, pointer, resource);
    return { schema, pointer };
  };
  return {
    resolve,
    pointerOf(schema) {
      resourceOf(schema);
      return places.get(schema)?.pointer;
    },
  };
}

/**
 * Returns where in a document a `$ref` leads back to itself, directly or through other references, so that it describes
 * nothing: the JSON pointer, or `the root`. Undefined if there is none.
 *
 * @param document JSON Schema or OpenAPI document.
 */
export function findCircularReference(document: unknown): string | undefined {
  const resolver = createResolver(document);
  const visited = new Set<unknown>();
  const followed = new Set<unknown>();
  const open: { readonly value: unknown; readonly pointer: string }[] = [{ value: document, pointer: '' }];
  for (const { value, pointer } of open) {
    if (typeof value !== 'object' || value === null || visited.has(value)) continue;
    visited.add(value);
    const chain = new Set<unknown>();
    let target: ReferenceTarget | undefined = isRecord(value) ? { schema: value, pointer } : undefined;
    while (target && isRecord(target.schema) && '$ref' in target.schema && !followed.has(target.schema)) {
      if (chain.has(target.schema)) return target.pointer || 'the root';
      chain.add(target.schema);
      target = resolver.resolve(target.schema.$ref, target.schema);
    }
    for (const each of chain) followed.add(each);
    for (const [key, child] of Object.entries(value)) {
      open.push({ value: child, pointer: pointer + pointerSegment(key) });
    }
  }
  return undefined;
}

/** Splits a reference into the URI and the decoded fragment. */
function splitReference(reference: unknown): readonly [uri: string, fragment: string] {
  if (typeof reference !== 'string') return ['', ''];
  const [uri = '', ...fragment] = reference.split('#');
  return [uri, decodeFragment(fragment.join('#'))];
}

function absolute(uri: string, base: string): string {
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function setOnce<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

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
