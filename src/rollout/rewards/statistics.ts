import { sum } from '../../core/index.ts';

/** Null where there are no numbers. */
export const meanOf = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : sum(numbers) / numbers.length;

/** The standard deviation of numbers that are all there are; exactly 0 where they are equal. */
export function standardDeviationOf(numbers: readonly number[]): number | null {
  const mean = meanOf(numbers);
  if (mean === null) return null;
  if (numbers.every((number) => number === numbers[0])) return 0;
  return Math.sqrt(squaresAround(mean, numbers) / numbers.length);
}

/** The standard error of the mean of numbers that were drawn one by one; null for less than two. */
export function standardErrorOf(numbers: readonly number[]): number | null {
  const mean = meanOf(numbers);
  if (mean === null || numbers.length < 2) return null;
  return Math.sqrt(squaresAround(mean, numbers) / (numbers.length - 1) / numbers.length);
}

/** The smallest number that so large a part of the numbers does not exceed; null where there are none. */
export function quantileOf(numbers: readonly number[], part: number): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
}

const squaresAround = (mean: number, numbers: readonly number[]): number =>
  sum(numbers.map((number) => (number - mean) ** 2));
