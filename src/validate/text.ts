import { isRecord, oneLine, previewJson, truncate } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';

/** Returns a text for a message, on one line and truncated. */
export const truncateLine = (text: string, max = 80): string => truncate(oneLine(text), max);

/** Formats a call, such as `submit({"answer":"7"})`. */
export const formatCallText = (tool: string, input: unknown): string => `${tool}(${previewJson(input)})`;

/** Formats a share of the sampled tasks, such as `1 of 5 sampled tasks`. */
export const formatShare = (some: number, all: number): string =>
  all === 1 ? 'its only sampled task' : some === all ? `all ${all} sampled tasks` : `${some} of ${all} sampled tasks`;

export type JsonLeaf = string | number | boolean;

/** Yields the scalars in a JSON value, each with its path, in which every index of an array is `[]`. */
export function* iterateLeaves(value: JSONValue | undefined, path = ''): Generator<{ path: string; value: JsonLeaf }> {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* iterateLeaves(item, `${path}[]`);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* iterateLeaves(item as JSONValue, path === '' ? key : `${path}.${key}`);
    }
  } else {
    // Neither null nor an array nor an object.
    yield { path, value: value as JsonLeaf };
  }
}

/** Returns whether a text contains a value, other than as part of a longer word or number. */
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
