import type { StripBar } from './steps.ts';

/** How high the strip is, in pixels. */
export const HEIGHT = 56;
const EDGE = 4;
/** A few steps stand apart, and do not make a wall. */
const MAX_BAR_WIDTH = 28;

export interface StripPaths {
  /** Where nothing is. */
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
 * Bars as paths, so that thousands of them are five elements. The bars have a scale and the line of the sums has one, so
 * that small rewards are seen beside a large sum; what is above and below nothing is so for both, and each has room there
 * for all that it needs.
 */
export function toStripPaths(bars: readonly StripBar[], width: number): StripPaths {
  const rewards = scaleOf(bars.flatMap(({ max, min }) => [max ?? 0, min ?? 0]));
  const sums = scaleOf(bars.map(({ sum }) => sum));
  const above = Math.max(shareAbove(rewards), shareAbove(sums));
  const below = Math.max(shareBelow(rewards), shareBelow(sums));
  const zero = EDGE + (HEIGHT - 2 * EDGE) * (below === 0 ? 1 : above / (above + below));
  const placeOn = (scale: StripScale) => {
    const up = scale.most === 0 ? Number.POSITIVE_INFINITY : (zero - EDGE) / scale.most;
    const down = scale.least === 0 ? Number.POSITIVE_INFINITY : (HEIGHT - EDGE - zero) / -scale.least;
    const each = Math.min(up, down);
    return (value: number) => (Number.isFinite(each) ? zero - value * each : zero);
  };
  return {
    zero,
    ...boxesOf(bars, width / bars.length, zero, placeOn(rewards)),
    sum: lineOf(bars, width, placeOn(sums)),
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
  // Bars that touch begin where their place does, so that all gaps between them are alike.
  const before = wide < MAX_BAR_WIDTH ? 0 : (each - wide) / 2;
  const paths = { plus: '', minus: '', nil: '', none: '' };
  bars.forEach(({ max, min }, index) => {
    const box = (from: number, to: number) =>
      `M${shown(index * each + before)} ${shown(from)}h${shown(wide)}V${shown(to)}h${shown(-wide)}z`;
    // A reward of nothing is not the same as no reward.
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
