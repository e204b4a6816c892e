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

/** Limits the number of attempts: a schema can have exponentially many shapes. */
interface AttemptBudget {
  left: number;
}

/** A schema, and the remaining attempts to generate values for it. */
export interface GeneratorState {
  readonly source: CompiledSchema;
  readonly attempts: AttemptBudget;
}

export const createGeneratorState = (source: CompiledSchema, attempts = 2 * RESERVE): GeneratorState => ({
  source,
  attempts: { left: attempts },
});

/** Attempts that a full value leaves for the minimal values inside it. */
const RESERVE = 2_000;
const MAX_RESOLVED_SCHEMAS = 64;
const MAX_CONSTANTS = 100;

/** Position in the schema for which a value is generated. */
interface GenerationContext extends GeneratorState {
  readonly style: GenerationMode;
  /** Schemas of the enclosing values. */
  readonly enclosing: readonly Schemas[];
}

/** Generates a value that matches all schemas, which are parts of `source`; undefined if none is found. */
export const generateValue = (source: CompiledSchema, schemas: Schemas, style: GenerationMode): unknown =>
  searchValue({ ...createGeneratorState(source), style, enclosing: [] }, schemas);

/** Generates the minimal value of one of the shapes of the schemas. */
export const generateForShape = (state: GeneratorState, schemas: Schemas, shape: ResolvedSchema): unknown =>
  searchShape(shape, createValueGenerator(state, schemas));

/** Returns the generator of minimal values inside a value that matches the schemas. */
export const createValueGenerator = (state: GeneratorState, schemas: Schemas): ValueGenerator =>
  generatorAt({ ...state, style: 'minimal', enclosing: [] }, schemas);

function searchValue(context: GenerationContext, schemas: Schemas): unknown {
  const { source, style, enclosing, attempts } = context;
  const isRepeated = isRepeatedIn(context, schemas);
  if (style === 'full' && (isRepeated || attempts.left < RESERVE)) {
    return searchValue({ ...context, style: 'minimal', enclosing: [] }, schemas);
  }
  // A minimal value never contains a value of the same schemas, which would be smaller.
  if (isRepeated) return undefined;
  const generator = generatorAt({ ...context, enclosing: [...enclosing, schemas] }, schemas);
  for (const shape of take(resolveShapes(schemas, source.follow), MAX_RESOLVED_SCHEMAS)) {
    if (attempts.left-- <= 0) return undefined;
    const value = searchShape(shape, generator);
    if (value !== undefined) return value;
  }
  return undefined;
}

function searchShape(shape: ResolvedSchema, generator: ValueGenerator): unknown {
  // Validation compiles the schema, which is slow and mostly unnecessary.
  const isGenerated = generator.style !== 'authored' || authorExamples(shape).length === 0;
  const isValid = isGenerated && isSatisfied(shape, generator);
  for (const value of valuesOf(shape, generator)) if (isValid || generator.fits(value)) return value;
  return undefined;
}

/** Keywords that generated values satisfy by construction. */
const SATISFIED_KEYWORDS = new Set([
  ...['$ref', '$defs', 'definitions', 'allOf', 'anyOf', 'type', 'title', 'description', 'default', 'examples'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'enum', 'const'],
  ...['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems'],
]);

function isSatisfied(shape: ResolvedSchema, { source }: ValueGenerator): boolean {
  const areMixed = shape.length > 1 && allowedConstants(shape) !== undefined;
  const isKnown = (part: JSONSchema) => !('$ref' in part) || source.follow(part.$ref, part) !== undefined;
  return (
    !areMixed &&
    shape.every((part) => isKnown(part) && Object.keys(part).every((keyword) => SATISFIED_KEYWORDS.has(keyword)))
  );
}

function generatorAt(context: GenerationContext, schemas: Schemas): ValueGenerator {
  const { source, style } = context;
  return {
    source,
    style,
    make: (inner) => searchValue(context, inner),
    vary: (inner) => vary(context, inner),
    fits: (value) => source.fits(schemas, value),
  };
}

/** Yields values of a shape, simplest first. */
function* valuesOf(shape: ResolvedSchema, generator: ValueGenerator): Generator<unknown> {
  if (generator.style === 'authored') yield* authorExamples(shape);
  yield* allowedConstants(shape)?.slice(0, MAX_CONSTANTS) ?? producedFor(shape, generator, 'simple');
}

function* vary(context: GenerationContext, schemas: Schemas): Generator<unknown> {
  if (isRepeatedIn(context, schemas)) return;
  const generator = generatorAt({ ...context, enclosing: [...context.enclosing, schemas] }, schemas);
  for (const shape of take(resolveShapes(schemas, generator.source.follow), MAX_RESOLVED_SCHEMAS)) {
    for (const value of allowedConstants(shape) ?? producedFor(shape, generator, 'varied')) {
      if (context.attempts.left-- <= 0) return;
      yield value;
    }
  }
}

function* producedFor(shape: ResolvedSchema, generator: ValueGenerator, kind: 'simple' | 'varied'): Generator<unknown> {
  for (const type of possibleTypes(shape)) yield* BY_TYPE[type][kind](shape, generator);
}

type ValueProducer = (shape: ResolvedSchema, generator: ValueGenerator) => Iterable<unknown>;

const BY_TYPE: Readonly<Record<JSONType, { readonly simple: ValueProducer; readonly varied: ValueProducer }>> = {
  null: { simple: () => [null], varied: () => [null] },
  boolean: { simple: () => [false, true], varied: () => [false, true] },
  integer: { simple: (shape) => generateNumbers(shape, true), varied: (shape) => variedNumbers(shape, true) },
  number: { simple: (shape) => generateNumbers(shape, false), varied: (shape) => variedNumbers(shape, false) },
  string: { simple: generateStrings, varied: variedStrings },
  array: { simple: generateArrays, varied: variedArrays },
  object: { simple: generateObjects, varied: variedObjects },
};

/** Returns whether a value of the same schemas encloses this one. */
const isRepeatedIn = ({ enclosing }: GenerationContext, schemas: Schemas) =>
  enclosing.some((each) => each.length === schemas.length && each.every((schema, index) => schema === schemas[index]));
