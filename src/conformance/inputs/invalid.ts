import { equalJson, isRecord, type JSONType, type JSONValue, jsonTypeOf, plural } from '../../core/index.ts';
import { extendedList } from './arrays.ts';
import { inTurn, take } from './iterate.ts';
import { supplyOf, walkOf } from './make.ts';
import { isClosed, neededKeys, propertySchemas } from './members.ts';
import { beyond } from './numbers.ts';
import type { Place } from './place.ts';
import { constantsOf, isWhole, lower, shapesOf, typesOf, upper } from './shape.ts';
import type { Source } from './source.ts';
import { brokenStrings } from './strings.ts';
import { type Candidate, namesOf, quoted, shown, shownList } from './words.ts';

type Defect = readonly [value: unknown, words: string];

const MOST_SHAPES = 64;

/** Inputs with one defect each: one of each kind, then another of each, and in outer places first. */
export function defects(source: Source, places: readonly Place[]): Generator<Candidate> {
  const kinds = [misplaced, outside, outOfRange, broken, withFurtherKey, nullInstead].map((kind) =>
    inTurn<Candidate>(places.map((place) => defectsAt(place, kind(place, source)))),
  );
  return inTurn<Candidate>([places.flatMap(leftOut), ...kinds]);
}

function* defectsAt({ name, put }: Place, found: Iterable<Defect>): Generator<Candidate> {
  for (const [value, words] of found) yield { value: put(value), what: `${quoted(name)} ${words}` };
}

function leftOut({ name, shape, value, lacking, put }: Place): readonly Candidate[] {
  if (!isRecord(value)) return lacking;
  const required = neededKeys(shape);
  const hasDefault = (key: string) => propertySchemas(shape, key).some((each) => isRecord(each) && 'default' in each);
  const own = [...neededKeys(shape, Object.keys(value))].map((key) => {
    const { [key]: _, ...rest } = value;
    const what = `${quoted(name === '' ? key : `${name}.${key}`)} left out`;
    // A default may stand in for what is left out.
    const lacks = name === '' && required.has(key) && !hasDefault(key);
    return { value: put(rest), what, ...(lacks && { lacks }) };
  });
  return [...lacking, ...own];
}

/** Two values of types that are not allowed. No numbers: some libraries take them for times. */
const misplaced = (place: Place, source: Source): Defect[] => ofWrongType(place, source, ['text', [], {}], 2);

const nullInstead = (place: Place, source: Source): Defect[] => ofWrongType(place, source, [null], 1);

function ofWrongType(
  { name, schemas, choice }: Place,
  source: Source,
  values: readonly JSONValue[],
  most: number,
): Defect[] {
  // All shapes of a place have their types in common, and an input that is no object is a matter of its own.
  if (choice > 0 || name === '') return [];
  const shapes = [...take(shapesOf(schemas, source.follow), MOST_SHAPES)];
  const allowed = new Set<JSONType>(
    shapes.flatMap((shape) => constantsOf(shape)?.map((value) => jsonTypeOf(value)) ?? typesOf(shape)),
  );
  if (allowed.has('number')) allowed.add('integer');
  const wanted = namesOf([...allowed].filter((type) => type !== 'integer' || !allowed.has('number')));
  return values
    .filter((value) => !allowed.has(jsonTypeOf(value)))
    .slice(0, most)
    .map((value) => [value, `${shown(value)} instead of ${wanted}`]);
}

/** A value like the constants, and none of them. */
function* outside({ shape }: Place): Generator<Defect> {
  const constants = constantsOf(shape);
  if (!constants) return;
  const areNumbers = constants.length > 0 && constants.every((value) => typeof value === 'number');
  let value: unknown = areNumbers ? constants.reduce((most, each) => Math.max(most, each)) + 1 : 'none of these';
  while (constants.some((each) => equalJson(each, value))) value = `${value}!`;
  yield [value, `${shown(value)}, which is not ${constants.length === 1 ? '' : 'one of '}${shownList(constants)}`];
}

const outOfRange = ({ shape, value }: Place): Iterable<Defect> =>
  typeof value === 'number' && !constantsOf(shape) ? beyond(shape, isWhole(shape)) : [];

function* broken(place: Place, source: Source): Generator<Defect> {
  const { shape, value } = place;
  if (constantsOf(shape)) return;
  if (typeof value === 'string') yield* brokenStrings(shape, value);
  if (Array.isArray(value)) yield* brokenLists(place, value, source);
}

function* brokenLists({ shape, schemas }: Place, value: readonly unknown[], source: Source): Generator<Defect> {
  const walk = walkOf(supplyOf(source), schemas);
  const [least = 0, most] = [lower(shape, 'minItems'), upper(shape, 'maxItems')];
  if (least > 0) yield [value.slice(0, least - 1), `with ${plural(least - 1, 'item')}, fewer than ${least}`];
  const long = most === undefined ? undefined : extendedList(value, most + 1, shape, walk);
  if (long) yield [long, `with ${plural(long.length, 'item')}, more than ${most}`];
}

function* withFurtherKey({ shape, value }: Place): Generator<Defect> {
  if (isRecord(value) && isClosed(shape)) yield [{ ...value, unexpected: 1 }, "with a further key 'unexpected'"];
}
