import type { BlockSkeleton } from '../../../../generated/trace.ts';
import { largest, smallest } from '../../../core/index.ts';
import type { Outline, TranscriptRow } from './outline.ts';

/** Something that could be rewarded: a tool result, or any other block that was. */
export interface RewardStepRow {
  readonly row: TranscriptRow;
  readonly block: BlockSkeleton;
  /** Null where none was given. */
  readonly reward: number | null;
  /** The sum of the rewards so far. */
  readonly sum: number;
}

/** The steps of a trace in the order in which it is shown. Pieces of a result are a step together, unless rewarded. */
export function outlineToSteps({ messages, orphans }: Pick<Outline, 'messages' | 'orphans'>): RewardStepRow[] {
  const steps: RewardStepRow[] = [];
  let sum = 0;
  const add = (row: TranscriptRow): void => {
    const rewarded = row.blocks.filter((block) => block.reward !== null);
    const shown = rewarded.length > 0 || row.kind !== 'results' ? rewarded : row.blocks.slice(-1);
    for (const block of shown) {
      sum += block.reward ?? 0;
      steps.push({ row, block, reward: block.reward, sum });
    }
    for (const child of row.children) add(child);
  };
  for (const message of messages) add(message);
  if (orphans) add(orphans);
  return steps;
}

/** One bar of the strip: the steps from `first` to `last`, and the greatest and the least reward among them. */
export interface StripBar {
  readonly first: number;
  readonly last: number;
  readonly max: number | null;
  readonly min: number | null;
  /** The sum after the last of them. */
  readonly sum: number;
}

/** Steps as so many bars as there is room for: one each, or as many neighbours to a bar as it takes. */
export function toBars(steps: readonly RewardStepRow[], room: number): StripBar[] {
  const each = Math.max(1, Math.ceil(steps.length / Math.max(1, room)));
  const bars: StripBar[] = [];
  for (let first = 0; first < steps.length; first += each) {
    const some = steps.slice(first, first + each);
    const rewards = some.flatMap(({ reward }) => (reward === null ? [] : [reward]));
    bars.push({
      first,
      last: first + some.length - 1,
      max: rewards.length === 0 ? null : largest(rewards),
      min: rewards.length === 0 ? null : smallest(rewards),
      sum: some.at(-1)?.sum ?? 0,
    });
  }
  return bars;
}
