import {
  equalJson,
  isRecord,
  isSchema,
  type JSONSchema,
  type JSONType,
  type JSONValue,
  ownProperty,
} from '../../core/index.ts';
import { type CompiledSchema, matches, type Schema, type Schemas } from './compile.ts';

/**
 * Which of all values is made: the smallest, one with everything optional, or the smallest with the values that the
 * author gives as examples and defaults.
 */
export type GenerationMode = 'minimal' | 'full' | 'authored';

/** What the making of a value asks for the values inside of it. */
export interface ValueGenerator {
  readonly source: CompiledSchema;
  readonly style: GenerationMode;
  /** A value; undefined where none is found. */
  readonly make: (schemas: Schemas) => unknown;
  /** Different values, of which some may not match. */
  readonly vary: (schemas: Schemas) => Iterable<unknown>;
  /** Whether a value matches in the place where one is being made. */
  readonly fits: (value: unknown) => boolean;
}

/** Returns the values of an object or list that are schemas. */
const schemaValues = (value: unknown): Schema[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSchema) : [];

/**
 * Schemas that hold at once, after every reference has been followed and every choice been made: only what they say
 * themselves is left to be read.
 */
export type ResolvedSchema = readonly JSONSchema[];

interface ResolutionState {
  readonly follow: CompiledSchema['follow'];
  /** Choices that exclude each other can be endless without a single shape. */
  left: number;
}

const MAX_STEPS = 2_000;

/** The shapes that a value may have; those without hope are left out, others may turn out to be so. */
export function resolveShapes(schemas: Schemas, follow: ResolutionState['follow']): Generator<ResolvedSchema> {
  return expand(schemas, [], { follow, left: MAX_STEPS });
}

function* expand(open: Schemas, done: ResolvedSchema, way: ResolutionState): Generator<ResolvedSchema> {
  const [next, ...rest] = open;
  if (next === undefined) return yield done;
  if (next === false || way.left-- <= 0) return;
  // What holds already, as on the way round a circle of references, adds nothing.
  if (next === true || done.includes(next)) return yield* expand(rest, done, way);
  const shape = [...done, next];
  if (possibleTypes(shape).length === 0) return;
  const targets = [next.$ref, next.$dynamicRef, next.$recursiveRef].map((reference) => way.follow(reference, next));
  const known = targets.filter((target) => target !== undefined);
  yield* choose(choicesOf(next), [...known, ...schemaValues(next.allOf), ...rest], shape, way);
}

function* choose(
  choices: readonly Schemas[],
  open: Schemas,
  done: ResolvedSchema,
  way: ResolutionState,
): Generator<ResolvedSchema> {
  const [choice, ...others] = choices;
  if (!choice) return yield* expand(open, done, way);
  for (const chosen of choice) yield* choose(others, [...open, chosen], done, way);
}

/** Lists of schemas; of each, one holds. */
function choicesOf(schema: JSONSchema): Schemas[] {
  const { anyOf, oneOf, if: condition, then = true, else: otherwise = true, dependentSchemas, dependencies } = schema;
  const choices: Schemas[] = [anyOf, oneOf].filter(Array.isArray).map(schemaValues);
  if (isSchema(condition)) choices.push([otherwise, { allOf: [condition, then] }].filter(isSchema));
  for (const dependent of [dependentSchemas, dependencies].flatMap(schemaValues)) choices.push([true, dependent]);
  return choices;
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
const TYPES: readonly JSONType[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** The types that are left, in the order in which the author names them; without one, the likeliest first. */
export function possibleTypes(shape: ResolvedSchema): readonly JSONType[] {
  const isHinted = (type: JSONType) => HINTS[type]?.some((keyword) => shape.some((part) => keyword in part)) === true;
  let types: readonly JSONType[] = [...TYPES].sort((a, b) => Number(isHinted(b)) - Number(isHinted(a)));
  for (const { type } of shape) {
    if (type === undefined) continue;
    types = [type].flat().flatMap((requested): JSONType[] => {
      if (requested === 'integer')
        return types.some((each) => each === 'number' || each === 'integer') ? ['integer'] : [];
      if (requested === 'number' && types.includes('integer')) return ['integer'];
      return types.filter((each) => each === requested);
    });
  }
  return types;
}

/** Whether its numbers are integers. */
export const isIntegerOnly = (shape: ResolvedSchema): boolean => possibleTypes(shape).includes('integer');

/** The same shape once for each of the types that the author names together. */
export function splitByType(shape: ResolvedSchema): ResolvedSchema[] {
  const types = possibleTypes(shape);
  const isNamed = shape.some(({ type }) => type !== undefined);
  return isNamed && types.length > 1 && !allowedConstants(shape) ? types.map((type) => [...shape, { type }]) : [shape];
}

/** The values that `const` and `enum` leave; undefined where neither stands. */
export function allowedConstants(shape: ResolvedSchema): readonly JSONValue[] | undefined {
  const lists: JSONValue[][] = shape.flatMap((part) =>
    // A schema is JSON, and so is each of its constants.
    'const' in part ? [[part.const as JSONValue]] : Array.isArray(part.enum) ? [part.enum] : [],
  );
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((each) => equalJson(each, value))));
}

const numbers = (shape: ResolvedSchema, keyword: string) =>
  shape.map((part) => part[keyword]).filter((value) => typeof value === 'number');

/** The strictest of a lower bound such as `minLength`. */
export function strictestLowerBound(shape: ResolvedSchema, keyword: string): number | undefined {
  const found = numbers(shape, keyword);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** The strictest of an upper bound such as `maxLength`. */
export function strictestUpperBound(shape: ResolvedSchema, keyword: string): number | undefined {
  const found = numbers(shape, keyword);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The texts under a keyword such as `pattern`. */
export const texts = (shape: ResolvedSchema, keyword: string): string[] =>
  shape.map((part) => part[keyword]).filter((value) => typeof value === 'string');

/** The values that the author gives for it. */
export function authorExamples(shape: ResolvedSchema): unknown[] {
  return shape.flatMap(({ examples, example, ...part }) => [
    ...(Array.isArray(examples) ? examples : isRecord(examples) ? Object.values(examples) : []),
    ...(example === undefined ? [] : [example]),
    ...('default' in part ? [part.default] : []),
  ]);
}

/** What holds for the value of a key. */
export function propertySchemas(shape: ResolvedSchema, key: string): Schema[] {
  return shape.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const named = ownProperty(properties, key);
    const matching = Object.entries(patternProperties ?? {}).filter(([pattern]) => matches(pattern, key));
    const found = [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)];
    return (found.length > 0 ? found : [additionalProperties]).filter(isSchema);
  });
}

/** The keys that have a schema and are not forbidden by it. */
export const declaredKeys = (shape: ResolvedSchema): string[] => [
  ...new Set(
    shape.flatMap(({ properties }) =>
      isRecord(properties) ? Object.keys(properties).filter((key) => properties[key] !== false) : [],
    ),
  ),
];

/** The keys that an object must have that has some already: those of `required`, and what these keys demand. */
export function requiredKeys(shape: ResolvedSchema, present: Iterable<string> = []): Set<string> {
  const keys = new Set([...shape.flatMap(({ required }) => strings(required)), ...present]);
  // A set goes on to what was added to it meanwhile.
  for (const key of keys) {
    const demanded = shape.flatMap(({ dependentRequired, dependencies }) =>
      [dependentRequired, dependencies].flatMap((each) => strings(ownProperty(each, key))),
    );
    for (const each of demanded) keys.add(each);
  }
  return keys;
}

/** The schema for keys that are not named, unless it allows anything or nothing. */
export const otherKeysSchema = (shape: ResolvedSchema): JSONSchema | undefined =>
  shape
    .flatMap(({ additionalProperties, patternProperties }) => [
      additionalProperties,
      ...Object.values(patternProperties ?? {}),
    ])
    .find((schema) => isRecord(schema) && Object.keys(schema).length > 0) as JSONSchema | undefined; // found as one

/** Whether no key may stand there that is not named. */
export const isClosed = (shape: ResolvedSchema): boolean =>
  shape.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false);

/** What holds for the item at an index. */
export function itemSchemas(shape: ResolvedSchema, index: number): Schema[] {
  return shape.flatMap(({ prefixItems, items, additionalItems, unevaluatedItems }) => {
    const prefix = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const others = Array.isArray(items) ? additionalItems : items;
    return [index < prefix.length ? prefix[index] : (others ?? unevaluatedItems)].filter(isSchema);
  });
}

/** How many items have a schema of their ownProperty. */
export const prefixLength = (shape: ResolvedSchema): number =>
  Math.max(0, ...shape.map(({ prefixItems, items }) => [prefixItems, items].find(Array.isArray)?.length ?? 0));

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export function* take<T>(values: Iterable<T>, max: number): Generator<T> {
  let left = max;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    if (--left === 0) return;
  }
}

/** The first of each, then the second of each, and so on: a limit to their number then cuts off none of them. */
export function* roundRobin<T>(sources: Iterable<Iterable<T>>): Generator<T> {
  let open = [...sources].map((source) => source[Symbol.iterator]());
  while (open.length > 0) {
    const left: Iterator<T>[] = [];
    for (const iterator of open) {
      const { done, value } = iterator.next();
      if (done) continue;
      left.push(iterator);
      yield value;
    }
    open = left;
  }
}
