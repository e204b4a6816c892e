import { isRecord } from '../../../src/core/index.ts';

/** Returns all string values of a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Reports whether a text contains another, ignoring case; a slow reference implementation of the search. */
export function holds(text: string, q: string): boolean {
  const letters = Array.from(text);
  const wanted = Array.from(q, (letter) => new RegExp(`^${letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}$`, 'iu'));
  return letters.some((_, start) => wanted.every((letter, place) => letter.test(letters[start + place] ?? '')));
}
