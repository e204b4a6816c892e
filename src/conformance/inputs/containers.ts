import { equalJson, isSchema, type JSONSchema } from '../../core/index.ts';
import { matches, type SchemaOrBoolean } from './compile.ts';
import { generateStrings } from './scalars.ts';
import {
  authorExamples,
  declaredKeys,
  isClosed,
  itemSchemas,
  otherKeysSchema,
  prefixLength,
  propertySchemas,
  type ResolvedSchema,
  requiredKeys,
  strictestLowerBound,
  strictestUpperBound,
  take,
  type ValueGenerator,
} from './shape.ts';

/** Maximum number of invented keys. */
const MAX_KEYS = 256;

/** Yields the requested object first, then smaller ones in case it does not match. */
export function* generateObjects(shape: ResolvedSchema, generator: ValueGenerator): Generator<JSONSchema> {
  const base = extendObject({}, [], shape, generator);
  if (!base) return;
  const keys = requestedKeys(shape, generator);
  if (keys.length > 0) {
    const all = extendObject(base, keys, shape, generator);
    if (all) yield all;
    yield keys.reduce((object, key) => {
      const next = extendObject(object, [key], shape, generator);
      return next && generator.fits(next) ? next : object;
    }, base);
  }
  yield filled(base, shape, generator);
}

/** Adds keys and the keys that they require to an object; undefined if that is not possible. */
export function extendObject(
  object: JSONSchema,
  keys: readonly string[],
  shape: ResolvedSchema,
  generator: ValueGenerator,
): JSONSchema | undefined {
  const entries = new Map(Object.entries(object));
  for (const key of requiredKeys(shape, [...entries.keys(), ...keys])) {
    if (entries.has(key)) continue;
    const value = generator.make(propertySchemas(shape, key));
    if (value === undefined) return undefined;
    entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

/** Yields other objects, each with one changed value. */
export function* variedObjects(shape: ResolvedSchema, generator: ValueGenerator): Generator<JSONSchema> {
  const base = extendObject({}, [], shape, generator);
  if (!base) return;
  yield base;
  for (const key of new Set([...Object.keys(base), ...declaredKeys(shape), ...inventedKeys(shape, generator)])) {
    for (const value of generator.vary(propertySchemas(shape, key))) yield { ...base, [key]: value };
  }
}

/** Returns all declared keys, and one undeclared key if these have a schema. */
export function allKeys(shape: ResolvedSchema, generator: ValueGenerator): string[] {
  const keys = declaredKeys(shape);
  if (!otherKeysSchema(shape)) return keys;
  for (const key of inventedKeys(shape, generator)) if (!keys.includes(key)) return [...keys, key];
  return keys;
}

function requestedKeys(shape: ResolvedSchema, generator: ValueGenerator): string[] {
  if (generator.style === 'minimal') return [];
  if (generator.style === 'full') return allKeys(shape, generator);
  const hasValue = (key: string) =>
    authorExamples(propertySchemas(shape, key).filter((each) => typeof each === 'object')).some(
      (value) => value !== null,
    );
  return declaredKeys(shape).filter(hasValue);
}

function filled(base: JSONSchema, shape: ResolvedSchema, generator: ValueGenerator): JSONSchema {
  const min = Math.min(strictestLowerBound(shape, 'minProperties') ?? 0, MAX_KEYS);
  let object = base;
  for (const key of namesFor(shape, generator)) {
    if (Object.keys(object).length >= min) return object;
    object = extendObject(object, [key], shape, generator) ?? object;
  }
  return object;
}

function* namesFor(shape: ResolvedSchema, generator: ValueGenerator): Generator<string> {
  yield* declaredKeys(shape);
  yield* inventedKeys(shape, generator);
}

/** Yields undeclared keys that may be allowed. */
function* inventedKeys(shape: ResolvedSchema, generator: ValueGenerator): Generator<string> {
  const names = shape.map((part) => part.propertyNames).filter(isSchema);
  if (names.length > 0) {
    for (const name of generator.vary([...names, { type: 'string' }])) if (typeof name === 'string') yield name;
  }
  for (const pattern of shape.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}))) {
    for (const text of generateStrings([{ pattern }], generator)) if (matches(pattern, text)) yield text;
  }
  if (isClosed(shape)) return;
  for (let index = 0; index < MAX_KEYS; index++) yield `key${index + 1}`;
}

/** Maximum length of generated arrays. */
const MAX_LIST_LENGTH = 256;

/** Yields the requested array first, then the shortest. */
export function* generateArrays(shape: ResolvedSchema, generator: ValueGenerator): Generator<unknown[]> {
  const min = Math.max(strictestLowerBound(shape, 'minItems') ?? 0, ...containing(shape).map(({ least: min }) => min));
  const max = strictestUpperBound(shape, 'maxItems') ?? Infinity;
  const preferred = Math.max(min, Math.min(max, Math.max(1, prefixLength(shape))));
  for (const length of generator.style === 'full' ? [preferred, min] : [min]) {
    const list = extendArray([], length, shape, generator);
    if (list) yield list;
  }
}

/** Extends an array to a length; undefined if that is not possible. */
export function extendArray(
  start: readonly unknown[],
  length: number,
  shape: ResolvedSchema,
  generator: ValueGenerator,
): unknown[] | undefined {
  if (length > MAX_LIST_LENGTH) return undefined;
  const list = [...start];
  while (list.length < length) {
    const item = nextItem(list, shape, generator);
    if (item === undefined) return undefined;
    list.push(item);
  }
  return list;
}

/** Yields other arrays, of increasing length. */
export function* variedArrays(shape: ResolvedSchema, generator: ValueGenerator): Generator<unknown[]> {
  let list = extendArray([], strictestLowerBound(shape, 'minItems') ?? 0, shape, generator);
  while (list) {
    yield list;
    list = extendArray(list, list.length + 1, shape, generator);
  }
}

const mustDiffer = (shape: ResolvedSchema): boolean => shape.some(({ uniqueItems }) => uniqueItems === true);

function nextItem(list: readonly unknown[], shape: ResolvedSchema, generator: ValueGenerator): unknown {
  const contained = containing(shape).flatMap(({ schema, least: min }) => (list.length < min ? [schema] : []));
  const schemas = [...itemSchemas(shape, list.length), ...contained];
  const item = generator.make(schemas);
  if (!mustDiffer(shape)) return item;
  const isNew = (value: unknown) => !list.some((each) => equalJson(each, value));
  if (item !== undefined && isNew(item)) return item;
  for (const value of take(generator.vary(schemas), 2 * MAX_LIST_LENGTH)) {
    if (isNew(value) && generator.source.fits(schemas, value)) return value;
  }
  return undefined;
}

/** Returns the `contains` schemas with their minimum number of items. */
function containing(shape: ResolvedSchema): { readonly schema: SchemaOrBoolean; readonly least: number }[] {
  return shape.flatMap(({ contains, minContains }) =>
    isSchema(contains) ? [{ schema: contains, least: typeof minContains === 'number' ? minContains : 1 }] : [],
  );
}
