export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value that `share` (0 to 1) of the values do not exceed; nearest rank. Sorts the array in place. */
export function percentile(values: Float64Array, share: number): number {
  values.sort();
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}
