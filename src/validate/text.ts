import { oneLine, previewJson, truncate } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import type { CallEvidence } from './evidence.ts';

/** Returns a text for a message, on one line and truncated. */
export const truncateLine = (text: string, max = 80): string => truncate(oneLine(text), max);

/** Formats a call, such as `submit({"answer":"7"})`. */
export const formatCall = ({ tool, input }: Pick<CallEvidence, 'tool' | 'input'>): string =>
  `${tool}(${previewJson(input)})`;

/** Formats a share of the sampled tasks, such as `1 of 5 sampled tasks`. */
export const formatShare = (some: number, all: number): string =>
  all === 1 ? 'its only sampled task' : some === all ? `all ${all} sampled tasks` : `${some} of ${all} sampled tasks`;

export interface JsonLeaf {
  /** Keys joined by `.`; every index of an array is `[]`. */
  readonly path: string;
  readonly value: string | number | boolean;
  readonly text: string;
}

/** Returns the scalars in a JSON value. */
export function leavesOf(value: JSONValue | undefined, path = ''): JsonLeaf[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, `${path}[]`));
  if (typeof value !== 'object') return [{ path, value, text: String(value).trim() }];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === '' ? key : `${path}.${key}`));
}
