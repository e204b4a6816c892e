/**
 * The value below which a part of the observations lies, by Prometheus' rule: within a bucket they are taken for evenly
 * spread, and what lies beyond the last finite bound counts as that bound. Null if there are no observations.
 */
export function histogramQuantile(part: number, buckets: ReadonlyMap<number, number>): number | null {
  const bounds = [...buckets.keys()];
  const count = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
  if (count <= 0) return null;
  const rank = part * count;
  let [below, lower] = [0, 0];
  for (const bound of bounds) {
    const upTo = buckets.get(bound) ?? 0;
    if (upTo >= rank && upTo > below) {
      return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - below)) / (upTo - below);
    }
    [below, lower] = [upTo, bound];
  }
  return lower;
}

/** The observations that came between two scrapes. */
export function diffBuckets(
  before: ReadonlyMap<number, number> | undefined,
  now: ReadonlyMap<number, number>,
): Map<number, number> {
  return new Map([...now].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]));
}
