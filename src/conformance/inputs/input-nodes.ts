import { isRecord, type JSONType, joinWords, previewJson, truncate, typePhrase } from '../../core/index.ts';
import type { CompiledSchema, Schemas } from './compile.ts';
import { allKeys, extendArray, extendObject } from './containers.ts';
import { createGeneratorState, createValueGenerator, type GeneratorState, generateForShape } from './make-value.ts';
import {
  itemSchemas,
  prefixLength,
  propertySchemas,
  type ResolvedSchema,
  resolveShapes,
  splitByType,
  take,
} from './shape.ts';

const MAX_DEPTH = 3;
const MAX_INPUT_NODES = 200;
const MAX_ATTEMPTS = 20_000;
const MAX_RESOLVED_SCHEMAS = 6;
const MAX_ITEMS = 4;

/** A value in a small valid input, and what the schema says of it. */
export interface InputNode {
  /** As people write it, `point.x` or `tags[0]`; empty for the input itself. */
  readonly name: string;
  readonly schemas: Schemas;
  /** One of the shapes that it may have, and its simplest value. */
  readonly shape: ResolvedSchema;
  readonly value: unknown;
  /** Which of the shapes that is, from 0. */
  readonly choice: number;
  /** Whether the value around it has it only for this purpose. */
  readonly isAdded: boolean;
  /** Whole inputs without one of the keys that this one demands beside it. */
  readonly lacking: readonly InputCandidate[];
  /** The whole input with another value here. */
  readonly put: (value: unknown) => unknown;
}

/** The input and the values in it, outer ones first, each in all its shapes. Some may turn out not to match. */
export function inputNodes(source: CompiledSchema, schemas: Schemas): InputNode[] {
  return [...take(levels(createGeneratorState(source, MAX_ATTEMPTS), schemas), MAX_INPUT_NODES)];
}

function* levels(supply: GeneratorState, schemas: Schemas): Generator<InputNode> {
  let level = [...shaped(supply, { name: '', schemas, isAdded: false, lacking: [], put: (value) => value })];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    yield* level;
    level = [...take(allMembersOf(supply, level), MAX_INPUT_NODES)];
  }
}

function* shaped(supply: GeneratorState, place: Omit<InputNode, 'shape' | 'value' | 'choice'>): Generator<InputNode> {
  let choice = 0;
  for (const shape of [...take(resolveShapes(place.schemas, supply.source.follow), MAX_RESOLVED_SCHEMAS)].flatMap(
    splitByType,
  )) {
    const value = generateForShape(supply, place.schemas, shape);
    if (value !== undefined) yield { ...place, shape, value, choice: choice++ };
  }
}

function* allMembersOf(supply: GeneratorState, places: readonly InputNode[]): Generator<InputNode> {
  for (const place of places) yield* membersOf(supply, place);
}

function* membersOf(supply: GeneratorState, place: InputNode): Generator<InputNode> {
  if (isRecord(place.value)) yield* propertiesOf(supply, place, place.value);
  if (Array.isArray(place.value)) yield* itemsOf(supply, place, place.value);
}

function* propertiesOf(
  supply: GeneratorState,
  { name, schemas, shape, put }: InputNode,
  value: object,
): Generator<InputNode> {
  const walk = createValueGenerator(supply, schemas);
  for (const key of new Set([...Object.keys(value), ...allKeys(shape, walk)])) {
    const whole = extendObject({ ...value }, [key], shape, walk);
    if (!whole) continue;
    const path = (each: string) => (name === '' ? each : `${name}.${each}`);
    const demanded = Object.keys(whole).filter((each) => each !== key && !Object.hasOwn(value, each));
    yield* shaped(supply, {
      name: path(key),
      schemas: propertySchemas(shape, key),
      isAdded: !Object.hasOwn(value, key),
      lacking: demanded.map((each) => {
        const { [each]: _, ...rest } = whole;
        return { value: put(rest), what: `${quoteName(path(each))} left out beside ${quoteName(path(key))}` };
      }),
      put: (changed) => put({ ...whole, [key]: changed }),
    });
  }
}

function* itemsOf(
  supply: GeneratorState,
  { name, schemas, shape, put }: InputNode,
  value: readonly unknown[],
): Generator<InputNode> {
  const walk = createValueGenerator(supply, schemas);
  for (let index = 0; index < Math.min(MAX_ITEMS, Math.max(1, prefixLength(shape))); index++) {
    const whole = extendArray(value, index + 1, shape, walk);
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

/** An input that has still to be checked. */
export interface InputCandidate {
  readonly value: unknown;
  readonly what: string;
  /** A key of the input itself is left out that it must have, and that has no default. */
  readonly lacks?: true;
}

/** A place in an input. */
export const quoteName = (name: string): string => (name === '' ? 'the input' : `'${name}'`);

/** Characters of a value in a message. */
const MAX_SHOWN = 60;

export const formatInputValue = (value: unknown): string => previewJson(value, MAX_SHOWN);

export function formatValueList(values: readonly unknown[]): string {
  const texts = values.slice(0, 20).map((value) => formatInputValue(value));
  return truncate(texts.join(', '), MAX_SHOWN);
}

export const joinTypeNames = (types: readonly JSONType[]): string =>
  joinWords(types.map(typePhrase), { conjunction: 'or' });
