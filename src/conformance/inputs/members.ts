import { isRecord, isSchema, type JSONSchema, ownProperty } from '../../core/index.ts';
import { matches } from './reg-exp.ts';
import type { ResolvedSchema } from './shape.ts';
import type { Schema } from './source.ts';

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
