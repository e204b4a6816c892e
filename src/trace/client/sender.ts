import type { TraceId } from '../../../generated/trace.ts';
import type { Redactor } from '../../core/index.ts';
import type { TraceLimits } from '../model/index.ts';
import type { NewTraceJob } from './job.ts';
import type { Outbox } from './outbox.ts';
import { DeliveryCounter, type FlushReport } from './tally.ts';
import { type OnTraceError, trackDelivery } from './track.ts';

/** What all traces of a client share. */
export interface TraceClientContext {
  readonly outbox: Outbox;
  readonly limits: TraceLimits;
  readonly redactor: Redactor;
  readonly onError: OnTraceError;
}

/** Sends what belongs to one trace, and sees to it that no failure stays unseen. */
export interface TraceSender {
  /**
   * @param make what to send; what it throws is told like a failure on the way.
   * @returns the answer to the last of it, when all have been answered.
   */
  send(id: string, make: () => readonly NewTraceJob[]): Promise<unknown>;
  flushSoon(): void;
  flush(): Promise<FlushReport>;
}

export function createTraceSender({ outbox, onError }: TraceClientContext, traceId: TraceId): TraceSender {
  const tally = new DeliveryCounter();
  const tallies = [tally, outbox.deliveries];
  const hurry = () => outbox.flushSoon(traceId);
  return {
    send(id, make) {
      const { result, isBlock } = start(outbox, make);
      trackDelivery({ id, traceId, isBlock, result }, tallies, onError);
      return result;
    },
    flushSoon: hurry,
    flush() {
      hurry();
      return tally.waitForReport();
    },
  };
}

function start(outbox: Outbox, make: () => readonly NewTraceJob[]): { result: Promise<unknown>; isBlock: boolean } {
  try {
    const [job, ...others] = outbox.add(make());
    const isBlock = job?.kind === 'block';
    if (job && others.length === 0) return { result: job.done.promise, isBlock };
    const answers = Promise.all([job, ...others].map((each) => each?.done.promise));
    return { result: answers.then((all) => all.at(-1)), isBlock };
  } catch (error) {
    return { result: Promise.reject(error), isBlock: false };
  }
}
