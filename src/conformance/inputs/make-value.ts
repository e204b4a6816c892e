import type { JSONSchema, JSONType } from '../../core/index.ts';
import type { CompiledSchema, Schemas } from './compile.ts';
import { generateArrays, generateObjects, variedArrays, variedObjects } from './containers.ts';
import { generateNumbers, generateStrings, variedNumbers, variedStrings } from './scalars.ts';
import {
  allowedConstants,
  authorExamples,
  type GenerationMode,
  possibleTypes,
  type ResolvedSchema,
  resolveShapes,
  take,
  type ValueGenerator,
} from './shape.ts';

/** A schema can have more ways through it than anybody can try, so there are only so many tries. */
interface AttemptBudget {
  left: number;
}

/** A schema, and the tries that are left for values of it. */
export interface GeneratorState {
  readonly source: CompiledSchema;
  readonly fuel: AttemptBudget;
}

export const createGeneratorState = (source: CompiledSchema, tries = 2 * RESERVE): GeneratorState => ({
  source,
  fuel: { left: tries },
});

/** What a full value leaves for the small ones in the rest of it. */
const RESERVE = 2_000;
const MAX_RESOLVED_SCHEMAS = 64;
const MAX_CONSTANTS = 100;

/** Where in the schema a value is to be made. */
interface GenerationContext extends GeneratorState {
  readonly style: GenerationMode;
  /** The schemas of the values around it. */
  readonly around: readonly Schemas[];
}

/** A value that matches all of the schemas, which stand in the source; undefined where none is found. */
export const generateValue = (source: CompiledSchema, schemas: Schemas, style: GenerationMode): unknown =>
  search({ ...createGeneratorState(source), style, around: [] }, schemas);

/** The smallest of one of their shapes. */
export const generateForShape = (supply: GeneratorState, schemas: Schemas, shape: ResolvedSchema): unknown =>
  searchShape(shape, createValueGenerator(supply, schemas));

/** What makes the smallest values inside of one that matches the schemas. */
export const createValueGenerator = (supply: GeneratorState, schemas: Schemas): ValueGenerator =>
  walkAt({ ...supply, style: 'minimal', around: [] }, schemas);

function search(place: GenerationContext, schemas: Schemas): unknown {
  const { source, style, around, fuel } = place;
  const isRepeated = isInside(place, schemas);
  if (style === 'full' && (isRepeated || fuel.left < RESERVE)) {
    return search({ ...place, style: 'minimal', around: [] }, schemas);
  }
  // The smallest value never holds one of its own kind, which would be smaller.
  if (isRepeated) return undefined;
  const walk = walkAt({ ...place, around: [...around, schemas] }, schemas);
  for (const shape of take(resolveShapes(schemas, source.follow), MAX_RESOLVED_SCHEMAS)) {
    if (fuel.left-- <= 0) return undefined;
    const value = searchShape(shape, walk);
    if (value !== undefined) return value;
  }
  return undefined;
}

function searchShape(shape: ResolvedSchema, walk: ValueGenerator): unknown {
  // To compile a part takes longer than everything else, and most need it not.
  const isOurs = walk.style !== 'authored' || authorExamples(shape).length === 0;
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

function isObeyed(shape: ResolvedSchema, { source }: ValueGenerator): boolean {
  const areMixed = shape.length > 1 && allowedConstants(shape) !== undefined;
  const isKnown = (part: JSONSchema) => !('$ref' in part) || source.follow(part.$ref, part) !== undefined;
  return !areMixed && shape.every((part) => isKnown(part) && Object.keys(part).every((keyword) => OBEYED.has(keyword)));
}

function walkAt(place: GenerationContext, schemas: Schemas): ValueGenerator {
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
function* valuesOf(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown> {
  if (walk.style === 'authored') yield* authorExamples(shape);
  const constants = allowedConstants(shape);
  if (constants) yield* constants.slice(0, MAX_CONSTANTS);
  else for (const type of possibleTypes(shape)) yield* BY_TYPE[type].simple(shape, walk);
}

function* vary(place: GenerationContext, schemas: Schemas): Generator<unknown> {
  if (isInside(place, schemas)) return;
  const walk = walkAt({ ...place, around: [...place.around, schemas] }, schemas);
  for (const shape of take(resolveShapes(schemas, walk.source.follow), MAX_RESOLVED_SCHEMAS)) {
    for (const value of variedOf(shape, walk)) {
      if (place.fuel.left-- <= 0) return;
      yield value;
    }
  }
}

function* variedOf(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown> {
  const constants = allowedConstants(shape);
  if (constants) yield* constants;
  else for (const type of possibleTypes(shape)) yield* BY_TYPE[type].varied(shape, walk);
}

type ValueProducer = (shape: ResolvedSchema, walk: ValueGenerator) => Iterable<unknown>;

const BY_TYPE: Readonly<Record<JSONType, { readonly simple: ValueProducer; readonly varied: ValueProducer }>> = {
  null: { simple: () => [null], varied: () => [null] },
  boolean: { simple: () => [false, true], varied: () => [false, true] },
  integer: { simple: (shape) => generateNumbers(shape, true), varied: (shape) => variedNumbers(shape, true) },
  number: { simple: (shape) => generateNumbers(shape, false), varied: (shape) => variedNumbers(shape, false) },
  string: { simple: generateStrings, varied: variedStrings },
  array: { simple: generateArrays, varied: variedArrays },
  object: { simple: generateObjects, varied: variedObjects },
};

/** Whether a value of the same schemas is around it. */
const isInside = ({ around }: GenerationContext, schemas: Schemas) =>
  around.some((each) => each.length === schemas.length && each.every((schema, index) => schema === schemas[index]));
