import type { Run, TraceStatus } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';

/** How far a trace is, as a word with a mark that needs no colour to be read. */
export function StatusBadge({ status }: { readonly status: TraceStatus }) {
  return <span class={`status status-${status}`}>{status}</span>;
}

/** `7 finished, 2 errors`: how many traces are how far, in this order. */
export const formatStatusCounts = (status: Run['status'], states: readonly TraceStatus[]): string =>
  states
    .filter((name) => status[name] > 0)
    .map((name) => (name === 'error' ? plural(status.error, name) : `${formatCount(status[name])} ${name}`))
    .join(', ');
