import type { JSONValue, StitchedMessage, StitchedToolCall } from '../../../../generated/trace.ts';
import { canonicalJson, fieldsOf, isRecord, ownProperty } from '../../../core/index.ts';
import { alignColumns } from '../parts/align.ts';
import { sumRewards } from '../parts/rewards.ts';
import { unlessTooDeep } from '../parts/text-segments.ts';

/** Returns the two traces of an address to compare; undefined if it names fewer. */
export function readComparedIds(query: URLSearchParams) {
  const named = query
    .getAll('traces')
    .flatMap((ids) => ids.split(','))
    .filter((id) => id !== '');
  const ids = [...new Set(named)];
  const left = ids.find((id) => id === query.get('left')) ?? ids[0];
  const right = ids.find((id) => id === query.get('right')) ?? ids.find((id) => id !== left);
  return { ids, left, right, isTwice: named.length > 1 };
}

/** Returns the number of the selected difference, from 1; 0 for none. */
export function readDifferenceIndex(query: URLSearchParams, differences: number): number {
  const at = Number(query.get('at') || 0);
  return Number.isInteger(at) && at > 0 && at <= differences ? at : 0;
}

/** Returns the query parameters that are not valid for this comparison. */
export function unknownCompareParams(query: URLSearchParams, differences: number): readonly string[] {
  const { ids } = readComparedIds(query);
  const sides = ['left', 'right'].filter((name) => query.get(name) && !ids.includes(query.get(name) ?? ''));
  return [...sides, ...(query.get('at') && readDifferenceIndex(query, differences) === 0 ? ['at'] : [])];
}

/** Difference between an item of the left and one of the right trace; undefined on the side that lacks it. */
export type TraceChange =
  | { readonly kind: 'same' | 'result' | 'changed'; readonly left: TraceItem; readonly right: TraceItem }
  | { readonly kind: 'removed'; readonly left: TraceItem; readonly right?: undefined }
  | { readonly kind: 'added'; readonly left?: undefined; readonly right: TraceItem };

/** Compares two lists of items. Equal items with different results become a change of the result. */
export function diffItems(left: readonly TraceItem[], right: readonly TraceItem[]): readonly TraceChange[] {
  return alignColumns([left, right], 0).rows.flatMap(([inLeft, inRight]): TraceChange[] => {
    const [one, other] = [left[inLeft ?? -1], right[inRight ?? -1]];
    if (one && other) return one.tool === other.tool ? [ofPair(one, other)] : [removed(one), added(other)];
    if (one) return [removed(one)];
    return other ? [added(other)] : [];
  });
}

const removed = (left: TraceItem): TraceChange => ({ kind: 'removed', left });
const added = (right: TraceItem): TraceChange => ({ kind: 'added', right });

function ofPair(left: TraceItem, right: TraceItem): TraceChange {
  if (left.key !== right.key) return { kind: 'changed', left, right };
  const isSame = left.result === right.result && left.reward === right.reward && left.isError === right.isError;
  return { kind: isSame ? 'same' : 'result', left, right };
}

/** Changes, with runs of equal items folded. */
type ChangeSection =
  | { readonly kind: 'change'; readonly index: number; readonly change: TraceChange }
  | { readonly kind: 'fold'; readonly from: number; readonly changes: readonly TraceChange[] };

/** Longest run of equal items that is not folded. */
const SHORT = 2;

export function foldUnchanged(changes: readonly TraceChange[]): readonly ChangeSection[] {
  const sections: ChangeSection[] = [];
  for (let index = 0; index < changes.length; index++) {
    const from = index;
    while (changes[index]?.kind === 'same') index++;
    if (index - from > SHORT) sections.push({ kind: 'fold', from, changes: changes.slice(from, index) });
    else index = from;
    const change = changes[index];
    if (change) sections.push({ kind: 'change', index, change });
  }
  return sections;
}

/** Message, thought or call of a trace, with its result. */
export interface TraceItem {
  readonly id: string;
  /** Equal for items that are equal except for their results. */
  readonly key: string;
  /** Kind of the item, such as `assistant` or `call bash`; only items of one kind are paired. */
  readonly tool: string;
  readonly text: string;
  /** Result of a call, if there is one. */
  readonly result: string | undefined;
  readonly isError: boolean;
  readonly reward: number | null;
}

/** Lists messages with their thoughts and calls in order. */
export function toTraceItems(messages: readonly StitchedMessage[]): readonly TraceItem[] {
  return messages.flatMap((message) => {
    const { id, payload, extra, thinks, tool_calls, child_order } = message;
    const children = [
      ...thinks.map((think) => plain(think.id, 'thought', think.payload.text, think.extra)),
      ...tool_calls.map(ofCall),
    ];
    const byId = new Map(children.map((child) => [child.id, child]));
    const own = plain(id, payload.role, contentToText(payload.content), extra);
    return [own, ...child_order.flatMap((child) => byId.get(child) ?? [])];
  });
}

const plain = (id: string, tool: string, text: string, extra: JSONValue): TraceItem => ({
  id,
  key: `${tool} ${text}`,
  tool,
  text,
  result: undefined,
  isError: false,
  reward: rewardOf(extra),
});

function ofCall({ id, payload, extra, tool_results, assembled }: StitchedToolCall): TraceItem {
  const { text, isError } = resultText(assembled?.value ?? null);
  const tool = `call ${payload.name}`;
  return {
    id,
    key: `${tool} ${unlessTooDeep(() => canonicalJson(payload.arguments), id)}`,
    tool,
    text: argumentsText(payload.arguments),
    result: assembled === undefined || assembled.state === 'pending' ? undefined : text,
    isError: isError || tool_results.some((result) => ownProperty(result.extra, 'tool_error') === true),
    reward: sumRewards([extra, ...tool_results.map((result) => result.extra)].map(rewardOf)),
  };
}

function rewardOf(extra: JSONValue): number | null {
  const reward = ownProperty(extra, 'reward');
  return typeof reward === 'number' ? reward : null;
}

function argumentsText(given: JSONValue): string {
  const values = Object.values(fieldsOf(given));
  if (values.length === 1 && typeof values[0] === 'string') return values[0];
  // Sorted keys, so that texts differ only where values do.
  return unlessTooDeep(() => jsonText(JSON.parse(canonicalJson(given))), '…');
}

/** Returns the readable text of an output: its blocks, its error or its JSON. */
function resultText(value: JSONValue): { readonly text: string; readonly isError: boolean } {
  if (isRecord(value)) {
    if (value.ok === false && typeof value.error === 'string') return { text: value.error, isError: true };
    const output = isRecord(value.output) ? value.output : value;
    if (Array.isArray(output.blocks)) return { text: contentToText(output.blocks), isError: false };
  }
  return { text: typeof value === 'string' ? value : jsonText(value), isError: false };
}

/** Returns the text of a content: one line per part, with descriptions of images. */
export function contentToText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : jsonText(content);
}

function partText(part: unknown): string {
  if (!isRecord(part)) return jsonText(part);
  if (typeof part.text === 'string') return part.text;
  if (typeof part.data === 'string') return `[${part.type} ${part.mimeType ?? ''}: ${part.data.length} characters]`;
  return typeof part.preview === 'string' ? `${part.preview} …` : jsonText(part);
}

const jsonText = (value: unknown): string => unlessTooDeep(() => JSON.stringify(value, null, 2) ?? '', '…');
