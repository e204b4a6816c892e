import { isRecord } from '../../../src/core/index.ts';

/** All string values of a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Whether a text holds another, letter by letter, capitals or not; slow, and written in another way than the search. */
export function holds(text: string, q: string): boolean {
  const letters = Array.from(text);
  const wanted = Array.from(q, (letter) => new RegExp(`^${letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')}$`, 'iu'));
  return letters.some((_, start) => wanted.every((letter, place) => letter.test(letters[start + place] ?? '')));
}
