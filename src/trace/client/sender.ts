import type { TraceId } from '../../../generated/trace.ts';
import type { Redactor } from '../../core/index.ts';
import type { Limits } from '../model/index.ts';
import type { NewJob } from './job.ts';
import type { Outbox } from './outbox.ts';
import { type FlushReport, Tally } from './tally.ts';
import { type OnError, track } from './track.ts';

/** What all traces of a client share. */
export interface TraceContext {
  readonly outbox: Outbox;
  readonly limits: Limits;
  readonly redactor: Redactor;
  readonly onError: OnError;
}

/** Sends what belongs to one trace, and sees to it that no failure stays unseen. */
export interface Sender {
  /**
   * @param make what to send; what it throws is told like a failure on the way.
   * @returns the answer to the last of it, when all have been answered.
   */
  send(id: string, make: () => readonly NewJob[]): Promise<unknown>;
  hurry(): void;
  flush(): Promise<FlushReport>;
}

export function createSender({ outbox, onError }: TraceContext, traceId: TraceId): Sender {
  const tally = new Tally();
  const tallies = [tally, outbox.tally];
  const hurry = () => outbox.hurry(traceId);
  return {
    send(id, make) {
      const { result, isBlock } = start(outbox, make);
      track({ id, traceId, isBlock, result }, tallies, onError);
      return result;
    },
    hurry,
    flush() {
      hurry();
      return tally.report();
    },
  };
}

function start(outbox: Outbox, make: () => readonly NewJob[]): { result: Promise<unknown>; isBlock: boolean } {
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
