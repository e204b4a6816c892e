import { isRecord, oneLine, previewJson, truncate } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';

/** Returns a quoted text for a message: on one line, truncated. */
export const truncateLine = (text: string, max = 80): string => truncate(oneLine(text), max);

/** `submit({"answer":"7"})`. */
export const formatCallText = (tool: string, input: unknown): string => `${tool}(${previewJson(input)})`;

/** `1 of 5 tasks`. */
export const formatShare = (some: number, all: number): string =>
  all === 1 ? 'its only sampled task' : some === all ? `all ${all} sampled tasks` : `${some} of ${all} sampled tasks`;

export type JsonLeaf = string | number | boolean;

/** The values in a JSON value, each with its path, in which every place of a list is `[]`. */
export function* iterateLeaves(value: JSONValue | undefined, path = ''): Generator<{ path: string; value: JsonLeaf }> {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* iterateLeaves(item, `${path}[]`);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* iterateLeaves(item as JSONValue, path === '' ? key : `${path}.${key}`);
    }
  } else {
    // Neither null, a list nor an object.
    yield { path, value: value as JsonLeaf };
  }
}

/** Whether a text has the value in it, not merely as a part of a longer word or number. */
export function containsWord(text: string, value: string): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = isWord(value[0]) && isWord(text[at - 1]);
    const after = isWord(value.at(-1)) && isWord(text[at + value.length]);
    const isDecimal = /\d$/.test(value) && /^[.,]\d/.test(text.slice(at + value.length));
    if (!before && !after && !isDecimal) return true;
  }
  return false;
}
