import { isSchema, type JSONSchema } from '../../core/index.ts';
import { isClosed, namedKeys, neededKeys, otherKeysSchema, propertySchemas } from './members.ts';
import { matches } from './reg-exp.ts';
import { authored, lower, type Shape } from './shape.ts';
import { stringsOf } from './strings.ts';
import type { Walk } from './walk.ts';

/** More are not invented. */
const MOST_KEYS = 256;

/** The object that is wanted first, then what is left of it where that does not match. */
export function* objectsOf(shape: Shape, walk: Walk): Generator<JSONSchema> {
  const base = extended({}, [], shape, walk);
  if (!base) return;
  const keys = wishedKeys(shape, walk);
  if (keys.length > 0) {
    const all = extended(base, keys, shape, walk);
    if (all) yield all;
    yield keys.reduce((object, key) => {
      const next = extended(object, [key], shape, walk);
      return next && walk.fits(next) ? next : object;
    }, base);
  }
  yield filled(base, shape, walk);
}

/** An object with further keys, and with those that they demand. Undefined where one cannot be made. */
export function extended(
  object: JSONSchema,
  keys: readonly string[],
  shape: Shape,
  walk: Walk,
): JSONSchema | undefined {
  const entries = new Map(Object.entries(object));
  for (const key of neededKeys(shape, [...entries.keys(), ...keys])) {
    if (entries.has(key)) continue;
    const value = walk.make(propertySchemas(shape, key));
    if (value === undefined) return undefined;
    entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

/** Other objects, each with one value changed. */
export function* variedObjects(shape: Shape, walk: Walk): Generator<JSONSchema> {
  const base = extended({}, [], shape, walk);
  if (!base) return;
  yield base;
  for (const key of new Set([...Object.keys(base), ...namedKeys(shape), ...inventedKeys(shape, walk)])) {
    for (const value of walk.vary(propertySchemas(shape, key))) yield { ...base, [key]: value };
  }
}

/** The keys of an object with everything: those that are named, and one for the others if they have a schema. */
export function allKeys(shape: Shape, walk: Walk): string[] {
  const keys = namedKeys(shape);
  if (!otherKeysSchema(shape)) return keys;
  for (const key of inventedKeys(shape, walk)) if (!keys.includes(key)) return [...keys, key];
  return keys;
}

function wishedKeys(shape: Shape, walk: Walk): string[] {
  if (walk.style === 'minimal') return [];
  if (walk.style === 'full') return allKeys(shape, walk);
  const hasValue = (key: string) =>
    authored(propertySchemas(shape, key).filter((each) => typeof each === 'object')).some((value) => value !== null);
  return namedKeys(shape).filter(hasValue);
}

function filled(base: JSONSchema, shape: Shape, walk: Walk): JSONSchema {
  const least = Math.min(lower(shape, 'minProperties') ?? 0, MOST_KEYS);
  let object = base;
  for (const key of namesFor(shape, walk)) {
    if (Object.keys(object).length >= least) return object;
    object = extended(object, [key], shape, walk) ?? object;
  }
  return object;
}

function* namesFor(shape: Shape, walk: Walk): Generator<string> {
  yield* namedKeys(shape);
  yield* inventedKeys(shape, walk);
}

/** Keys that nobody has named, and that may be allowed. */
function* inventedKeys(shape: Shape, walk: Walk): Generator<string> {
  const names = shape.map((part) => part.propertyNames).filter(isSchema);
  if (names.length > 0) {
    for (const name of walk.vary([...names, { type: 'string' }])) if (typeof name === 'string') yield name;
  }
  for (const pattern of shape.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}))) {
    for (const text of stringsOf([{ pattern }], walk)) if (matches(pattern, text)) yield text;
  }
  if (isClosed(shape)) return;
  for (let index = 0; index < MOST_KEYS; index++) yield `key${index + 1}`;
}
