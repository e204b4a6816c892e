import { isRecord } from '../../core/index.ts';
import { extendedList } from './arrays.ts';
import { take } from './iterate.ts';
import { makeShape, type Supply, supplyOf, walkOf } from './make.ts';
import { itemSchemas, prefixLength, propertySchemas } from './members.ts';
import { allKeys, extended } from './objects.ts';
import { byType, type Shape, shapesOf } from './shape.ts';
import type { Schemas, Source } from './source.ts';
import { type Candidate, quoted } from './words.ts';

const DEEPEST = 3;
const MOST_PLACES = 200;
const MOST_TRIES = 20_000;
const MOST_SHAPES = 6;
const MOST_ITEMS = 4;

/** A value in a small valid input, and what the schema says of it. */
export interface Place {
  /** As people write it, `point.x` or `tags[0]`; empty for the input itself. */
  readonly name: string;
  readonly schemas: Schemas;
  /** One of the shapes that it may have, and its simplest value. */
  readonly shape: Shape;
  readonly value: unknown;
  /** Which of the shapes that is, from 0. */
  readonly choice: number;
  /** Whether the value around it has it only for this purpose. */
  readonly isAdded: boolean;
  /** Whole inputs without one of the keys that this one demands beside it. */
  readonly lacking: readonly Candidate[];
  /** The whole input with another value here. */
  readonly put: (value: unknown) => unknown;
}

/** The input and the values in it, outer ones first, each in all its shapes. Some may turn out not to match. */
export function placesOf(source: Source, schemas: Schemas): Place[] {
  return [...take(levels(supplyOf(source, MOST_TRIES), schemas), MOST_PLACES)];
}

function* levels(supply: Supply, schemas: Schemas): Generator<Place> {
  let level = [...shaped(supply, { name: '', schemas, isAdded: false, lacking: [], put: (value) => value })];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    yield* level;
    level = [...take(allMembersOf(supply, level), MOST_PLACES)];
  }
}

function* shaped(supply: Supply, place: Omit<Place, 'shape' | 'value' | 'choice'>): Generator<Place> {
  let choice = 0;
  for (const shape of [...take(shapesOf(place.schemas, supply.source.follow), MOST_SHAPES)].flatMap(byType)) {
    const value = makeShape(supply, place.schemas, shape);
    if (value !== undefined) yield { ...place, shape, value, choice: choice++ };
  }
}

function* allMembersOf(supply: Supply, places: readonly Place[]): Generator<Place> {
  for (const place of places) yield* membersOf(supply, place);
}

function* membersOf(supply: Supply, place: Place): Generator<Place> {
  if (isRecord(place.value)) yield* propertiesOf(supply, place, place.value);
  if (Array.isArray(place.value)) yield* itemsOf(supply, place, place.value);
}

function* propertiesOf(supply: Supply, { name, schemas, shape, put }: Place, value: object): Generator<Place> {
  const walk = walkOf(supply, schemas);
  for (const key of new Set([...Object.keys(value), ...allKeys(shape, walk)])) {
    const whole = extended({ ...value }, [key], shape, walk);
    if (!whole) continue;
    const path = (each: string) => (name === '' ? each : `${name}.${each}`);
    const demanded = Object.keys(whole).filter((each) => each !== key && !Object.hasOwn(value, each));
    yield* shaped(supply, {
      name: path(key),
      schemas: propertySchemas(shape, key),
      isAdded: !Object.hasOwn(value, key),
      lacking: demanded.map((each) => {
        const { [each]: _, ...rest } = whole;
        return { value: put(rest), what: `${quoted(path(each))} left out beside ${quoted(path(key))}` };
      }),
      put: (changed) => put({ ...whole, [key]: changed }),
    });
  }
}

function* itemsOf(supply: Supply, { name, schemas, shape, put }: Place, value: readonly unknown[]): Generator<Place> {
  const walk = walkOf(supply, schemas);
  for (let index = 0; index < Math.min(MOST_ITEMS, Math.max(1, prefixLength(shape))); index++) {
    const whole = extendedList(value, index + 1, shape, walk);
    if (!whole) return;
    yield* shaped(supply, {
      name: `${name}[${index}]`,
      schemas: itemSchemas(shape, index),
      isAdded: index >= value.length,
      lacking: [],
      put: (changed) => put(whole.with(index, changed)),
    });
  }
}
