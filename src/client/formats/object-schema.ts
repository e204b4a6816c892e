import {
  asSchema,
  createResolver,
  flattenSchema,
  hasNestedIds,
  isJsonType,
  isRecord,
  type JSONSchema,
  localizeSchema,
  mapSchemas,
  modernizeLimits,
  modernizeTuple,
  namedTypes,
  type SchemaBudget,
  type SchemaResolver,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../../core/index.ts';
import { alternativesOf, unite } from './alternatives.ts';
import { addSentence, describeKeywords } from './describe-keywords.ts';
import type { ObjectSchema } from './types.ts';

/** What a provider asks of the schema of an input, beyond that it is JSON Schema of an object. */
export interface InputSchemaRules {
  /** Keywords that it refuses at the top. */
  readonly rejectedAtTop: readonly string[];
  /** Whether it refuses an object at the top without `properties`, and an array without `items`. */
  readonly complete: boolean;
}

/** A tool's input as a provider sees it. */
export interface ToolInputSchema {
  readonly schema: ObjectSchema;
  /** Follows the references of the schema. */
  readonly resolver: SchemaResolver;
  /** How many objects the schema was made of; a measure for how much work is reasonable. */
  readonly size: number;
}

/** JSON is cut below this level, so that no program that reads it runs out of stack. */
const MAX_DEPTH = 128;

/** The input schema of a tool, made an object at the top; null (no parameters) becomes the object without properties. */
export function toObjectSchema(input: JSONSchema | null, rules: InputSchemaRules): ToolInputSchema {
  const counted = { size: 0 };
  const raw = asSchema(shallow(input ?? { type: 'object', properties: {} }, MAX_DEPTH, counted));
  const inDialect = modernized(raw);
  const modern = hasNestedIds(inDialect) ? localizeSchema(inDialect) : inDialect;
  const document = rules.complete ? mapSchemas(modern, withItems) : modern;
  const resolver = createResolver(document);
  const refused = rules.rejectedAtTop.some((keyword) => Object.hasOwn(document, keyword));
  const top = refused ? flatTop(document, rules, resolver, counted.size) : document;
  const { type, properties, ...rest } = top;
  const named = isRecord(properties) ? { properties: mapValues(properties, asSchema) } : {};
  const schema: ObjectSchema = { type: 'object', ...(rules.complete ? { properties: {} } : {}), ...named, ...rest };
  return { schema, resolver, size: counted.size };
}

/** Returns a copy of an object with changed values; safe for every name, `__proto__` too. */
export const mapValues = <T>(object: JSONSchema, change: (value: unknown) => T): { [name: string]: T } =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** The budget of work for a schema of this size: ample for what people write, and an end for what they do not. */
export const createWorkBudget = (size: number): SchemaBudget => ({ left: 500 + 4 * size });

/** Puts the meaning of keywords that are refused at the top into properties as far as possible, and the rest into words. */
function flatTop(document: JSONSchema, rules: InputSchemaRules, resolver: SchemaResolver, size: number): JSONSchema {
  const budget = createWorkBudget(size);
  const flat = flattenSchema(document, resolver, budget).schema;
  const alternatives = alternativesOf(flat);
  const output = alternatives?.schemas.length === 1 ? alternatives.keyword : undefined;
  const unsaid = Object.entries(flat).filter(
    ([keyword]) => rules.rejectedAtTop.includes(keyword) && keyword !== output,
  );
  const words = describeKeywords(Object.fromEntries(unsaid));
  const schema = withoutKeywords(unite(flat, resolver, budget), ...rules.rejectedAtTop);
  return words === undefined ? schema : { ...schema, description: addSentence(schema.description, words) };
}

/** A copy that ends at a level, with empty objects and lists there. */
function shallow(value: unknown, levels: number, counted: { size: number }): unknown {
  if (Array.isArray(value)) return levels === 0 ? [] : value.map((item) => shallow(item, levels - 1, counted));
  if (!isRecord(value)) return value;
  counted.size += 1;
  return levels === 0 ? {} : mapValues(value, (item) => shallow(item, levels - 1, counted));
}

/** Writes a schema in the words of dialect 2020-12; its `$schema` stays if it needed no change. */
function modernized(document: JSONSchema): JSONSchema {
  let changed = false;
  const modern = mapSchemas(document, (schema) => {
    const now = modernRequired(modernType(modernizeLimits(modernizeTuple(schema))));
    changed ||= now !== schema;
    return now;
  });
  return changed ? withoutKeywords(modern, '$schema') : modern;
}

/** Draft 3 had the type `any`, and schemas in lists of types; a list that has one of them says nothing here. */
function modernType(schema: JSONSchema): JSONSchema {
  if (schema.type === undefined) return schema;
  const types = [schema.type].flat();
  return types.length > 0 && types.every(isJsonType) ? schema : withoutKeywords(schema, 'type');
}

/** In draft 3 a property said of itself that it is required. */
function modernRequired(schema: JSONSchema): JSONSchema {
  const properties = Object.entries(schemasByName(schema, 'properties'));
  const marked = properties.filter(([, property]) => isRecord(property) && property.required === true);
  if (marked.length === 0) return typeof schema.required === 'boolean' ? withoutKeywords(schema, 'required') : schema;
  return { ...schema, required: [...new Set([...stringsAt(schema, 'required'), ...marked.map(([name]) => name)])] };
}

/** Says of an array without `items` that its items may be anything, which is what their absence means. */
const withItems = (schema: JSONSchema): JSONSchema =>
  namedTypes(schema).includes('array') && !Object.hasOwn(schema, 'items') ? { ...schema, items: {} } : schema;

/** Replaces references that lead to nothing, which providers refuse, by a schema that allows everything and says so. */
export function withoutDanglingRefs<T extends JSONSchema>(schema: T): T {
  const resolver = createResolver(schema);
  const checked = mapSchemas(schema, (part) => {
    const { $ref } = part;
    // Providers do not know the empty reference, which leads to the whole schema.
    if ($ref === '') return { ...part, $ref: '#' };
    if (typeof $ref !== 'string' || resolver.resolve($ref)) return part;
    const note = addSentence(part.description, `Its schema (${$ref.slice(0, 100)}) is not known.`);
    return { ...withoutKeywords(part, '$ref'), description: note };
  });
  // References are replaced within the schema, and the rest stays, so its type does.
  return checked as T;
}
