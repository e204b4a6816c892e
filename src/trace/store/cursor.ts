import { tryParseJson } from '../../core/index.ts';
import { TraceStoreError, validationError } from '../model/index.ts';

type CursorPart = string | number | null;

/** Where a page ended, as text that means something to the store alone; `list` tells which list in which order. */
export const encodeCursor = (list: string, place: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString('base64url');

/**
 * @param fits whether a place can be one of the list.
 * @throws Refusal VALIDATION for a text that is no cursor of this list.
 */
export function decodeCursor(
  list: string,
  cursor: string,
  fits: (place: readonly CursorPart[]) => boolean = () => true,
): CursorPart[] {
  const [of, ...place] = parse(cursor);
  if (of === list && place.length > 0 && place.every(isPart) && fits(place)) return place;
  const expected = 'a next_cursor of the same list in the same order';
  throw new TraceStoreError(
    validationError([{ path: '/cursor', rule: 'cursor', expected, got: JSON.stringify(cursor.slice(0, 70)) }]),
  );
}

function parse(cursor: string): unknown[] {
  const value = tryParseJson(Buffer.from(cursor, 'base64url').toString());
  return Array.isArray(value) ? value : [];
}

const isPart = (value: unknown): value is CursorPart =>
  value === null || typeof value === 'string' || typeof value === 'number';
