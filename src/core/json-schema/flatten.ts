import { canonicalJson } from '../canonical-json.ts';
import { equalJson, isRecord } from '../json.ts';
import type { SchemaResolver } from './resolve.ts';
import { asSchema, type JSONSchema, listAt, schemasByName, withoutKeywords } from './walk.ts';

/** Work that may still be spent on a schema; unions within unions and references in circles may have no end. */
export interface SchemaBudget {
  left: number;
}

/** Keywords that describe and do not restrict: of two, the first is kept. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const IDENTITY = ['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'];

/** Keywords that mean nothing without each other: two schemas that both have some of a group are not merged there. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
];

type Combine = (one: unknown, other: unknown) => unknown;

/** Combines two values of a keyword into one with the meaning of both; undefined if that is not possible. */
const COMBINE: { readonly [keyword: string]: Combine } = {
  type: commonType,
  enum: (one, other) => (Array.isArray(one) && Array.isArray(other) ? common(one, other) : undefined),
  required: (one, other) => (Array.isArray(one) && Array.isArray(other) ? [...new Set([...one, ...other])] : undefined),
  properties: (one, other) => (isRecord(one) && isRecord(other) ? bothProperties(one, other) : undefined),
  $defs: (one, other) => (isRecord(one) && isRecord(other) ? { ...other, ...one } : undefined),
  definitions: (one, other) => (isRecord(one) && isRecord(other) ? { ...other, ...one } : undefined),
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

/** Merges two schemas into one that says what both say. Keywords of the second that do not combine go to its `allOf`. */
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
  /** Schema without `$ref`, and without `allOf` except for what did not merge. */
  readonly schema: JSONSchema;
  /** Pointers of the schemas that were merged into it; of a reference to nothing its text. */
  readonly refs: readonly string[];
}

/**
 * Merges a schema with what its `$ref` leads to and with its `allOf`, and those within them: all hold together. Each
 * reference is followed once. The rest stays in `allOf` when the budget ends.
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

function larger(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : undefined;
}

function smaller(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : undefined;
}
