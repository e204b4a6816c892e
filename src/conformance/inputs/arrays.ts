import { equalJson, isSchema } from '../../core/index.ts';
import { take } from './iterate.ts';
import { itemSchemas, prefixLength } from './members.ts';
import { type ResolvedSchema, strictestLowerBound, strictestUpperBound } from './shape.ts';
import type { Schema } from './source.ts';
import type { ValueGenerator } from './walk.ts';

/** Longer lists are not made. */
export const MAX_LIST_LENGTH = 256;

/** The list that is wanted first, then the shortest. */
export function* generateArrays(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown[]> {
  const min = Math.max(strictestLowerBound(shape, 'minItems') ?? 0, ...containing(shape).map(({ least: min }) => min));
  const max = strictestUpperBound(shape, 'maxItems') ?? Infinity;
  const wished = Math.max(min, Math.min(max, Math.max(1, prefixLength(shape))));
  for (const length of walk.style === 'full' ? [wished, min] : [min]) {
    const list = extendArray([], length, shape, walk);
    if (list) yield list;
  }
}

/** A list with so many items at least. Undefined where one cannot be made. */
export function extendArray(
  start: readonly unknown[],
  length: number,
  shape: ResolvedSchema,
  walk: ValueGenerator,
): unknown[] | undefined {
  if (length > MAX_LIST_LENGTH) return undefined;
  const list = [...start];
  while (list.length < length) {
    const item = nextItem(list, shape, walk);
    if (item === undefined) return undefined;
    list.push(item);
  }
  return list;
}

/** Other lists, of growing length. */
export function* variedArrays(shape: ResolvedSchema, walk: ValueGenerator): Generator<unknown[]> {
  let list = extendArray([], strictestLowerBound(shape, 'minItems') ?? 0, shape, walk);
  while (list) {
    yield list;
    list = extendArray(list, list.length + 1, shape, walk);
  }
}

const mustDiffer = (shape: ResolvedSchema): boolean => shape.some(({ uniqueItems }) => uniqueItems === true);

function nextItem(list: readonly unknown[], shape: ResolvedSchema, walk: ValueGenerator): unknown {
  const contained = containing(shape).flatMap(({ schema, least: min }) => (list.length < min ? [schema] : []));
  const schemas = [...itemSchemas(shape, list.length), ...contained];
  const item = walk.make(schemas);
  if (!mustDiffer(shape)) return item;
  const isNew = (value: unknown) => !list.some((each) => equalJson(each, value));
  if (item !== undefined && isNew(item)) return item;
  for (const value of take(walk.vary(schemas), 2 * MAX_LIST_LENGTH)) {
    if (isNew(value) && walk.source.fits(schemas, value)) return value;
  }
  return undefined;
}

/** What a list must contain, and how often. */
function containing(shape: ResolvedSchema): { readonly schema: Schema; readonly least: number }[] {
  return shape.flatMap(({ contains, minContains }) =>
    isSchema(contains) ? [{ schema: contains, least: typeof minContains === 'number' ? minContains : 1 }] : [],
  );
}
