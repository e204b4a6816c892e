import { isRecord, plural } from '../../core/index.ts';
import { extendedList } from './arrays.ts';
import { inTurn } from './iterate.ts';
import { supplyOf, walkOf } from './make.ts';
import { edges } from './numbers.ts';
import type { Place } from './place.ts';
import { constantsOf, isWhole, upper } from './shape.ts';
import type { Source } from './source.ts';
import { lengths } from './strings.ts';
import { type Candidate, quoted, shown } from './words.ts';

const MOST_MEMBERS = 8;

/** Inputs at the edge of what is allowed, each in one place. */
export function boundaries(source: Source, places: readonly Place[], full: unknown): Generator<Candidate> {
  return inTurn([presence(places), absence(full), ...places.map((place) => edgesOf(source, place))]);
}

function* presence(places: readonly Place[]): Generator<Candidate> {
  for (const { name, value, choice, isAdded, put } of places) {
    if (isAdded && choice === 0) yield { value: put(value), what: `the minimal input with ${quoted(name)}` };
  }
}

function* absence(full: unknown): Generator<Candidate> {
  if (!isRecord(full)) return;
  for (const key of Object.keys(full)) {
    const { [key]: _, ...value } = full;
    yield { value, what: `the full input without ${quoted(key)}` };
  }
}

function* edgesOf(source: Source, place: Place): Generator<Candidate> {
  for (const [value, words] of valuesAtEdges(source, place)) {
    yield { value: place.put(value), what: `${quoted(place.name)} ${words}` };
  }
}

function* valuesAtEdges(source: Source, place: Place): Generator<readonly [unknown, string]> {
  const { shape, value, choice } = place;
  const constants = constantsOf(shape);
  if (constants) return yield* constants.slice(0, MOST_MEMBERS).map((each) => [each, shown(each)] as const);
  if (choice > 0) yield [value, shown(value)];
  if (typeof value === 'boolean') yield* [false, true].map((each) => [each, shown(each)] as const);
  if (typeof value === 'number') yield* edges(shape, isWhole(shape));
  if (typeof value === 'string') yield* lengths(shape, value);
  if (Array.isArray(value)) yield* longestList(source, place, value);
}

function* longestList(
  source: Source,
  { shape, schemas }: Place,
  value: readonly unknown[],
): Generator<readonly [unknown, string]> {
  const most = upper(shape, 'maxItems');
  if (most === undefined) return;
  const list = extendedList(value, most, shape, walkOf(supplyOf(source), schemas));
  if (list) yield [list, `with ${plural(most, 'item')}, the most allowed`];
}
