import type { TraceInput } from '../../../generated/trace.ts';
import {
  deleteTrace,
  listPages,
  type TraceApiRequester,
  type TraceClient,
  type TraceHandle,
} from '../../trace/client/index.ts';

/** Where the episodes of a run are recorded. */
export interface RunTraces {
  /** A new trace of the run. */
  create(input: TraceInput): TraceHandle;
  /** Settles when there is room for more. */
  ready(): Promise<void>;
  /** Takes a trace away, with all that is still on its way to it. */
  remove(trace: TraceHandle): Promise<void>;
  /**
   * Takes away all traces of a run but some: those of episodes that did not end. Traces of other runs stay, whatever
   * these are called.
   *
   * @param runId that the traces have as `run_id` in their metadata.
   * @returns those of `kept` that are not in the store.
   */
  removeOthers(runId: string, kept: ReadonlySet<string>): Promise<string[]>;
}

/**
 * The traces of one run in a store.
 *
 * @param api and `client` lead to the same organization of the same store.
 */
export function openRunTraces(
  api: TraceApiRequester,
  client: Pick<TraceClient, 'createTrace' | 'ready'>,
  run: string,
): RunTraces {
  return {
    create: (input) => client.createTrace({ ...input, run }),
    ready: () => client.ready(),
    async remove(trace) {
      await trace.flush();
      await deleteTrace(api, trace.id);
    },
    async removeOthers(runId, kept) {
      const others: string[] = [];
      const missing = new Set(kept);
      for await (const { traces } of listPages(api, 'listTraces', { run, sort: 'created', order: 'asc' })) {
        for (const { id, metadata } of traces) {
          missing.delete(id);
          if (metadata.run_id === runId && !kept.has(id)) others.push(id);
        }
      }
      for (const id of others) await deleteTrace(api, id);
      return [...missing];
    },
  };
}
