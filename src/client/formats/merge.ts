import { canonicalJson, isRecord } from '../../core/index.ts';
import {
  asSchema,
  type Budget,
  listIn,
  mapValues,
  namesIn,
  type Resolve,
  type Schema,
  stringsIn,
  without,
} from './json-schema.ts';

/** Keywords that describe and do not test: of two, the first is kept. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const IDENTITY = ['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'];

/** Keywords that mean nothing without each other: two schemas that both have some of a group are not merged there. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
];

type Combine = (one: unknown, other: unknown) => unknown;

/** How two values of a keyword become one that says both; undefined where they cannot. */
const COMBINE: { readonly [keyword: string]: Combine } = {
  type: commonType,
  enum: (one, other) => (Array.isArray(one) && Array.isArray(other) ? common(one, other) : undefined),
  required: (one, other) => (Array.isArray(one) && Array.isArray(other) ? [...new Set([...one, ...other])] : undefined),
  properties: (one, other) => (isRecord(one) && isRecord(other) ? bothProperties(one, other) : undefined),
  $defs: (one, other) => (isRecord(one) && isRecord(other) ? { ...other, ...one } : undefined),
  definitions: (one, other) => (isRecord(one) && isRecord(other) ? { ...other, ...one } : undefined),
  items: both,
  additionalProperties: both,
  minimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  exclusiveMinimum: largest,
  maximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
  exclusiveMaximum: smallest,
};

/** One schema that says what both say. Keywords of the second that do not fit into one with the first go to its `allOf`. */
export function merge(first: Schema, second: Schema): Schema {
  const merged = new Map(Object.entries(first));
  const rest = new Map<string, unknown>();
  const clashing = new Set(GROUPS.filter((group) => inBoth(group, first, second)).flat());
  for (const [keyword, value] of Object.entries(second)) {
    const own = merged.get(keyword);
    if (clashing.has(keyword)) rest.set(keyword, value);
    else if (!merged.has(keyword)) merged.set(keyword, value);
    else if (!ANNOTATIONS.has(keyword) && canonicalJson(own) !== canonicalJson(value)) {
      const combined = Object.hasOwn(COMBINE, keyword) ? COMBINE[keyword]?.(own, value) : undefined;
      if (combined === undefined) rest.set(keyword, value);
      else merged.set(keyword, combined);
    }
  }
  if (rest.size > 0) merged.set('allOf', [...listIn(first, 'allOf'), Object.fromEntries(rest)]);
  return Object.fromEntries(merged);
}

/** A schema without `$ref`, and without `allOf` but for what could not be merged; and the references that were opened. */
export interface Flat {
  readonly schema: Schema;
  readonly refs: readonly string[];
}

/** Opens a schema's `$ref` and merges its `allOf`, and those inside them. Stops where the budget ends or a reference meets itself. */
export function flatten(schema: Schema, resolve: Resolve, budget: Budget, opened: readonly string[] = []): Flat {
  let flat = without(schema, '$ref', 'allOf');
  let refs: readonly string[] = [];
  const left: unknown[] = [];
  const add = (part: Schema, ref?: string): void => {
    budget.left -=
      1 + Object.keys(namesIn(flat, 'properties')).length + Object.keys(namesIn(part, 'properties')).length;
    const inner = flatten(part, resolve, budget, [...opened, ...refs, ...(ref === undefined ? [] : [ref])]);
    refs = [...refs, ...(ref === undefined ? [] : [ref]), ...inner.refs];
    flat = merge(flat, without(inner.schema, ...IDENTITY));
  };
  const { $ref } = schema;
  if (typeof $ref === 'string' && !opened.includes($ref) && budget.left > 0) add(resolve($ref) ?? {}, $ref);
  for (const part of listIn(schema, 'allOf')) {
    if (budget.left > 0) add(asSchema(part));
    else left.push(part);
  }
  if (left.length > 0) flat = { ...flat, allOf: [...listIn(flat, 'allOf'), ...left] };
  return { schema: flat, refs };
}

/** The choices that a schema offers by `anyOf` or else by `oneOf`; none if it has neither. */
export function choicesOf(
  schema: Schema,
): { readonly keyword: 'anyOf' | 'oneOf'; readonly choices: Schema[] } | undefined {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = listIn(schema, keyword).map(asSchema);
    if (choices.length > 0) return { keyword, choices };
  }
  return undefined;
}

/**
 * An object schema without `anyOf` and `oneOf`: it allows what any of the choices allows, and more. A property that the
 * choices see differently gets `anyOf` of what they say; required is what all of them require.
 */
export function unite(schema: Schema, resolve: Resolve, budget: Budget, depth = 0): Schema {
  const offered = choicesOf(schema);
  const base = without(schema, 'anyOf', 'oneOf');
  if (offered === undefined || depth > 8) return base;
  const shapes = offered.choices
    .filter(() => budget.left > 0)
    .map((choice) => unite(flatten(choice, resolve, budget).schema, resolve, budget, depth + 1))
    .filter(mayBeObject);
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return merge(base, only);

  const properties = unitedProperties(namesIn(base, 'properties'), shapes, budget);
  // What all choices say is known only if all were read.
  if (budget.left <= 0 || shapes.length === 0) return { ...base, properties };
  const required = shapes.map((shape) => stringsIn(shape, 'required'));
  const always = required[0]?.filter((name) => required.every((names) => names.includes(name))) ?? [];
  const closed = shapes.every((shape) => shape.additionalProperties === false);
  return {
    ...base,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(always.length > 0 ? { required: [...new Set([...stringsIn(base, 'required'), ...always])] } : {}),
    ...(closed && !Object.hasOwn(base, 'additionalProperties') ? { additionalProperties: false } : {}),
  };
}

function unitedProperties(own: Schema, shapes: readonly Schema[], budget: Budget): Schema {
  const seen = new Map<string, Map<string, unknown>>();
  for (const shape of shapes) {
    for (const [name, value] of Object.entries(namesIn(shape, 'properties'))) {
      budget.left -= 1;
      const versions = seen.get(name) ?? new Map<string, unknown>();
      seen.set(name, versions.set(canonicalJson(value), value));
    }
  }
  const added = [...seen]
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, versions]) => {
      const [first, ...others] = versions.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    });
  return { ...own, ...Object.fromEntries(added) };
}

function mayBeObject({ type }: Schema): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function inBoth(group: readonly string[], first: Schema, second: Schema): boolean {
  const differs = group.some((keyword) => canonicalJson(first[keyword]) !== canonicalJson(second[keyword]));
  const has = (schema: Schema) => group.some((keyword) => Object.hasOwn(schema, keyword));
  const plainItems =
    !Object.hasOwn(first, 'prefixItems') && !Object.hasOwn(second, 'prefixItems') && group.includes('items');
  return differs && has(first) && has(second) && !plainItems;
}

function bothProperties(one: Schema, other: Schema): Schema {
  const added = mapValues(other, (value, name) => (Object.hasOwn(one, name) ? both(one[name], value) : value));
  return { ...one, ...added };
}

function both(one: unknown, other: unknown): unknown {
  if (one === other || other === true) return one;
  if (one === true) return other;
  if (one === false || other === false) return false;
  return canonicalJson(one) === canonicalJson(other) ? one : { allOf: [one, other] };
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

function largest(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : undefined;
}

function smallest(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : undefined;
}
