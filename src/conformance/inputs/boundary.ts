import { isRecord, plural } from '../../core/index.ts';
import { extendArray } from './arrays.ts';
import { roundRobin } from './iterate.ts';
import { createGeneratorState, createValueGenerator } from './make.ts';
import { boundaryNumbers } from './numbers.ts';
import type { InputNode } from './place.ts';
import { allowedConstants, isIntegerOnly, strictestUpperBound } from './shape.ts';
import type { CompiledSchema } from './source.ts';
import { lengths } from './strings.ts';
import { formatInputValue, type InputCandidate, quoteName } from './words.ts';

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
