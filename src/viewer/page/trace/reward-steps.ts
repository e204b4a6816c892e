import type { BlockSkeleton } from '../../../../generated/trace.ts';
import { largest, smallest } from '../../../core/index.ts';
import type { Outline, TranscriptRow } from './outline.ts';

/** Step that could have a reward: a tool result, or any other block with a reward. */
export interface RewardStepRow {
  readonly row: TranscriptRow;
  readonly block: BlockSkeleton;
  /** null if there is none. */
  readonly reward: number | null;
  /** Sum of the rewards so far. */
  readonly sum: number;
}

/** Returns the steps of a trace in order. Deltas of a result are one step, unless they have rewards. */
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

/** Bar of the strip: the steps from `first` to `last`, with their highest and lowest reward. */
export interface StripBar {
  readonly first: number;
  readonly last: number;
  readonly max: number | null;
  readonly min: number | null;
  /** Sum after the last step. */
  readonly sum: number;
}

/** Groups steps into as many bars as there is room for. */
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

/** Height of the strip in px. */
export const HEIGHT = 56;
const EDGE = 4;
/** Maximum width, so that a few steps stay apart. */
const MAX_BAR_WIDTH = 28;

interface StripPaths {
  /** Height of zero. */
  readonly zero: number;
  readonly plus: string;
  readonly minus: string;
  /** Rewards of 0. */
  readonly nil: string;
  /** Steps without a reward. */
  readonly none: string;
  readonly sum: string;
}

interface StripScale {
  readonly most: number;
  readonly least: number;
}

/**
 * Converts bars to paths, so that thousands of them are five elements. Bars and sums have separate scales, so that
 * small rewards are visible next to a large sum. Both share the zero line, with enough room on each side.
 */
export function toStripPaths(bars: readonly StripBar[], width: number): StripPaths {
  const rewards = scaleOf(bars.flatMap(({ max, min }) => [max ?? 0, min ?? 0]));
  const sums = scaleOf(bars.map(({ sum }) => sum));
  const above = Math.max(shareAbove(rewards), shareAbove(sums));
  const below = Math.max(shareBelow(rewards), shareBelow(sums));
  const zero = EDGE + (HEIGHT - 2 * EDGE) * (below === 0 ? 1 : above / (above + below));
  const toY = (scale: StripScale) => {
    const up = scale.most === 0 ? Number.POSITIVE_INFINITY : (zero - EDGE) / scale.most;
    const down = scale.least === 0 ? Number.POSITIVE_INFINITY : (HEIGHT - EDGE - zero) / -scale.least;
    const each = Math.min(up, down);
    return (value: number) => (Number.isFinite(each) ? zero - value * each : zero);
  };
  return {
    zero,
    ...boxesOf(bars, width / bars.length, zero, toY(rewards)),
    sum: lineOf(bars, width, toY(sums)),
  };
}

const scaleOf = (values: readonly number[]): StripScale => ({
  most: values.reduce((max, value) => Math.max(max, value), 0),
  least: values.reduce((min, value) => Math.min(min, value), 0),
});

const shareAbove = ({ most: max, least: min }: StripScale): number => (max === 0 ? 0 : max / (max - min));
const shareBelow = ({ most: max, least: min }: StripScale): number => (min === 0 ? 0 : -min / (max - min));

function boxesOf(bars: readonly StripBar[], each: number, zero: number, y: (value: number) => number) {
  const wide = Math.min(MAX_BAR_WIDTH, each > 4 ? each - 1 : each);
  // Wide bars start at their position, so that all gaps are equal.
  const before = wide < MAX_BAR_WIDTH ? 0 : (each - wide) / 2;
  const paths = { plus: '', minus: '', nil: '', none: '' };
  bars.forEach(({ max, min }, index) => {
    const box = (from: number, to: number) =>
      `M${shown(index * each + before)} ${shown(from)}h${shown(wide)}V${shown(to)}h${shown(-wide)}z`;
    // A reward of 0 differs from no reward.
    if (max === null) paths.none += box(zero - 1, zero + 1);
    if (max !== null && max > 0) paths.plus += box(Math.min(y(max), zero - 2), zero);
    if (min !== null && min < 0) paths.minus += box(zero, Math.max(y(min), zero + 2));
    if (max === 0 && min === 0) paths.nil += box(zero - 4, zero);
  });
  return paths;
}

const lineOf = (bars: readonly StripBar[], width: number, y: (value: number) => number): string =>
  bars
    .map(
      ({ sum }, index) => `${index === 0 ? 'M' : 'L'}${shown((index + 0.5) * (width / bars.length))} ${shown(y(sum))}`,
    )
    .join('');

const shown = (value: number): string => String(Math.round(value * 100) / 100);
