import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { canonicalJson } from '../../../core/index.ts';

/** A part of a message: ORS text and images; whatever else providers have, as it is. */
export type MessagePart = { readonly type: string; readonly [field: string]: unknown };
export type ConversationContent = string | readonly MessagePart[];

/** What a conversation consists of, for every provider. */
export type ConversationItem =
  | {
      readonly kind: 'message';
      readonly role: 'system' | 'user';
      readonly content: ConversationContent;
      readonly extra?: JSONObject;
    }
  | { readonly kind: 'said'; readonly content: readonly MessagePart[] }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly input: JSONObject | string }
  | { readonly kind: 'result'; readonly callId: string; readonly output: JSONValue; readonly isError: boolean };

/** What tells an item from others of its conversation; undefined for thoughts, which providers let one leave out. */
export function itemKey(item: ConversationItem): string | undefined {
  if (item.kind === 'thought') return undefined;
  if (item.kind === 'said') return digest(`said ${textOf(item.content, '')}`);
  if (item.kind === 'call') return digest(`call ${item.callId} ${item.name}`);
  if (item.kind === 'result') return digest(`result ${item.callId} ${canonicalJson(item.output)}`);
  return digest(`${item.role} ${textOf(item.content, '\n')}`);
}

/** How a content is cut into parts changes on its way; what it says does not. */
function textOf(content: ConversationContent, between: string): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : canonicalJson(shown(part)))).join(between);
}

/** What a model sees of a part. */
const shown = ({ detail: _, ...part }: MessagePart) => part;

const SHORT = 200;

/** A short text itself; of a long one 64 bits, beside its length and its beginning. */
function digest(text: string): string {
  if (text.length <= SHORT) return text;
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13);
  }
  return `${text.slice(0, SHORT)}… ${text.length} ${low >>> 0} ${high >>> 0}`;
}

/** So many pairs are compared; of what is longer, what was logged last. */
const MAX_COMPARED = 4_000_000;

/**
 * Which of the keys are not in the longest sequence that they share with those known: what was added to a conversation,
 * whatever was taken out of it.
 */
export function newItemIndexes(known: readonly string[], keys: readonly string[]): Set<number> {
  let common = 0;
  while (common < keys.length && keys[common] === known[common]) common++;
  const now = keys.slice(common);
  const before = known.slice(common).slice(-Math.max(1, Math.floor(MAX_COMPARED / (now.length + 1))));
  // lengths[i][j]: of the longest sequence that before from i and now from j share.
  const width = now.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const added = new Set<number>();
  let row = 0;
  for (let column = 0; column < now.length; ) {
    if (row < before.length && before[row] === now[column]) {
      row++;
      column++;
    } else if (row < before.length && at(row + 1, column) >= at(row, column + 1)) row++;
    else added.add(common + column++);
  }
  return added;
}
