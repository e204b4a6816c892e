import { equalJson, isRecord, type JSONType, type JSONValue, jsonTypeOf, plural } from '../../core/index.ts';
import type { CompiledSchema } from './compile.ts';
import { extendArray } from './containers.ts';
import {
  formatInputValue,
  formatValueList,
  type InputCandidate,
  type InputNode,
  joinTypeNames,
  quoteName,
} from './input-nodes.ts';
import { createGeneratorState, createValueGenerator } from './make-value.ts';
import { boundaryNumbers, brokenStrings, lengths, outOfRangeNumbers } from './scalars.ts';
import {
  allowedConstants,
  isClosed,
  isIntegerOnly,
  possibleTypes,
  propertySchemas,
  requiredKeys,
  resolveShapes,
  roundRobin,
  strictestLowerBound,
  strictestUpperBound,
  take,
} from './shape.ts';

const MAX_MEMBERS = 8;

/** Inputs at the edge of what is allowed, each in one place. */
export function generateBoundaryInputs(
  source: CompiledSchema,
  places: readonly InputNode[],
  full: unknown,
): Generator<InputCandidate> {
  return roundRobin([presence(places), absence(full), ...places.map((place) => edgesOf(source, place))]);
}

function* presence(places: readonly InputNode[]): Generator<InputCandidate> {
  for (const { name, value, choice, isAdded, put } of places) {
    if (isAdded && choice === 0) yield { value: put(value), what: `the minimal input with ${quoteName(name)}` };
  }
}

function* absence(full: unknown): Generator<InputCandidate> {
  if (!isRecord(full)) return;
  for (const key of Object.keys(full)) {
    const { [key]: _, ...value } = full;
    yield { value, what: `the full input without ${quoteName(key)}` };
  }
}

function* edgesOf(source: CompiledSchema, place: InputNode): Generator<InputCandidate> {
  for (const [value, words] of valuesAtEdges(source, place)) {
    yield { value: place.put(value), what: `${quoteName(place.name)} ${words}` };
  }
}

function* valuesAtEdges(source: CompiledSchema, place: InputNode): Generator<readonly [unknown, string]> {
  const { shape, value, choice } = place;
  const constants = allowedConstants(shape);
  if (constants) return yield* constants.slice(0, MAX_MEMBERS).map((each) => [each, formatInputValue(each)] as const);
  if (choice > 0) yield [value, formatInputValue(value)];
  if (typeof value === 'boolean') yield* [false, true].map((each) => [each, formatInputValue(each)] as const);
  if (typeof value === 'number') yield* boundaryNumbers(shape, isIntegerOnly(shape));
  if (typeof value === 'string') yield* lengths(shape, value);
  if (Array.isArray(value)) yield* longestList(source, place, value);
}

function* longestList(
  source: CompiledSchema,
  { shape, schemas }: InputNode,
  value: readonly unknown[],
): Generator<readonly [unknown, string]> {
  const max = strictestUpperBound(shape, 'maxItems');
  if (max === undefined) return;
  const list = extendArray(value, max, shape, createValueGenerator(createGeneratorState(source), schemas));
  if (list) yield [list, `with ${plural(max, 'item')}, the most allowed`];
}

type Defect = readonly [value: unknown, words: string];

const MAX_RESOLVED_SCHEMAS = 64;

/** Inputs with one defect each: one of each kind, then another of each, and in outer places first. */
export function generateInvalidInputs(source: CompiledSchema, places: readonly InputNode[]): Generator<InputCandidate> {
  const kinds = [misplaced, outside, outOfRange, broken, withFurtherKey, nullInstead].map((kind) =>
    roundRobin<InputCandidate>(places.map((place) => defectsAt(place, kind(place, source)))),
  );
  return roundRobin<InputCandidate>([places.flatMap(leftOut), ...kinds]);
}

function* defectsAt({ name, put }: InputNode, found: Iterable<Defect>): Generator<InputCandidate> {
  for (const [value, words] of found) yield { value: put(value), what: `${quoteName(name)} ${words}` };
}

function leftOut({ name, shape, value, lacking, put }: InputNode): readonly InputCandidate[] {
  if (!isRecord(value)) return lacking;
  const required = requiredKeys(shape);
  const hasDefault = (key: string) => propertySchemas(shape, key).some((each) => isRecord(each) && 'default' in each);
  const own = [...requiredKeys(shape, Object.keys(value))].map((key) => {
    const { [key]: _, ...rest } = value;
    const what = `${quoteName(name === '' ? key : `${name}.${key}`)} left out`;
    // A default may stand in for what is left out.
    const lacks = name === '' && required.has(key) && !hasDefault(key);
    return { value: put(rest), what, ...(lacks && { lacks }) };
  });
  return [...lacking, ...own];
}

/** Two values of types that are not allowed. No numbers: some libraries take them for times. */
const misplaced = (place: InputNode, source: CompiledSchema): Defect[] =>
  ofWrongType(place, source, ['text', [], {}], 2);

const nullInstead = (place: InputNode, source: CompiledSchema): Defect[] => ofWrongType(place, source, [null], 1);

function ofWrongType(
  { name, schemas, choice }: InputNode,
  source: CompiledSchema,
  values: readonly JSONValue[],
  max: number,
): Defect[] {
  // All shapes of a place have their types in common, and an input that is no object is a matter of its own.
  if (choice > 0 || name === '') return [];
  const shapes = [...take(resolveShapes(schemas, source.follow), MAX_RESOLVED_SCHEMAS)];
  const allowed = new Set<JSONType>(
    shapes.flatMap((shape) => allowedConstants(shape)?.map((value) => jsonTypeOf(value)) ?? possibleTypes(shape)),
  );
  if (allowed.has('number')) allowed.add('integer');
  const requested = joinTypeNames([...allowed].filter((type) => type !== 'integer' || !allowed.has('number')));
  return values
    .filter((value) => !allowed.has(jsonTypeOf(value)))
    .slice(0, max)
    .map((value) => [value, `${formatInputValue(value)} instead of ${requested}`]);
}

/** A value like the constants, and none of them. */
function* outside({ shape }: InputNode): Generator<Defect> {
  const constants = allowedConstants(shape);
  if (!constants) return;
  const areNumbers = constants.length > 0 && constants.every((value) => typeof value === 'number');
  let value: unknown = areNumbers ? constants.reduce((max, each) => Math.max(max, each)) + 1 : 'none of these';
  while (constants.some((each) => equalJson(each, value))) value = `${value}!`;
  yield [
    value,
    `${formatInputValue(value)}, which is not ${constants.length === 1 ? '' : 'one of '}${formatValueList(constants)}`,
  ];
}

const outOfRange = ({ shape, value }: InputNode): Iterable<Defect> =>
  typeof value === 'number' && !allowedConstants(shape) ? outOfRangeNumbers(shape, isIntegerOnly(shape)) : [];

function* broken(place: InputNode, source: CompiledSchema): Generator<Defect> {
  const { shape, value } = place;
  if (allowedConstants(shape)) return;
  if (typeof value === 'string') yield* brokenStrings(shape, value);
  if (Array.isArray(value)) yield* brokenLists(place, value, source);
}

function* brokenLists(
  { shape, schemas }: InputNode,
  value: readonly unknown[],
  source: CompiledSchema,
): Generator<Defect> {
  const walk = createValueGenerator(createGeneratorState(source), schemas);
  const [min = 0, max] = [strictestLowerBound(shape, 'minItems'), strictestUpperBound(shape, 'maxItems')];
  if (min > 0) yield [value.slice(0, min - 1), `with ${plural(min - 1, 'item')}, fewer than ${min}`];
  const long = max === undefined ? undefined : extendArray(value, max + 1, shape, walk);
  if (long) yield [long, `with ${plural(long.length, 'item')}, more than ${max}`];
}

function* withFurtherKey({ shape, value }: InputNode): Generator<Defect> {
  if (isRecord(value) && isClosed(shape)) yield [{ ...value, unexpected: 1 }, "with a further key 'unexpected'"];
}
