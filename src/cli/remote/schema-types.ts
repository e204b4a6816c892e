import { isRecord } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** undefined: all of them. */
type Types = ReadonlySet<JsonType> | undefined;

/** A chain of references is followed this far; a schema may refer to itself. */
const MOST_STEPS = 12;

/** How many schemas are looked at, and how deep, before the rest counts as unknown: unions of unions may have no end. */
export interface Effort {
  left: number;
  depth: number;
}

export const newEffort = (): Effort => ({ left: 1_000, depth: 0 });

/** No schema that people write goes deeper. */
const DEEPEST = 64;

/** Looks at parts of a schema, unless that is too much. */
export function within<Found>(effort: Effort, look: () => Found, otherwise: Found): Found {
  if (effort.left-- <= 0 || effort.depth >= DEEPEST) return otherwise;
  effort.depth++;
  const found = look();
  effort.depth--;
  return found;
}

/** The schema that a local reference names, at the end of all references; undefined where it leads nowhere. */
export function followed(schema: unknown, root: JSONObject, steps = MOST_STEPS): JSONObject | undefined {
  if (!isRecord(schema)) return undefined;
  // A schema comes out of JSON, so each of its objects is one of JSON.
  if (typeof schema.$ref !== 'string') return schema as JSONObject;
  if (steps === 0 || !schema.$ref.startsWith('#')) return undefined;
  const keys = schema.$ref.slice(1).split('/').slice(1).map(unescaped);
  const target = keys.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  );
  const found = followed(target, root, steps - 1);
  const { $ref: _ref, ...beside } = schema as JSONObject;
  return found && { ...found, ...beside };
}

function unescaped(key: string): string {
  const pointed = key.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(pointed);
  } catch {
    return pointed;
  }
}

/** The JSON types that a schema lets through; undefined where it lets all through. `number` has `integer` beside it. */
export const allowedTypes = (schema: unknown, root: JSONObject, effort = newEffort()): Types =>
  within(effort, () => typesOf(schema, root, effort), undefined);

function typesOf(schema: unknown, root: JSONObject, effort: Effort): Types {
  const { type, enum: values, const: only, anyOf, oneOf, allOf } = followed(schema, root) ?? {};
  const limits: Types[] = [
    type === undefined ? undefined : new Set([type].flat().flatMap(namedType)),
    Array.isArray(values) ? new Set(values.map(typeOf)) : undefined,
    only === undefined ? undefined : new Set([typeOf(only)]),
  ];
  const types = (part: unknown) => allowedTypes(part, root, effort);
  if (Array.isArray(allOf)) limits.push(...allOf.map(types));
  for (const options of [anyOf, oneOf]) if (Array.isArray(options)) limits.push(union(options.map(types)));
  return limits.reduce(intersection);
}

const intersection = (some: Types, others: Types): Types =>
  some && others ? new Set([...some].filter((name) => others.has(name))) : (some ?? others);

const namedType = (type: JSONValue): JsonType[] => (type === 'number' ? ['number', 'integer'] : [type as JsonType]);

function union(sets: readonly Types[]): Types {
  const known = sets.flatMap((set) => (set ? [...set] : []));
  return sets.includes(undefined) ? undefined : new Set(known);
}

/** The JSON type of a value; `integer` for whole numbers. */
export function typeOf(value: JSONValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
}

/** The values that an `enum` or `const` names; undefined where there is neither. */
export function choicesOf(schema: unknown, root: JSONObject): readonly JSONValue[] | undefined {
  const { enum: values, const: only } = followed(schema, root) ?? {};
  if (Array.isArray(values)) return values;
  return only === undefined ? undefined : [only];
}
