import { largest, standardErrorFrom, sum } from './arrays.ts';

/** Returns the mean; null for an empty list. */
export const meanOf = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : sum(numbers) / numbers.length;

/** Returns the population standard deviation; exactly 0 if all numbers are equal, null for an empty list. */
export function standardDeviationOf(numbers: readonly number[]): number | null {
  const mean = meanOf(numbers);
  if (mean === null) return null;
  if (numbers.every((number) => number === numbers[0])) return 0;
  return Math.sqrt(squaresAround(mean, numbers) / numbers.length);
}

/** Returns the standard error of the mean of independently drawn numbers; null for fewer than two. */
export function standardErrorOf(numbers: readonly number[]): number | null {
  const deviation = standardDeviationOf(numbers);
  return deviation === null ? null : standardErrorFrom(numbers.length, deviation);
}

const squaresAround = (mean: number, numbers: readonly number[]): number =>
  sum(numbers.map((number) => (number - mean) ** 2));

const ascending = (one: number, other: number): number => one - other;

/** Returns a quantile by the nearest-rank method, `part` from 0 to 1; null for an empty list. */
export function nearestRankOf(numbers: readonly number[], part: number): number | null {
  const sorted = numbers.toSorted(ascending);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}

/** A number and how many times it occurs. */
interface CountedNumber {
  readonly value: number;
  readonly count: number;
}

/**
 * Returns quantiles of numbers that are counted, interpolated between the two nearest numbers; null for an empty list.
 *
 * @param parts from 0 to 1.
 */
export function countedQuantiles(numbers: readonly CountedNumber[], parts: readonly number[]): (number | null)[] {
  const sorted = numbers.toSorted((one, other) => one.value - other.value);
  const total = sum(sorted.map(({ count }) => count));
  if (total === 0) return parts.map(() => null);
  const at = (rank: number): number => {
    let left = rank;
    for (const { value, count } of sorted) {
      left -= count;
      if (left < 0) return value;
    }
    return sorted.at(-1)?.value ?? 0;
  };
  return parts.map((part) => {
    const position = part * (total - 1);
    const below = at(Math.floor(position));
    const above = at(Math.ceil(position));
    const share = position - Math.floor(position);
    const distance = above - below;
    // The distance of large numbers may overflow.
    return Number.isFinite(distance) ? below + distance * share : below * (1 - share) + above * share;
  });
}

/** Returns quantiles of numbers, interpolated between the two nearest numbers. */
export const quantilesOf = (numbers: readonly number[], parts: readonly number[]): (number | null)[] =>
  countedQuantiles(
    numbers.map((value) => ({ value, count: 1 })),
    parts,
  );

/**
 * Returns the unbiased estimate of the probability that at least one of k samples passes, given that `passed` of
 * `samples` did: 1 - C(samples - passed, k) / C(samples, k). Computed as a product, which does not overflow.
 *
 * @throws RangeError unless 1 <= k <= samples and 0 <= passed <= samples.
 * @example
 * passAtK(4, 1, 2); // 0.5
 */
export function passAtK(samples: number, passed: number, k: number): number {
  if (!(k >= 1 && k <= samples)) throw new RangeError(`invalid k: expected a number from 1 to ${samples}, got ${k}`);
  if (!(passed >= 0 && passed <= samples)) {
    throw new RangeError(`invalid number of passed samples: expected a number from 0 to ${samples}, got ${passed}`);
  }
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn++) allFail *= Math.max(0, samples - passed - drawn) / (samples - drawn);
  return 1 - allFail;
}

/** Samples of one task, and how many of them passed. */
interface PassCount {
  readonly samples: number;
  readonly passed: number;
}

/** pass@k over the tasks that have at least k samples. */
export interface PassAtK {
  readonly k: number;
  readonly pass: number;
  readonly standard_error: number | null;
  readonly tasks: number;
}

/** Returns the powers of two below a number, and the number. */
function sampleSizesUpTo(samples: number): number[] {
  const sizes = [];
  for (let size = 1; size < samples; size *= 2) sizes.push(size);
  return samples < 1 ? [] : [...sizes, samples];
}

/**
 * Returns pass@k for k of 1, 2, 4, ... up to `max`: the mean over the tasks that have at least k samples.
 *
 * @param max default: the greatest number of samples of a task.
 */
export function passCurve(
  tasks: readonly PassCount[],
  max = largest([0, ...tasks.map(({ samples }) => samples)]),
): PassAtK[] {
  return sampleSizesUpTo(max).flatMap((k) => {
    const chances = tasks
      .filter(({ samples }) => samples >= k)
      .map(({ samples, passed }) => passAtK(samples, passed, k));
    const pass = meanOf(chances);
    return pass === null ? [] : [{ k, pass, standard_error: standardErrorOf(chances), tasks: chances.length }];
  });
}

/** Mean difference of pairs with its 95 % confidence interval. */
export interface PairedDifference {
  readonly pairs: number;
  readonly mean: number;
  /** Null for a single pair, as the bounds are. */
  readonly standard_error: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns the mean of differences and its 95 % confidence interval by Student's t distribution; undefined without pairs.
 *
 * @param differences one for each pair, such as a task that two runs have in common.
 */
export function pairedDifference(differences: readonly number[]): PairedDifference | undefined {
  const mean = meanOf(differences);
  if (mean === null) return undefined;
  const pairs = differences.length;
  const error = standardErrorOf(differences);
  if (error === null) return { pairs, mean, standard_error: null, low: null, high: null };
  const margin = error * studentT95(pairs - 1);
  return { pairs, mean, standard_error: error, low: mean - margin, high: mean + margin };
}

/** Quantile 0.975 of the standard normal distribution. */
const Z_95 = 1.959_963_984_540_054;
/** Above this number of degrees of freedom, the expansion is exact to seven digits. */
const EXACT_DEGREES = 200;

/** Returns the t for which |T| <= t has a probability of 95 %. */
export function studentT95(degrees: number): number {
  if (degrees > EXACT_DEGREES) {
    // Cornish-Fisher expansion. Source: Abramowitz and Stegun, 26.7.5.
    const first = (Z_95 ** 3 + Z_95) / 4;
    const second = (5 * Z_95 ** 5 + 16 * Z_95 ** 3 + 3 * Z_95) / 96;
    return Z_95 + first / degrees + second / degrees ** 2;
  }
  let low = Z_95;
  let high = 13;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (probabilityWithin(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probability of |T| <= t for whole degrees of freedom. Source: Abramowitz and Stegun, 26.7.3 and 26.7.4. */
function probabilityWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let series = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    series += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * series) : sine * series;
}

/**
 * Smooths numbers in their order by an exponential moving average, whose first values are corrected for the missing past.
 *
 * @param weight weight of the past, from 0 (none) to below 1.
 */
export function smooth(numbers: readonly (number | null)[], weight: number): (number | null)[] {
  let past = 0;
  let known = 0;
  return numbers.map((number) => {
    if (number === null) return null;
    past = past * weight + number * (1 - weight);
    known = known * weight + (1 - weight);
    return past / known;
  });
}
