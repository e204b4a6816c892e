import type { FailureKind, FailureRecord } from '../episode/episode-record.ts';
import type { FailureReason, RunResults } from './summarize.ts';

export interface FailureCounts {
  add(failure: FailureRecord): void;
  /** By what failed, and the most frequent reasons. */
  readonly totals: () => Pick<RunResults, 'failures' | 'failure_reasons'>;
}

/** So many reasons are told. */
const MAX_REASONS = 5;
/** So many different ones are counted: each may have a number in it. */
const MAX_COUNTED_MESSAGES = 1_000;

/** Counts the attempts that failed, by what failed and by what was said. */
export function countFailures(before: readonly FailureRecord[]): FailureCounts {
  const kinds: Partial<Record<FailureKind, number>> = {};
  const reasons = new Map<string, FailureReason>();
  const add = ({ kind, message }: FailureRecord) => {
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const known = reasons.get(`${kind} ${message}`);
    if (!known && reasons.size >= MAX_COUNTED_MESSAGES) return;
    reasons.set(`${kind} ${message}`, { kind, message, count: (known?.count ?? 0) + 1 });
  };
  before.forEach(add);
  return {
    add,
    totals() {
      const sorted = [...reasons.values()].sort((one, other) => other.count - one.count);
      return { failures: { ...kinds }, failure_reasons: sorted.slice(0, MAX_REASONS) };
    },
  };
}
