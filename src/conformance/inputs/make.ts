import type { JSONSchema, JSONType } from '../../core/index.ts';
import { arraysOf, variedArrays } from './arrays.ts';
import { take } from './iterate.ts';
import { numbersOf, variedNumbers } from './numbers.ts';
import { objectsOf, variedObjects } from './objects.ts';
import { authored, constantsOf, type Shape, shapesOf, typesOf } from './shape.ts';
import type { Schemas, Source } from './source.ts';
import { stringsOf, variedStrings } from './strings.ts';
import type { Style, Walk } from './walk.ts';

/** A schema can have more ways through it than anybody can try, so there are only so many tries. */
interface Fuel {
  left: number;
}

/** A schema, and the tries that are left for values of it. */
export interface Supply {
  readonly source: Source;
  readonly fuel: Fuel;
}

export const supplyOf = (source: Source, tries = 2 * RESERVE): Supply => ({ source, fuel: { left: tries } });

/** What a full value leaves for the small ones in the rest of it. */
const RESERVE = 2_000;
const MOST_SHAPES = 64;
const MOST_CONSTANTS = 100;

/** Where in the schema a value is to be made. */
interface Place extends Supply {
  readonly style: Style;
  /** The schemas of the values around it. */
  readonly around: readonly Schemas[];
}

/** A value that matches all of the schemas, which stand in the source; undefined where none is found. */
export const make = (source: Source, schemas: Schemas, style: Style): unknown =>
  search({ ...supplyOf(source), style, around: [] }, schemas);

/** The smallest of one of their shapes. */
export const makeShape = (supply: Supply, schemas: Schemas, shape: Shape): unknown =>
  searchShape(shape, walkOf(supply, schemas));

/** What makes the smallest values inside of one that matches the schemas. */
export const walkOf = (supply: Supply, schemas: Schemas): Walk =>
  walkAt({ ...supply, style: 'minimal', around: [] }, schemas);

function search(place: Place, schemas: Schemas): unknown {
  const { source, style, around, fuel } = place;
  const isRepeated = isInside(place, schemas);
  if (style === 'full' && (isRepeated || fuel.left < RESERVE)) {
    return search({ ...place, style: 'minimal', around: [] }, schemas);
  }
  // The smallest value never holds one of its own kind, which would be smaller.
  if (isRepeated) return undefined;
  const walk = walkAt({ ...place, around: [...around, schemas] }, schemas);
  for (const shape of take(shapesOf(schemas, source.follow), MOST_SHAPES)) {
    if (fuel.left-- <= 0) return undefined;
    const value = searchShape(shape, walk);
    if (value !== undefined) return value;
  }
  return undefined;
}

function searchShape(shape: Shape, walk: Walk): unknown {
  // To compile a part takes longer than everything else, and most need it not.
  const isOurs = walk.style !== 'authored' || authored(shape).length === 0;
  const isSure = isOurs && isObeyed(shape, walk);
  for (const value of valuesOf(shape, walk)) if (isSure || walk.fits(value)) return value;
  return undefined;
}

/** What the first value that is made obeys, if it can be obeyed at all. */
const OBEYED = new Set([
  ...['$ref', '$defs', 'definitions', 'allOf', 'anyOf', 'type', 'title', 'description', 'default', 'examples'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'enum', 'const'],
  ...['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems'],
]);

function isObeyed(shape: Shape, { source }: Walk): boolean {
  const areMixed = shape.length > 1 && constantsOf(shape) !== undefined;
  const isKnown = (part: JSONSchema) => !('$ref' in part) || source.follow(part.$ref, part) !== undefined;
  return !areMixed && shape.every((part) => isKnown(part) && Object.keys(part).every((keyword) => OBEYED.has(keyword)));
}

function walkAt(place: Place, schemas: Schemas): Walk {
  const { source, style } = place;
  return {
    source,
    style,
    make: (inner) => search(place, inner),
    vary: (inner) => vary(place, inner),
    fits: (value) => source.fits(schemas, value),
  };
}

/** Simplest first. */
function* valuesOf(shape: Shape, walk: Walk): Generator<unknown> {
  if (walk.style === 'authored') yield* authored(shape);
  const constants = constantsOf(shape);
  if (constants) yield* constants.slice(0, MOST_CONSTANTS);
  else for (const type of typesOf(shape)) yield* BY_TYPE[type].simple(shape, walk);
}

function* vary(place: Place, schemas: Schemas): Generator<unknown> {
  if (isInside(place, schemas)) return;
  const walk = walkAt({ ...place, around: [...place.around, schemas] }, schemas);
  for (const shape of take(shapesOf(schemas, walk.source.follow), MOST_SHAPES)) {
    for (const value of variedOf(shape, walk)) {
      if (place.fuel.left-- <= 0) return;
      yield value;
    }
  }
}

function* variedOf(shape: Shape, walk: Walk): Generator<unknown> {
  const constants = constantsOf(shape);
  if (constants) yield* constants;
  else for (const type of typesOf(shape)) yield* BY_TYPE[type].varied(shape, walk);
}

type Values = (shape: Shape, walk: Walk) => Iterable<unknown>;

const BY_TYPE: Readonly<Record<JSONType, { readonly simple: Values; readonly varied: Values }>> = {
  null: { simple: () => [null], varied: () => [null] },
  boolean: { simple: () => [false, true], varied: () => [false, true] },
  integer: { simple: (shape) => numbersOf(shape, true), varied: (shape) => variedNumbers(shape, true) },
  number: { simple: (shape) => numbersOf(shape, false), varied: (shape) => variedNumbers(shape, false) },
  string: { simple: stringsOf, varied: variedStrings },
  array: { simple: arraysOf, varied: variedArrays },
  object: { simple: objectsOf, varied: variedObjects },
};

/** Whether a value of the same schemas is around it. */
const isInside = ({ around }: Place, schemas: Schemas) =>
  around.some((each) => each.length === schemas.length && each.every((schema, index) => schema === schemas[index]));
