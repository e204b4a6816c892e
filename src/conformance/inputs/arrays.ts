import { equalJson, isSchema } from '../../core/index.ts';
import { take } from './iterate.ts';
import { itemSchemas, prefixLength } from './members.ts';
import { lower, type Shape, upper } from './shape.ts';
import type { Schema } from './source.ts';
import type { Walk } from './walk.ts';

/** Longer lists are not made. */
export const LONGEST_LIST = 256;

/** The list that is wanted first, then the shortest. */
export function* arraysOf(shape: Shape, walk: Walk): Generator<unknown[]> {
  const least = Math.max(lower(shape, 'minItems') ?? 0, ...containing(shape).map(({ least }) => least));
  const most = upper(shape, 'maxItems') ?? Infinity;
  const wished = Math.max(least, Math.min(most, Math.max(1, prefixLength(shape))));
  for (const length of walk.style === 'full' ? [wished, least] : [least]) {
    const list = extendedList([], length, shape, walk);
    if (list) yield list;
  }
}

/** A list with so many items at least. Undefined where one cannot be made. */
export function extendedList(
  start: readonly unknown[],
  length: number,
  shape: Shape,
  walk: Walk,
): unknown[] | undefined {
  if (length > LONGEST_LIST) return undefined;
  const list = [...start];
  while (list.length < length) {
    const item = nextItem(list, shape, walk);
    if (item === undefined) return undefined;
    list.push(item);
  }
  return list;
}

/** Other lists, of growing length. */
export function* variedArrays(shape: Shape, walk: Walk): Generator<unknown[]> {
  let list = extendedList([], lower(shape, 'minItems') ?? 0, shape, walk);
  while (list) {
    yield list;
    list = extendedList(list, list.length + 1, shape, walk);
  }
}

const mustDiffer = (shape: Shape): boolean => shape.some(({ uniqueItems }) => uniqueItems === true);

function nextItem(list: readonly unknown[], shape: Shape, walk: Walk): unknown {
  const contained = containing(shape).flatMap(({ schema, least }) => (list.length < least ? [schema] : []));
  const schemas = [...itemSchemas(shape, list.length), ...contained];
  const item = walk.make(schemas);
  if (!mustDiffer(shape)) return item;
  const isNew = (value: unknown) => !list.some((each) => equalJson(each, value));
  if (item !== undefined && isNew(item)) return item;
  for (const value of take(walk.vary(schemas), 2 * LONGEST_LIST)) {
    if (isNew(value) && walk.source.fits(schemas, value)) return value;
  }
  return undefined;
}

/** What a list must contain, and how often. */
function containing(shape: Shape): { readonly schema: Schema; readonly least: number }[] {
  return shape.flatMap(({ contains, minContains }) =>
    isSchema(contains) ? [{ schema: contains, least: typeof minContains === 'number' ? minContains : 1 }] : [],
  );
}
