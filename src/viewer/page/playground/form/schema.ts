import { canonicalJson, isRecord } from '../../../../core/index.ts';
import type { JSONObject, JSONValue } from '../../../../protocol/index.ts';

/** A JSON Schema; what is not one counts as one that allows everything. */
export type Schema = JSONObject;

/** Longer chains of references are circles. */
const MOST_HOPS = 32;
/** Say something about a value without restricting it; the outer schema's word counts. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  '$defs',
  'definitions',
]);

export const asSchema = (value: unknown): Schema =>
  // JSON that came from the server.
  isRecord(value) ? (value as Schema) : value === false ? { not: {} } : {};

/** The schema of a tool's input; that of a tool without parameters is null. Source: data types, "ToolSpec". */
export const inputSchema = (schema: unknown): Schema => (schema === null ? { type: 'object' } : asSchema(schema));

/** A schema without `$ref` and, where its parts do not contradict each other, without `allOf`. */
export function resolved(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let hops = 0; typeof current.$ref === 'string' && hops < MOST_HOPS; hops++) {
    const { $ref, ...rest } = current;
    const target = lookUp(root, String($ref));
    if (target === undefined) return rest;
    current = { ...asSchema(target), ...rest };
  }
  const { allOf, ...rest } = current;
  if (!Array.isArray(allOf) || typeof current.$ref === 'string') return current;
  const merged = allOf.reduce<Schema | undefined>((all, part) => {
    const own = resolvedPart(part, schema, root);
    return all && own && merge(all, own);
  }, rest);
  return merged ?? current;
}

/** A part that leads back to the whole stays as it is. */
const resolvedPart = (part: JSONValue, whole: Schema, root: Schema): Schema | undefined =>
  asSchema(part) === whole || canonicalJson(part).includes('"$dynamicRef"') ? undefined : shallow(asSchema(part), root);

function shallow(part: Schema, root: Schema): Schema | undefined {
  const own: Schema =
    typeof part.$ref === 'string' ? { ...asSchema(lookUp(root, part.$ref)), ...without(part, '$ref') } : part;
  // Parts of parts are left to the check.
  return own.allOf === undefined && own.$ref === undefined ? own : undefined;
}

const without = (schema: Schema, name: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));

function merge(all: Schema, part: Schema): Schema | undefined {
  const merged: Schema = { ...all };
  for (const [key, value] of Object.entries(part)) {
    const before = merged[key];
    if (before === undefined) merged[key] = value;
    else if (ANNOTATIONS.has(key) || canonicalJson(before) === canonicalJson(value)) continue;
    else if (key === 'required' && Array.isArray(before) && Array.isArray(value)) merged[key] = union(before, value);
    else if (key === 'properties' && areApart(before, value))
      merged[key] = { ...(before as Schema), ...(value as Schema) };
    else return undefined;
  }
  return merged;
}

const union = (a: readonly JSONValue[], b: readonly JSONValue[]): JSONValue[] => [...new Set([...a, ...b])];

const areApart = (a: JSONValue, b: JSONValue): boolean =>
  isRecord(a) && isRecord(b) && Object.keys(b).every((name) => !Object.hasOwn(a, name));

/** What a reference within the document leads to, such as `#/$defs/Point`; undefined where that is nothing. */
export function lookUp(root: Schema, reference: string): JSONValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  let place: JSONValue | undefined = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = unescaped(step);
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as JSONObject)[name];
  }
  return place;
}

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The types that a schema names; none where it leaves them open. */
export const typesOf = ({ type }: Schema): readonly string[] =>
  Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];

/** A type as people who write schemas say it: `string[]`, `"north" | "east"`, `integer | null`. */
export function typeName(schema: Schema, root: Schema, depth = 0): string {
  const plain = resolved(schema, root);
  const alternatives = plain.enum ?? (plain.const !== undefined ? [plain.const] : undefined);
  if (Array.isArray(alternatives)) return alternatives.map((each) => JSON.stringify(each)).join(' | ');
  const branches = plain.anyOf ?? plain.oneOf;
  if (Array.isArray(branches) && depth < 3)
    return [...new Set(branches.map((each) => typeName(asSchema(each), root, depth + 1)))].join(' | ');
  const types = typesOf(plain);
  if (types.length === 0) return plain.properties ? 'object' : plain.items ? 'array' : 'any';
  return types.map((type) => (type === 'array' && depth < 3 ? listName(plain, root, depth) : type)).join(' | ');
}

function listName({ items }: Schema, root: Schema, depth: number): string {
  if (!isRecord(items)) return 'array';
  const name = typeName(asSchema(items), root, depth + 1);
  return name.includes(' ') ? `(${name})[]` : `${name}[]`;
}
