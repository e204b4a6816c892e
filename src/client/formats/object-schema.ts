import { isRecord } from '../../core/index.ts';
import {
  addSentence,
  asSchema,
  type Budget,
  inWords,
  mapChildren,
  mapValues,
  namesIn,
  type Resolve,
  resolverOf,
  type Schema,
  stringsIn,
  without,
} from './json-schema.ts';
import { choicesOf, flatten, unite } from './merge.ts';
import type { ObjectSchema } from './types.ts';

/** What a provider asks of the schema of an input, beyond that it is JSON Schema of an object. */
export interface ObjectRules {
  /** Keywords that it refuses at the top. */
  readonly refusedAtTop: readonly string[];
  /** Whether it refuses an object at the top without `properties`, and an array without `items`. */
  readonly complete: boolean;
}

/** A tool's input as a provider sees it. */
export interface ObjectInput {
  readonly schema: ObjectSchema;
  /** Finds what the references of the schema lead to. */
  readonly resolve: Resolve;
  /** How many objects the schema was made of; a measure for how much work is reasonable. */
  readonly size: number;
}

/** JSON is cut below this level, so that no program that reads it runs out of stack. */
const DEEPEST_LEVEL = 128;

/** The input schema of a tool, made an object at the top; null (no parameters) becomes the object without properties. */
export function objectSchema(input: Schema | null, rules: ObjectRules): ObjectInput {
  const counted = { size: 0 };
  const raw = asSchema(shallow(input ?? { type: 'object', properties: {} }, DEEPEST_LEVEL, counted));
  const modern = modernized(raw);
  const document = rules.complete ? withItems(modern) : modern;
  const resolve = resolverOf(document);
  const refused = rules.refusedAtTop.some((keyword) => Object.hasOwn(document, keyword));
  const top = refused ? flatTop(document, rules, resolve, counted.size) : document;
  const { type, properties, ...rest } = top;
  const named = isRecord(properties) ? { properties: mapValues(properties, asSchema) } : {};
  const schema: ObjectSchema = { type: 'object', ...(rules.complete ? { properties: {} } : {}), ...named, ...rest };
  return { schema, resolve, size: counted.size };
}

/** The budget of work for a schema of this size: ample for what people write, and an end for what they do not. */
export const budgetFor = (size: number): Budget => ({ left: 500 + 4 * size });

/** Puts the meaning of keywords that are refused at the top into properties as far as possible, and the rest into words. */
function flatTop(document: Schema, rules: ObjectRules, resolve: Resolve, size: number): Schema {
  const budget = budgetFor(size);
  const flat = flatten(document, resolve, budget).schema;
  const offered = choicesOf(flat);
  const said = offered?.choices.length === 1 ? offered.keyword : undefined;
  const unsaid = Object.entries(flat).filter(([keyword]) => rules.refusedAtTop.includes(keyword) && keyword !== said);
  const words = inWords(Object.fromEntries(unsaid));
  const schema = without(unite(flat, resolve, budget), ...rules.refusedAtTop);
  return words === undefined ? schema : { ...schema, description: addSentence(schema.description, words) };
}

/** A copy that ends at a level, with empty objects and lists there. */
function shallow(value: unknown, levels: number, counted: { size: number }): unknown {
  if (Array.isArray(value)) return levels === 0 ? [] : value.map((item) => shallow(item, levels - 1, counted));
  if (!isRecord(value)) return value;
  counted.size += 1;
  return levels === 0 ? {} : mapValues(value, (item) => shallow(item, levels - 1, counted));
}

/** The schema in the words of dialect 2020-12; its `$schema` stays if it needed no change. */
function modernized(document: Schema): Schema {
  let changed = false;
  const modern = (schema: Schema): Schema => {
    const now = modernRequired(modernType(modernLimits(modernTuple(schema))));
    changed ||= now !== schema;
    return mapChildren(now, modern);
  };
  const result = modern(document);
  return changed ? without(result, '$schema') : result;
}

/** Before 2020-12 a tuple was `items: [...]`, and `additionalItems` spoke of what follows it. */
function modernTuple(schema: Schema): Schema {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** Before draft 6 `exclusiveMinimum: true` said that `minimum` itself is not allowed. */
function modernLimits(schema: Schema): Schema {
  let modern = schema;
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    const strict = modern[exclusive] === true && typeof modern[limit] === 'number';
    modern = strict ? { ...without(modern, limit), [exclusive]: modern[limit] } : without(modern, exclusive);
  }
  return modern;
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Draft 3 had the type `any`, and schemas in lists of types; a list that has one of them says nothing here. */
function modernType(schema: Schema): Schema {
  if (schema.type === undefined) return schema;
  const types = [schema.type].flat();
  return types.length > 0 && types.every((type) => TYPES.includes(type)) ? schema : without(schema, 'type');
}

/** In draft 3 a property said of itself that it is required. */
function modernRequired(schema: Schema): Schema {
  const properties = Object.entries(namesIn(schema, 'properties'));
  const marked = properties.filter(([, property]) => isRecord(property) && property.required === true);
  if (marked.length === 0) return typeof schema.required === 'boolean' ? without(schema, 'required') : schema;
  return { ...schema, required: [...new Set([...stringsIn(schema, 'required'), ...marked.map(([name]) => name)])] };
}

/** Says of each array without `items` that its items may be anything, which is what their absence means. */
function withItems(schema: Schema): Schema {
  const inside = mapChildren(schema, withItems);
  const { type } = inside;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && !Object.hasOwn(inside, 'items') ? { ...inside, items: {} } : inside;
}

/** Replaces references that lead to nothing, which providers refuse, by a schema that allows everything and says so. */
export function withoutDanglingRefs<T extends Schema>(schema: T): T {
  if (hasNestedId(schema)) return schema;
  const resolve = resolverOf(schema);
  const check = (part: Schema): Schema => {
    const checked = mapChildren(part, check);
    const { $ref } = checked;
    if (typeof $ref !== 'string' || resolve($ref) !== undefined) return checked;
    const note = addSentence(checked.description, `Its schema (${$ref.slice(0, 100)}) is not known.`);
    return { ...without(checked, '$ref'), description: note };
  };
  // The check replaces references inside and keeps the rest, so it is the schema's type still.
  return check(schema) as T;
}

/** With an `$id` inside, references there are relative to it. */
function hasNestedId(schema: Schema): boolean {
  let found = false;
  const look = (part: Schema): Schema => {
    found ||= Object.hasOwn(part, '$id');
    return found ? part : mapChildren(part, look);
  };
  mapChildren(schema, look);
  return found;
}
