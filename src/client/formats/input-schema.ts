import {
  asSchema,
  canonicalJson,
  createResolver,
  flattenSchema,
  hasNestedIds,
  isJsonType,
  isRecord,
  type JSONSchema,
  listAt,
  localizeSchema,
  mapSchemas,
  mergeSchemas,
  modernizeLimits,
  modernizeTuple,
  namedTypes,
  type SchemaBudget,
  type SchemaResolver,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../../core/index.ts';
import type { ObjectSchema } from './types.ts';

/** Requirements of a provider for the schema of an input. */
export interface InputSchemaRules {
  /** Keywords that it rejects at the top level. */
  readonly rejectedAtTop: readonly string[];
  /** True if it requires `properties` at the top level and `items` for arrays. */
  readonly complete: boolean;
}

/** Schema of a tool's input as a provider accepts it. */
export interface ToolInputSchema {
  readonly schema: ObjectSchema;
  readonly resolver: SchemaResolver;
  /** Number of objects in the author's schema, from which the work budget is derived. */
  readonly size: number;
}

/** Maximum nesting of JSON, so that recursive readers do not overflow the stack. */
const MAX_DEPTH = 128;

/** Converts the input schema of a tool to an object schema; null (no parameters) becomes an object without properties. */
export function toObjectSchema(input: JSONSchema | null, rules: InputSchemaRules): ToolInputSchema {
  const counter = { size: 0 };
  const copy = asSchema(copyToDepth(input ?? { type: 'object', properties: {} }, MAX_DEPTH, counter));
  const modern = modernizeSchema(copy);
  const local = hasNestedIds(modern) ? localizeSchema(modern) : modern;
  const document = rules.complete ? mapSchemas(local, withItems) : local;
  const resolver = createResolver(document);
  const isRejected = rules.rejectedAtTop.some((keyword) => Object.hasOwn(document, keyword));
  const top = isRejected ? flattenTop(document, rules, resolver, counter.size) : document;
  const { type, properties, ...rest } = top;
  const named = isRecord(properties) ? { properties: mapValues(properties, asSchema) } : {};
  const schema: ObjectSchema = { type: 'object', ...(rules.complete ? { properties: {} } : {}), ...named, ...rest };
  return { schema, resolver, size: counter.size };
}

/** Returns a copy of an object with changed values; safe for every name, including `__proto__`. */
export const mapValues = <T>(object: JSONSchema, change: (value: unknown) => T): { [name: string]: T } =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Returns the work budget for a schema of this size: ample for real schemas, and a limit for hostile ones. */
export const createWorkBudget = (size: number): SchemaBudget => ({ left: 500 + 4 * size });

/** Merges rejected top-level keywords into the properties as far as possible, and describes the rest in words. */
function flattenTop(document: JSONSchema, rules: InputSchemaRules, resolver: SchemaResolver, size: number): JSONSchema {
  const budget = createWorkBudget(size);
  const flat = flattenSchema(document, resolver, budget).schema;
  const alternatives = alternativesOf(flat);
  const output = alternatives?.schemas.length === 1 ? alternatives.keyword : undefined;
  const remaining = Object.entries(flat).filter(
    ([keyword]) => rules.rejectedAtTop.includes(keyword) && keyword !== output,
  );
  const note = describeKeywords(Object.fromEntries(remaining));
  const schema = withoutKeywords(unite(flat, resolver, budget), ...rules.rejectedAtTop);
  return note === undefined ? schema : { ...schema, description: addSentence(schema.description, note) };
}

/** Copies JSON down to a depth, where objects and arrays become empty; counts the objects. */
function copyToDepth(value: unknown, levels: number, counter: { size: number }): unknown {
  if (Array.isArray(value)) return levels === 0 ? [] : value.map((item) => copyToDepth(item, levels - 1, counter));
  if (!isRecord(value)) return value;
  counter.size += 1;
  return levels === 0 ? {} : mapValues(value, (item) => copyToDepth(item, levels - 1, counter));
}

/** Converts a schema to dialect 2020-12; keeps `$schema` if no change was needed. */
function modernizeSchema(document: JSONSchema): JSONSchema {
  let changed = false;
  const modern = mapSchemas(document, (schema) => {
    const converted = modernizeRequired(modernizeType(modernizeLimits(modernizeTuple(schema))));
    changed ||= converted !== schema;
    return converted;
  });
  return changed ? withoutKeywords(modern, '$schema') : modern;
}

/** Removes a `type` with values of draft 3: `any`, or schemas in a list of types. */
function modernizeType(schema: JSONSchema): JSONSchema {
  if (schema.type === undefined) return schema;
  const types = [schema.type].flat();
  return types.length > 0 && types.every(isJsonType) ? schema : withoutKeywords(schema, 'type');
}

/** Converts the boolean `required` of properties in draft 3. */
function modernizeRequired(schema: JSONSchema): JSONSchema {
  const properties = Object.entries(schemasByName(schema, 'properties'));
  const marked = properties.filter(([, property]) => isRecord(property) && property.required === true);
  if (marked.length === 0) return typeof schema.required === 'boolean' ? withoutKeywords(schema, 'required') : schema;
  return { ...schema, required: [...new Set([...stringsAt(schema, 'required'), ...marked.map(([name]) => name)])] };
}

/** Adds `items: {}` to an array without `items`; both mean that items may be anything. */
const withItems = (schema: JSONSchema): JSONSchema =>
  namedTypes(schema).includes('array') && !Object.hasOwn(schema, 'items') ? { ...schema, items: {} } : schema;

/** Replaces dangling references, which providers reject, by a schema that allows any value, with a note. */
export function withoutDanglingRefs<T extends JSONSchema>(schema: T): T {
  const resolver = createResolver(schema);
  const checked = mapSchemas(schema, (part) => {
    const { $ref } = part;
    // Providers do not support the empty reference, which refers to the whole schema.
    if ($ref === '') return { ...part, $ref: '#' };
    if (typeof $ref !== 'string' || resolver.resolve($ref)) return part;
    const note = addSentence(part.description, `Its schema (${$ref.slice(0, 100)}) is not known.`);
    return { ...withoutKeywords(part, '$ref'), description: note };
  });
  // Only references change, so the type of the schema stays the same.
  return checked as T;
}

/** Returns the alternatives of `anyOf`, else of `oneOf`; undefined if the schema has neither. */
export function alternativesOf(
  schema: JSONSchema,
): { readonly keyword: 'anyOf' | 'oneOf'; readonly schemas: JSONSchema[] } | undefined {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const schemas = listAt(schema, keyword).map(asSchema);
    if (schemas.length > 0) return { keyword, schemas };
  }
  return undefined;
}

/**
 * Merges the alternatives of an object schema into one schema without `anyOf` and `oneOf`, which allows at least every
 * value that an alternative allows. A property that they describe differently gets `anyOf` of their schemas; only
 * properties that all of them require are required.
 */
function unite(schema: JSONSchema, resolver: SchemaResolver, budget: SchemaBudget, depth = 0): JSONSchema {
  const alternatives = alternativesOf(schema);
  const base = withoutKeywords(schema, 'anyOf', 'oneOf');
  if (alternatives === undefined || depth > 8) return base;
  const shapes = alternatives.schemas
    .filter(() => budget.left > 0)
    .map((each) => unite(flattenSchema(each, resolver, budget).schema, resolver, budget, depth + 1))
    .filter(mayBeObject);
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return mergeSchemas(base, only);

  const properties = unitedProperties(schemasByName(base, 'properties'), shapes, budget);
  // Common constraints are known only if all alternatives were read.
  if (budget.left <= 0 || shapes.length === 0) return { ...base, properties };
  const required = shapes.map((shape) => stringsAt(shape, 'required'));
  const always = required[0]?.filter((name) => required.every((names) => names.includes(name))) ?? [];
  const closed = shapes.every((shape) => shape.additionalProperties === false);
  return {
    ...base,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(always.length > 0 ? { required: [...new Set([...stringsAt(base, 'required'), ...always])] } : {}),
    ...(closed && !Object.hasOwn(base, 'additionalProperties') ? { additionalProperties: false } : {}),
  };
}

function unitedProperties(own: JSONSchema, shapes: readonly JSONSchema[], budget: SchemaBudget): JSONSchema {
  const seen = new Map<string, Map<string, unknown>>();
  for (const shape of shapes) {
    for (const [name, value] of Object.entries(schemasByName(shape, 'properties'))) {
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

const mayBeObject = (schema: JSONSchema): boolean => schema.type === undefined || namedTypes(schema).includes('object');

/** Returns the description with a sentence after it. */
export function addSentence(description: unknown, sentence: string): string {
  return typeof description === 'string' && description !== '' ? `${description}\n${sentence}` : sentence;
}

/** Maximum length of JSON in a description, in characters. */
const MAX_JSON_LENGTH = 600;

/** Describes keywords of a schema for a model; undefined if there are none or they are too long. */
export function describeKeywords(keywords: JSONSchema): string | undefined {
  const short = Object.entries(keywords).filter(([, value]) => JSON.stringify(value ?? null).length <= MAX_JSON_LENGTH);
  const json = JSON.stringify(Object.fromEntries(short));
  return short.length > 0 && json.length <= MAX_JSON_LENGTH ? `JSON Schema: ${json}` : undefined;
}
