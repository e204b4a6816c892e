import { alignColumns } from '../group/align.ts';
import type { TraceItem } from './items.ts';

/** How an item of one trace and one of another differ; of those that only one has, the other is undefined. */
export type TraceChange =
  | { readonly kind: 'same' | 'result' | 'changed'; readonly left: TraceItem; readonly right: TraceItem }
  | { readonly kind: 'removed'; readonly left: TraceItem; readonly right?: undefined }
  | { readonly kind: 'added'; readonly left?: undefined; readonly right: TraceItem };

/** What came of it may differ where the item itself is the same: then the change is one of the result. */
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

/** Changes with what is the same between them folded. */
export type ChangeSection =
  | { readonly kind: 'change'; readonly place: number; readonly change: TraceChange }
  | { readonly kind: 'fold'; readonly from: number; readonly changes: readonly TraceChange[] };

/** So many that are the same are still shown. */
const SHORT = 2;

export function foldUnchanged(changes: readonly TraceChange[]): readonly ChangeSection[] {
  const sections: ChangeSection[] = [];
  for (let place = 0; place < changes.length; ) {
    const end = endOfSame(changes, place);
    if (end - place > SHORT) {
      sections.push({ kind: 'fold', from: place, changes: changes.slice(place, end) });
      place = end;
    }
    const change = changes[place];
    if (change) sections.push({ kind: 'change', place, change });
    place++;
  }
  return sections;
}

function endOfSame(changes: readonly TraceChange[], from: number): number {
  let end = from;
  while (changes[end]?.kind === 'same') end++;
  return end;
}
