import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { canonicalJson, fieldsOf, parseDataUrl } from '../../core/index.ts';

/** A part of a message: ORS text or image, or any other part of a provider, unchanged. */
export type MessagePart = { readonly type: string; readonly [field: string]: unknown };
export type ConversationContent = string | readonly MessagePart[];

/** An item of a conversation, independent of the provider. */
export type ConversationItem =
  | {
      readonly kind: 'message';
      readonly role: 'system' | 'user';
      readonly content: ConversationContent;
      readonly extra?: JSONObject;
    }
  | { readonly kind: 'output'; readonly content: readonly MessagePart[] }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly input: JSONObject | string }
  | { readonly kind: 'result'; readonly callId: string; readonly output: JSONValue; readonly isError: boolean };

/** Returns a key that identifies an item in its conversation; undefined for thoughts, which clients can leave out. */
export function itemKey(item: ConversationItem): string | undefined {
  if (item.kind === 'thought') return undefined;
  if (item.kind === 'output') return digest(`output ${textOf(item.content, '')}`);
  if (item.kind === 'call') return digest(`call ${item.callId} ${item.name}`);
  if (item.kind === 'result') return digest(`result ${item.callId} ${canonicalJson(item.output)}`);
  return digest(`${item.role} ${textOf(item.content, '\n')}`);
}

/** Joins the parts of a content, because providers split the same content differently. */
function textOf(content: ConversationContent, between: string): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : canonicalJson(withoutDetail(part)))).join(between);
}

/** Removes `detail`, which the model does not see. */
const withoutDetail = ({ detail: _, ...part }: MessagePart) => part;

const SHORT = 200;

/** Returns a short text unchanged, and a hash of 64 bits with the beginning and length of a long one. */
function digest(text: string): string {
  if (text.length <= SHORT) return text;
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13);
  }
  return `${text.slice(0, SHORT)}… ${text.length} ${low >>> 0} ${high >>> 0}`;
}

/** Maximum number of compared pairs; of a longer conversation, only the end is compared. */
const MAX_COMPARED = 4_000_000;

/**
 * Finds the longest common subsequence of two lists of keys. Returns for each of `keys` its index in `known`; undefined
 * for items that were added to a conversation, even if others were removed.
 */
export function matchItems(known: readonly string[], keys: readonly string[]): (number | undefined)[] {
  let common = 0;
  while (common < keys.length && keys[common] === known[common]) common++;
  const now = keys.slice(common);
  const first = Math.max(common, known.length - Math.max(1, Math.floor(MAX_COMPARED / (now.length + 1))));
  const before = known.slice(first);
  // lengths[i][j]: length of the longest common subsequence of before from i and now from j.
  const width = now.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const matched: (number | undefined)[] = Array.from({ length: common }, (_, index) => index);
  let row = 0;
  while (matched.length < keys.length) {
    const column = matched.length - common;
    if (row < before.length && before[row] === now[column]) {
      matched.push(first + row);
      row++;
    } else if (row < before.length && at(row + 1, column) >= at(row, column + 1)) row++;
    else matched.push(undefined);
  }
  return matched;
}

/** A JSON object of a provider, not validated: the helpers below treat missing and invalid fields as empty. */
export type JsonFields = Readonly<Record<string, unknown>>;

interface StreamedItem {
  readonly index: number;
  fields: Record<string, unknown>;
  isDone: boolean;
}

/** Items of a stream by their index. Some servers use the same index for all items. */
export class StreamedItems {
  readonly #items: StreamedItem[] = [];

  start(index: unknown, fields: Record<string, unknown>): void {
    this.#items.push({ index: toIndex(index), fields, isDone: false });
  }

  /** Returns the last item with an index, to which deltas are added. */
  at(index: unknown): Record<string, unknown> | undefined {
    return this.#items.findLast((item) => item.index === toIndex(index))?.fields;
  }

  /** Replaces an item by its final form, or adds one that did not start. */
  end(index: unknown, fields: Record<string, unknown>): void {
    const open = this.#items.filter((item) => !item.isDone && item.index === toIndex(index));
    const item = open.find((each) => each.fields.id === fields.id) ?? open.at(-1);
    if (item) Object.assign(item, { fields, isDone: true });
    else this.#items.push({ index: toIndex(index), fields, isDone: true });
  }

  /** Returns all items in the order of their indexes. */
  all(): Record<string, unknown>[] {
    return [...this.#items].sort((one, other) => one.index - other.index).map(({ fields }) => fields);
  }
}

const toIndex = (index: unknown): number => (typeof index === 'number' ? index : -1);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asString = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the fields that are not null or undefined. */
export const omitMissing = (value: JsonFields): Record<string, never> =>
  // The values come from JSON, so they are assignable to any JSON type.
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== null)) as never;

/** Converts a data URL to an ORS image. */
export function imageOf(url: unknown): MessagePart | undefined {
  const data = parseDataUrl(asString(url));
  return data?.mediaType ? { type: 'image', data: data.base64, mimeType: data.mediaType } : undefined;
}

/** Converts the parts of a content with `toPart`; a single text part becomes a string. */
export function toItemContent(content: unknown, toPart: (part: JsonFields) => MessagePart): ConversationContent {
  if (typeof content === 'string') return content;
  const parts = asList(content).map((part) => toPart(fieldsOf(part)));
  const [first, ...others] = parts;
  return first?.type === 'text' && others.length === 0 ? asString(first.text) : parts;
}

/** Converts the content of a model's message to parts; empty text has none. */
export function toParts(content: unknown, toPart: (part: JsonFields) => MessagePart): MessagePart[] {
  const converted = toItemContent(content, toPart);
  if (typeof converted !== 'string') return [...converted];
  return converted === '' ? [] : [{ type: 'text', text: converted }];
}
