import type { TraceStatus } from '../../../../generated/trace.ts';

/** How far a trace is, as a word with a mark that needs no colour to be read. */
export function Status({ status }: { readonly status: TraceStatus }) {
  return <span class={`status status-${status}`}>{status}</span>;
}
