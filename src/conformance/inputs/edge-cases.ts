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

/** Yields candidates for valid inputs, each at a limit of the schema in one position. */
export function generateBoundaryInputs(
  source: CompiledSchema,
  nodes: readonly InputNode[],
  full: unknown,
): Generator<InputCandidate> {
  return roundRobin([presence(nodes), absence(full), ...nodes.map((node) => edgesOf(source, node))]);
}

function* presence(nodes: readonly InputNode[]): Generator<InputCandidate> {
  for (const { name, value, choice, isAdded, put } of nodes) {
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

function* edgesOf(source: CompiledSchema, node: InputNode): Generator<InputCandidate> {
  for (const [value, words] of valuesAtEdges(source, node)) {
    yield { value: node.put(value), what: `${quoteName(node.name)} ${words}` };
  }
}

function* valuesAtEdges(source: CompiledSchema, node: InputNode): Generator<readonly [unknown, string]> {
  const { shape, value, choice } = node;
  const constants = allowedConstants(shape);
  if (constants) return yield* constants.slice(0, MAX_MEMBERS).map((each) => [each, formatInputValue(each)] as const);
  if (choice > 0) yield [value, formatInputValue(value)];
  if (typeof value === 'boolean') yield* [false, true].map((each) => [each, formatInputValue(each)] as const);
  if (typeof value === 'number') yield* boundaryNumbers(shape, isIntegerOnly(shape));
  if (typeof value === 'string') yield* lengths(shape, value);
  if (Array.isArray(value)) yield* longestList(source, node, value);
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

/** Yields candidates for invalid inputs with one defect each: the kinds in turn, outer positions first. */
export function generateInvalidInputs(source: CompiledSchema, nodes: readonly InputNode[]): Generator<InputCandidate> {
  const kinds = [misplaced, outside, outOfRange, broken, withFurtherKey, nullInstead].map((kind) =>
    roundRobin<InputCandidate>(nodes.map((node) => defectsAt(node, kind(node, source)))),
  );
  return roundRobin<InputCandidate>([nodes.flatMap(leftOut), ...kinds]);
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
    // A default may replace a missing value.
    const isMissingRequired = name === '' && required.has(key) && !hasDefault(key);
    return { value: put(rest), what, ...(isMissingRequired && { isMissingRequired }) };
  });
  return [...lacking, ...own];
}

/** Values of two types that are not allowed. No numbers, because some libraries accept them as times. */
const misplaced = (node: InputNode, source: CompiledSchema): Defect[] => ofWrongType(node, source, ['text', [], {}], 2);

const nullInstead = (node: InputNode, source: CompiledSchema): Defect[] => ofWrongType(node, source, [null], 1);

function ofWrongType(
  { name, schemas, choice }: InputNode,
  source: CompiledSchema,
  values: readonly JSONValue[],
  max: number,
): Defect[] {
  // All shapes of a position share their types; an input that is not an object is a separate case.
  if (choice > 0 || name === '') return [];
  const shapes = [...take(resolveShapes(schemas, source.follow), MAX_RESOLVED_SCHEMAS)];
  const allowed = new Set<JSONType>(
    shapes.flatMap((shape) => allowedConstants(shape)?.map((value) => jsonTypeOf(value)) ?? possibleTypes(shape)),
  );
  if (allowed.has('number')) allowed.add('integer');
  const expected = joinTypeNames([...allowed].filter((type) => type !== 'integer' || !allowed.has('number')));
  return values
    .filter((value) => !allowed.has(jsonTypeOf(value)))
    .slice(0, max)
    .map((value) => [value, `${formatInputValue(value)} instead of ${expected}`]);
}

/** Yields a value that is not one of the constants. */
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

function* broken(node: InputNode, source: CompiledSchema): Generator<Defect> {
  const { shape, value } = node;
  if (allowedConstants(shape)) return;
  if (typeof value === 'string') yield* brokenStrings(shape, value);
  if (Array.isArray(value)) yield* brokenLists(node, value, source);
}

function* brokenLists(
  { shape, schemas }: InputNode,
  value: readonly unknown[],
  source: CompiledSchema,
): Generator<Defect> {
  const generator = createValueGenerator(createGeneratorState(source), schemas);
  const min = strictestLowerBound(shape, 'minItems') ?? 0;
  const max = strictestUpperBound(shape, 'maxItems');
  if (min > 0) yield [value.slice(0, min - 1), `with ${plural(min - 1, 'item')}, fewer than ${min}`];
  const long = max === undefined ? undefined : extendArray(value, max + 1, shape, generator);
  if (long) yield [long, `with ${plural(long.length, 'item')}, more than ${max}`];
}

function* withFurtherKey({ shape, value }: InputNode): Generator<Defect> {
  if (isRecord(value) && isClosed(shape)) yield [{ ...value, unexpected: 1 }, "with a further key 'unexpected'"];
}
