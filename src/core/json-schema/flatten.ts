import { canonicalJson, equalJson } from '../canonical-json.ts';
import { isRecord } from '../json.ts';
import type { SchemaResolver } from './resolve.ts';
import { asSchema, type JSONSchema, listAt, schemasByName, withoutKeywords } from './walk.ts';

/** Remaining work for a schema: nested unions and circular references may have no end. */
export interface SchemaBudget {
  left: number;
}

/** Keywords that only describe. Of two values, the first one is kept. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const IDENTITY = ['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'];

/** Keywords that depend on each other. If two schemas both have keywords of a group, these are not merged. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
];

type Combine = (one: unknown, other: unknown) => unknown;

/** Combines values of one type; values of other types cannot be combined. */
const combine =
  <T>(isOfType: (value: unknown) => value is T, merge: (one: T, other: T) => unknown): Combine =>
  (one, other) =>
    isOfType(one) && isOfType(other) ? merge(one, other) : undefined;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const larger = combine(isNumber, Math.max);
const smaller = combine(isNumber, Math.min);
const definitions = combine(isRecord, (one, other) => ({ ...other, ...one }));

/** Combines two values of a keyword into one that requires both, or returns undefined if that is not possible. */
const COMBINE: { readonly [keyword: string]: Combine } = {
  type: commonType,
  enum: combine(Array.isArray, common),
  required: combine(Array.isArray, (one, other) => [...new Set([...one, ...other])]),
  properties: combine(isRecord, bothProperties),
  $defs: definitions,
  definitions,
  items: both,
  additionalProperties: both,
  minimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  exclusiveMinimum: larger,
  maximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  exclusiveMaximum: smaller,
};

/** Merges two schemas into one that requires both. Keywords of the second that cannot be combined go to `allOf`. */
export function mergeSchemas(first: JSONSchema, second: JSONSchema): JSONSchema {
  const merged = new Map(Object.entries(first));
  const rest = new Map<string, unknown>();
  const clashing = new Set(GROUPS.filter((group) => isInBoth(group, first, second)).flat());
  for (const [keyword, value] of Object.entries(second)) {
    const own = merged.get(keyword);
    if (clashing.has(keyword)) rest.set(keyword, value);
    else if (!merged.has(keyword)) merged.set(keyword, value);
    else if (!ANNOTATIONS.has(keyword) && !equalJson(own, value)) {
      const combined = Object.hasOwn(COMBINE, keyword) ? COMBINE[keyword]?.(own, value) : undefined;
      if (combined === undefined) rest.set(keyword, value);
      else merged.set(keyword, combined);
    }
  }
  if (rest.size > 0) merged.set('allOf', [...listAt(first, 'allOf'), Object.fromEntries(rest)]);
  return Object.fromEntries(merged);
}

export interface FlatSchema {
  /** Schema without `$ref`. Its `allOf` contains only what could not be merged. */
  readonly schema: JSONSchema;
  /** Pointers of the merged schemas, or the text of a reference that cannot be resolved. */
  readonly refs: readonly string[];
}

/**
 * Merges a schema with the target of its `$ref` and with its `allOf`, recursively. Follows each reference once. The rest
 * stays in `allOf` when the budget is used up.
 */
export function flattenSchema(schema: JSONSchema, resolver: SchemaResolver, budget: SchemaBudget): FlatSchema {
  let flat = withoutKeywords(schema, '$ref', 'allOf');
  const refs: string[] = [];
  const partsOf = (part: JSONSchema): JSONSchema[] => {
    const parts = listAt(part, 'allOf').map(asSchema);
    if (typeof part.$ref !== 'string') return parts;
    const target = resolver.resolve(part.$ref, part);
    const ref = target?.pointer ?? part.$ref;
    if (refs.includes(ref)) return parts;
    refs.push(ref);
    return [asSchema(target?.schema), ...parts];
  };
  const open = partsOf(schema).reverse();
  for (let part = open.pop(); part; part = open.pop()) {
    if (budget.left <= 0) {
      flat = { ...flat, allOf: [...listAt(flat, 'allOf'), part, ...open.reverse()] };
      break;
    }
    budget.left -= 1 + [flat, part].flatMap((each) => Object.keys(schemasByName(each, 'properties'))).length;
    flat = mergeSchemas(flat, withoutKeywords(part, '$ref', 'allOf', ...IDENTITY));
    open.push(...partsOf(part).reverse());
  }
  return { schema: flat, refs };
}

function isInBoth(group: readonly string[], first: JSONSchema, second: JSONSchema): boolean {
  const differs = group.some((keyword) => !equalJson(first[keyword], second[keyword]));
  const has = (schema: JSONSchema) => group.some((keyword) => Object.hasOwn(schema, keyword));
  const plainItems =
    !Object.hasOwn(first, 'prefixItems') && !Object.hasOwn(second, 'prefixItems') && group.includes('items');
  return differs && has(first) && has(second) && !plainItems;
}

function bothProperties(one: JSONSchema, other: JSONSchema): JSONSchema {
  const added = Object.entries(other).map(([name, value]) => [
    name,
    Object.hasOwn(one, name) ? both(one[name], value) : value,
  ]);
  return { ...one, ...Object.fromEntries(added) };
}

function both(one: unknown, other: unknown): unknown {
  if (one === other || other === true) return one;
  if (one === true) return other;
  if (one === false || other === false) return false;
  return equalJson(one, other) ? one : { allOf: [one, other] };
}

function commonType(one: unknown, other: unknown): unknown {
  const [ones, others] = [one, other].map((type) => (Array.isArray(type) ? type : [type])) as [unknown[], unknown[]];
  const allowed = (types: unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const types = [
    ...ones.filter((type) => allowed(others, type)),
    ...others.filter((type) => allowed(ones, type) && !ones.includes(type)),
  ];
  if (types.length === 0) return undefined;
  return types.length === 1 ? types[0] : types;
}

function common(one: readonly unknown[], other: readonly unknown[]): unknown {
  const others = new Set(other.map(canonicalJson));
  const values = one.filter((value) => others.has(canonicalJson(value)));
  return values.length === 0 ? undefined : values;
}
