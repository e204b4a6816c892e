import { equalJson, isSchema, type JSONSchema } from '../../core/index.ts';
import { matches, type Schema } from './compile.ts';
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

/** More are not invented. */
const MAX_KEYS = 256;

/** The object that is wanted first, then what is left of it where that does not match. */
export function* generateObjects(shape: ResolvedSchema, walk: ValueGenerator): Generator<JSONSchema> {
  const base = extendObject({}, [], shape, walk);
  if (!base) return;
  const keys = wishedKeys(shape, walk);
  if (keys.length > 0) {
    const all = extendObject(base, keys, shape, walk);
    if (all) yield all;
    yield keys.reduce((object, key) => {
      const next = extendObject(object, [key], shape, walk);
      return next && walk.fits(next) ? next : object;
    }, base);
  }
  yield filled(base, shape, walk);
}

/** An object with further keys, and with those that they demand. Undefined where one cannot be made. */
export function extendObject(
  object: JSONSchema,
  keys: readonly string[],
  shape: ResolvedSchema,
  walk: ValueGenerator,
): JSONSchema | undefined {
  const entries = new Map(Object.entries(object));
  for (const key of requiredKeys(shape, [...entries.keys(), ...keys])) {
    if (entries.has(key)) continue;
    const value = walk.make(propertySchemas(shape, key));
    if (value === undefined) return undefined;
    entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

/** Other objects, each with one value changed. */
export function* variedObjects(shape: ResolvedSchema, walk: ValueGenerator): Generator<JSONSchema> {
  const base = extendObject({}, [], shape, walk);
  if (!base) return;
  yield base;
  for (const key of new Set([...Object.keys(base), ...declaredKeys(shape), ...inventedKeys(shape, walk)])) {
    for (const value of walk.vary(propertySchemas(shape, key))) yield { ...base, [key]: value };
  }
}

/** The keys of an object with everything: those that are named, and one for the others if they have a schema. */
export function allKeys(shape: ResolvedSchema, walk: ValueGenerator): string[] {
  const keys = declaredKeys(shape);
  if (!otherKeysSchema(shape)) return keys;
  for (const key of inventedKeys(shape, walk)) if (!keys.includes(key)) return [...keys, key];
  return keys;
}

function wishedKeys(shape: ResolvedSchema, walk: ValueGenerator): string[] {
  if (walk.style === 'minimal') return [];
  if (walk.style === 'full') return allKeys(shape, walk);
  const hasValue = (key: string) =>
    authorExamples(propertySchemas(shape, key).filter((each) => typeof each === 'object')).some(
      (value) => value !== null,
    );
  return declaredKeys(shape).filter(hasValue);
}

function filled(base: JSONSchema, shape: ResolvedSchema, walk: ValueGenerator): JSONSchema {
  const min = Math.min(strictestLowerBound(shape, 'minProperties') ?? 0, MAX_KEYS);
  let object = base;
  for (const key of namesFor(shape, walk)) {
    if (Object.keys(object).length >= min) return object;
    object = extendObject(object, [key], shape, walk) ?? object;
  }
  return object;
}

function* namesFor(shape: ResolvedSchema, walk: ValueGenerator): Generator<string> {
  yield* declaredKeys(shape);
  yield* inventedKeys(shape, walk);
}

/** Keys that nobody has named, and that may be allowed. */
function* inventedKeys(shape: ResolvedSchema, walk: ValueGenerator): Generator<string> {
  const names = shape.map((part) => part.propertyNames).filter(isSchema);
  if (names.length > 0) {
    for (const name of walk.vary([...names, { type: 'string' }])) if (typeof name === 'string') yield name;
  }
  for (const pattern of shape.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}))) {
    for (const text of generateStrings([{ pattern }], walk)) if (matches(pattern, text)) yield text;
  }
  if (isClosed(shape)) return;
  for (let index = 0; index < MAX_KEYS; index++) yield `key${index + 1}`;
}

/** Longer lists are not made. */
export const MAX_LIST_LENGTH = 256;

/** The list that is wanted first, then the shortest. */
export function* generateArrays(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown[]> {
  const min = Math.max(strictestLowerBound(shape, 'minItems') ?? 0, ...containing(shape).map(({ least: min }) => min));
  const max = strictestUpperBound(shape, 'maxItems') ?? Infinity;
  const wished = Math.max(min, Math.min(max, Math.max(1, prefixLength(shape))));
  for (const length of walk.style === 'full' ? [wished, min] : [min]) {
    const list = extendArray([], length, shape, walk);
    if (list) yield list;
  }
}

/** A list with so many items at least. Undefined where one cannot be made. */
export function extendArray(
  start: readonly unknown[],
  length: number,
  shape: ResolvedSchema,
  walk: ValueGenerator,
): unknown[] | undefined {
  if (length > MAX_LIST_LENGTH) return undefined;
  const list = [...start];
  while (list.length < length) {
    const item = nextItem(list, shape, walk);
    if (item === undefined) return undefined;
    list.push(item);
  }
  return list;
}

/** Other lists, of growing length. */
export function* variedArrays(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown[]> {
  let list = extendArray([], strictestLowerBound(shape, 'minItems') ?? 0, shape, walk);
  while (list) {
    yield list;
    list = extendArray(list, list.length + 1, shape, walk);
  }
}

const mustDiffer = (shape: ResolvedSchema): boolean => shape.some(({ uniqueItems }) => uniqueItems === true);

function nextItem(list: readonly unknown[], shape: ResolvedSchema, walk: ValueGenerator): unknown {
  const contained = containing(shape).flatMap(({ schema, least: min }) => (list.length < min ? [schema] : []));
  const schemas = [...itemSchemas(shape, list.length), ...contained];
  const item = walk.make(schemas);
  if (!mustDiffer(shape)) return item;
  const isNew = (value: unknown) => !list.some((each) => equalJson(each, value));
  if (item !== undefined && isNew(item)) return item;
  for (const value of take(walk.vary(schemas), 2 * MAX_LIST_LENGTH)) {
    if (isNew(value) && walk.source.fits(schemas, value)) return value;
  }
  return undefined;
}

/** What a list must contain, and how often. */
function containing(shape: ResolvedSchema): { readonly schema: Schema; readonly least: number }[] {
  return shape.flatMap(({ contains, minContains }) =>
    isSchema(contains) ? [{ schema: contains, least: typeof minContains === 'number' ? minContains : 1 }] : [],
  );
}
