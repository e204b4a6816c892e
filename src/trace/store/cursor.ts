import { setImmediate as nextTurn } from 'node:timers/promises';
import { tryParseJson } from '../../core/index.ts';
import { TraceStoreError, validationError } from '../model/index.ts';
import type { StorePage } from './trace-store.ts';

type CursorPart = string | number | null;

/** Encodes the last position of a page as opaque text. @param list identifies the list and its order. */
export const encodeCursor = (list: string, position: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString('base64url');

/**
 * Returns the position that a cursor encodes.
 *
 * @param fits checks that a position may be one of the list.
 * @throws TraceStoreError VALIDATION for a text that is not a cursor of this list.
 */
export function decodeCursor(
  list: string,
  cursor: string,
  fits: (position: readonly CursorPart[]) => boolean = () => true,
): CursorPart[] {
  const [cursorList, ...position] = parse(cursor);
  if (cursorList === list && position.length > 0 && position.every(isPart) && fits(position)) return position;
  const expected = 'a next_cursor of the same list in the same order';
  throw new TraceStoreError(
    validationError([{ path: '/cursor', rule: 'cursor', expected, got: JSON.stringify(cursor.slice(0, 70)) }]),
  );
}

/** Makes a page of items, which include at least one more than `limit` if others follow. */
export function pageOf<T>(all: readonly T[], limit: number, cursorOf: (last: T) => string): StorePage<T> {
  const items = all.slice(0, limit);
  const last = all.length > limit ? items.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : cursorOf(last) };
}

/** Yields the items of all pages of a list. @param read reads the page at a position; the first one without a cursor. */
export async function* allItems<T>(
  read: (position: { readonly cursor?: string }) => Promise<StorePage<T>>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await read(cursor === undefined ? {} : { cursor });
    yield* items;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function parse(cursor: string): unknown[] {
  const value = tryParseJson(Buffer.from(cursor, 'base64url').toString());
  return Array.isArray(value) ? value : [];
}

const isPart = (value: unknown): value is CursorPart =>
  value === null || typeof value === 'string' || typeof value === 'number';

/** Number of items of a read, and the time after which a page ends although it is not full. */
const SCANNED = 200;
const SCAN_MS = 200;

interface MatchingPage<T> {
  /** Reads the items after another one, in order. */
  readonly read: (after: T | undefined, count: number) => Promise<readonly T[]>;
  /** Returns the items that match, in order. */
  readonly select: (items: readonly T[]) => Promise<readonly T[]>;
  readonly limit: number;
  readonly cursorOf: (last: T) => string;
}

/** Makes a page of the items that match; it may be short or empty although more items follow. */
export async function pageOfMatching<T>({ read, select, limit, cursorOf }: MatchingPage<T>): Promise<StorePage<T>> {
  const end = performance.now() + SCAN_MS;
  const count = Math.max(SCANNED, limit + 1);
  const found: T[] = [];
  let last: T | undefined;
  for (;;) {
    const items = await read(last, count);
    found.push(...(await select(items)));
    last = items.at(-1);
    if (found.length > limit || items.length < count || last === undefined) return pageOf(found, limit, cursorOf);
    if (performance.now() >= end) return { items: found, next_cursor: cursorOf(last) };
    await nextTurn();
  }
}
