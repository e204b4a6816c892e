import type { TraceId } from '../../../generated/trace.ts';
import type { DeliveryCounter } from './tally.ts';
import { type TraceError, toTraceError } from './trace-error.ts';

/** Told of each thing that is not logged: which block, or which trace could not be created or changed. */
export type OnTraceError = (error: TraceError, place: { readonly id: string; readonly trace_id: TraceId }) => void;

/** Something that is on its way: a block, or a trace that is created or changed. */
export interface PendingDelivery {
  readonly id: string;
  readonly traceId: TraceId;
  readonly isBlock: boolean;
  readonly result: Promise<unknown>;
}

/** Counts what becomes of something, and tells of its failure, so that none stays unseen. */
export function trackDelivery(
  { id, traceId, isBlock, result }: PendingDelivery,
  tallies: readonly DeliveryCounter[],
  onError: OnTraceError,
): void {
  const settled: Promise<void> = result.then(
    () => {
      for (const tally of tallies) tally.succeeded(settled, isBlock);
    },
    (cause) => {
      const error = toTraceError(cause);
      for (const tally of tallies) tally.failed(settled, id, error);
      onError(error, { id, trace_id: traceId });
    },
  );
  for (const tally of tallies) tally.add(settled);
}
