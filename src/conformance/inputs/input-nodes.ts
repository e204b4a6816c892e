import { isRecord, type JSONType, joinWords, previewJson, truncate, typePhrase } from '../../core/index.ts';
import type { CompiledSchema, Schemas } from './compile.ts';
import { allKeys, extendArray, extendObject } from './containers.ts';
import type { GeneratedInput } from './create-inputs.ts';
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

/** A value in a small valid input, with its schemas. */
export interface InputNode {
  /** Path such as `point.x` or `tags[0]`; empty for the input itself. */
  readonly name: string;
  readonly schemas: Schemas;
  /** One of the possible shapes, and its simplest value. */
  readonly shape: ResolvedSchema;
  readonly value: unknown;
  /** Index of the shape. */
  readonly choice: number;
  /** The enclosing value does not have it by default. */
  readonly isAdded: boolean;
  /** Complete inputs that lack a key which this one requires. */
  readonly lacking: readonly InputCandidate[];
  /** Returns the complete input with another value in this position. */
  readonly put: (value: unknown) => unknown;
}

/** Returns the input and the values in it, outer ones first, each in all its shapes. Some may not match the schema. */
export function inputNodes(source: CompiledSchema, schemas: Schemas): InputNode[] {
  return [...take(nodeLevels(createGeneratorState(source, MAX_ATTEMPTS), schemas), MAX_INPUT_NODES)];
}

function* nodeLevels(state: GeneratorState, schemas: Schemas): Generator<InputNode> {
  let level = [...nodesOfShapes(state, { name: '', schemas, isAdded: false, lacking: [], put: (value) => value })];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    yield* level;
    level = [...take(childrenOfAll(state, level), MAX_INPUT_NODES)];
  }
}

function* nodesOfShapes(
  state: GeneratorState,
  node: Omit<InputNode, 'shape' | 'value' | 'choice'>,
): Generator<InputNode> {
  let choice = 0;
  for (const shape of [...take(resolveShapes(node.schemas, state.source.follow), MAX_RESOLVED_SCHEMAS)].flatMap(
    splitByType,
  )) {
    const value = generateForShape(state, node.schemas, shape);
    if (value !== undefined) yield { ...node, shape, value, choice: choice++ };
  }
}

function* childrenOfAll(state: GeneratorState, nodes: readonly InputNode[]): Generator<InputNode> {
  for (const node of nodes) yield* childrenOf(state, node);
}

function* childrenOf(state: GeneratorState, node: InputNode): Generator<InputNode> {
  if (isRecord(node.value)) yield* propertiesOf(state, node, node.value);
  if (Array.isArray(node.value)) yield* itemsOf(state, node, node.value);
}

function* propertiesOf(
  state: GeneratorState,
  { name, schemas, shape, put }: InputNode,
  value: object,
): Generator<InputNode> {
  const generator = createValueGenerator(state, schemas);
  for (const key of new Set([...Object.keys(value), ...allKeys(shape, generator)])) {
    const extended = extendObject({ ...value }, [key], shape, generator);
    if (!extended) continue;
    const path = (each: string) => (name === '' ? each : `${name}.${each}`);
    const required = Object.keys(extended).filter((each) => each !== key && !Object.hasOwn(value, each));
    yield* nodesOfShapes(state, {
      name: path(key),
      schemas: propertySchemas(shape, key),
      isAdded: !Object.hasOwn(value, key),
      lacking: required.map((each) => {
        const { [each]: _, ...rest } = extended;
        return { value: put(rest), what: `${quoteName(path(each))} left out next to ${quoteName(path(key))}` };
      }),
      put: (changed) => put({ ...extended, [key]: changed }),
    });
  }
}

function* itemsOf(
  state: GeneratorState,
  { name, schemas, shape, put }: InputNode,
  value: readonly unknown[],
): Generator<InputNode> {
  const generator = createValueGenerator(state, schemas);
  for (let index = 0; index < Math.min(MAX_ITEMS, Math.max(1, prefixLength(shape))); index++) {
    const extended = extendArray(value, index + 1, shape, generator);
    if (!extended) return;
    yield* nodesOfShapes(state, {
      name: `${name}[${index}]`,
      schemas: itemSchemas(shape, index),
      isAdded: index >= value.length,
      lacking: [],
      put: (changed) => put(extended.with(index, changed)),
    });
  }
}

/** A generated input that is not yet validated. */
export interface InputCandidate extends Omit<GeneratedInput, 'value'> {
  readonly value: unknown;
}

/** Formats the path of a node. */
export const quoteName = (name: string): string => (name === '' ? 'the input' : `'${name}'`);

/** Maximum number of characters of a value in a message. */
const MAX_SHOWN = 60;

export const formatInputValue = (value: unknown): string => previewJson(value, MAX_SHOWN);

export function formatValueList(values: readonly unknown[]): string {
  const texts = values.slice(0, 20).map((value) => formatInputValue(value));
  return truncate(texts.join(', '), MAX_SHOWN);
}

export const joinTypeNames = (types: readonly JSONType[]): string =>
  joinWords(types.map(typePhrase), { conjunction: 'or' });
