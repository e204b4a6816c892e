import {
  equalJson,
  isRecord,
  isSchema,
  type JSONSchema,
  type JSONType,
  type JSONValue,
  ownProperty,
} from '../../core/index.ts';
import { type CompiledSchema, matches, type SchemaOrBoolean, type Schemas } from './compile.ts';

/**
 * Kind of the generated value: the smallest, one with everything optional, or the smallest with the author's examples
 * and defaults.
 */
export type GenerationMode = 'minimal' | 'full' | 'authored';

/** Generates the values inside a value. */
export interface ValueGenerator {
  readonly source: CompiledSchema;
  readonly style: GenerationMode;
  /** Returns a value; undefined if none is found. */
  readonly make: (schemas: Schemas) => unknown;
  /** Returns different values; some may not match. */
  readonly vary: (schemas: Schemas) => Iterable<unknown>;
  /** Returns whether a value matches the schemas of the enclosing value. */
  readonly fits: (value: unknown) => boolean;
}

/** Returns the values of an object or list that are schemas. */
const schemaValues = (value: unknown): SchemaOrBoolean[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSchema) : [];

/**
 * Schemas that apply together, after every reference has been resolved and every alternative chosen: only their own
 * keywords remain.
 */
export type ResolvedSchema = readonly JSONSchema[];

interface ResolutionState {
  readonly follow: CompiledSchema['follow'];
  /** Remaining steps: contradictory alternatives can be exponentially many without a single shape. */
  left: number;
}

const MAX_STEPS = 2_000;

/** Yields the shapes that a value may have, without those that are obviously impossible. */
export function resolveShapes(schemas: Schemas, follow: ResolutionState['follow']): Generator<ResolvedSchema> {
  return expand(schemas, [], { follow, left: MAX_STEPS });
}

function* expand(open: Schemas, done: ResolvedSchema, state: ResolutionState): Generator<ResolvedSchema> {
  const [next, ...rest] = open;
  if (next === undefined) return yield done;
  if (next === false || state.left-- <= 0) return;
  // A schema that already applies, as in a reference cycle, adds nothing.
  if (next === true || done.includes(next)) return yield* expand(rest, done, state);
  const shape = [...done, next];
  if (possibleTypes(shape).length === 0) return;
  const targets = [next.$ref, next.$dynamicRef, next.$recursiveRef].map((reference) => state.follow(reference, next));
  const known = targets.filter((target) => target !== undefined);
  yield* choose(choicesOf(next), [...known, ...schemaValues(next.allOf), ...rest], shape, state);
}

function* choose(
  choices: readonly Schemas[],
  open: Schemas,
  done: ResolvedSchema,
  state: ResolutionState,
): Generator<ResolvedSchema> {
  const [choice, ...others] = choices;
  if (!choice) return yield* expand(open, done, state);
  for (const chosen of choice) yield* choose(others, [...open, chosen], done, state);
}

/** Returns lists of schemas; one of each list applies. */
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

/** Returns the possible types, in the author's order; without one, the likeliest first. */
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

/** Returns whether numbers of the shape are integers. */
export const isIntegerOnly = (shape: ResolvedSchema): boolean => possibleTypes(shape).includes('integer');

/** Returns the shape once for each of its declared types. */
export function splitByType(shape: ResolvedSchema): ResolvedSchema[] {
  const types = possibleTypes(shape);
  const isNamed = shape.some(({ type }) => type !== undefined);
  return isNamed && types.length > 1 && !allowedConstants(shape) ? types.map((type) => [...shape, { type }]) : [shape];
}

/** Returns the values that `const` and `enum` allow; undefined without them. */
export function allowedConstants(shape: ResolvedSchema): readonly JSONValue[] | undefined {
  const lists: JSONValue[][] = shape.flatMap((part) =>
    // Constants in a JSON schema are JSON values.
    'const' in part ? [[part.const as JSONValue]] : Array.isArray(part.enum) ? [part.enum] : [],
  );
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((each) => equalJson(each, value))));
}

const numbers = (shape: ResolvedSchema, keyword: string) =>
  shape.map((part) => part[keyword]).filter((value) => typeof value === 'number');

/** Returns the strictest value of a lower bound such as `minLength`. */
export function strictestLowerBound(shape: ResolvedSchema, keyword: string): number | undefined {
  const found = numbers(shape, keyword);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** Returns the strictest value of an upper bound such as `maxLength`. */
export function strictestUpperBound(shape: ResolvedSchema, keyword: string): number | undefined {
  const found = numbers(shape, keyword);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** Returns the texts of a keyword such as `pattern`. */
export const texts = (shape: ResolvedSchema, keyword: string): string[] =>
  shape.map((part) => part[keyword]).filter((value) => typeof value === 'string');

/** Returns the author's examples and defaults. */
export function authorExamples(shape: ResolvedSchema): unknown[] {
  return shape.flatMap(({ examples, example, ...part }) => [
    ...(Array.isArray(examples) ? examples : isRecord(examples) ? Object.values(examples) : []),
    ...(example === undefined ? [] : [example]),
    ...('default' in part ? [part.default] : []),
  ]);
}

/** Returns the schemas of the value of a key. */
export function propertySchemas(shape: ResolvedSchema, key: string): SchemaOrBoolean[] {
  return shape.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const named = ownProperty(properties, key);
    const matching = Object.entries(patternProperties ?? {}).filter(([pattern]) => matches(pattern, key));
    const found = [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)];
    return (found.length > 0 ? found : [additionalProperties]).filter(isSchema);
  });
}

/** Returns the declared keys that are not forbidden. */
export const declaredKeys = (shape: ResolvedSchema): string[] => [
  ...new Set(
    shape.flatMap(({ properties }) =>
      isRecord(properties) ? Object.keys(properties).filter((key) => properties[key] !== false) : [],
    ),
  ),
];

/** Returns the required keys of an object with these keys, including dependent ones. */
export function requiredKeys(shape: ResolvedSchema, present: Iterable<string> = []): Set<string> {
  const keys = new Set([...shape.flatMap(({ required }) => strings(required)), ...present]);
  // The iteration also visits keys that are added meanwhile.
  for (const key of keys) {
    const demanded = shape.flatMap(({ dependentRequired, dependencies }) =>
      [dependentRequired, dependencies].flatMap((each) => strings(ownProperty(each, key))),
    );
    for (const each of demanded) keys.add(each);
  }
  return keys;
}

/** Returns the schema of undeclared keys, unless it is trivial. */
export const otherKeysSchema = (shape: ResolvedSchema): JSONSchema | undefined =>
  shape
    .flatMap(({ additionalProperties, patternProperties }) => [
      additionalProperties,
      ...Object.values(patternProperties ?? {}),
    ])
    .find((schema) => isRecord(schema) && Object.keys(schema).length > 0) as JSONSchema | undefined; // found as one

/** Returns whether undeclared keys are forbidden. */
export const isClosed = (shape: ResolvedSchema): boolean =>
  shape.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false);

/** Returns the schemas of the item at an index. */
export function itemSchemas(shape: ResolvedSchema, index: number): SchemaOrBoolean[] {
  return shape.flatMap(({ prefixItems, items, additionalItems, unevaluatedItems }) => {
    const prefix = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const others = Array.isArray(items) ? additionalItems : items;
    return [index < prefix.length ? prefix[index] : (others ?? unevaluatedItems)].filter(isSchema);
  });
}

/** Returns the number of items with a positional schema. */
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

/** Yields the first value of each source, then the second of each, so that a limit on the number affects all sources. */
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
