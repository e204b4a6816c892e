import type { TraceInput } from '../../../generated/trace.ts';
import { type Api, deleteTrace, listPages, type TraceClient, type TraceHandle } from '../../trace/client/index.ts';

/** Where the episodes of a run are recorded. */
export interface RunTraces {
  /** A new trace of the run. */
  create(input: TraceInput): TraceHandle;
  /** Settles when there is room for more. */
  ready(): Promise<void>;
  /** Takes a trace away, with all that is still on its way to it. */
  remove(trace: TraceHandle): Promise<void>;
  /** Takes away all traces of the run but some: those of episodes that did not end. */
  removeOthers(kept: ReadonlySet<string>): Promise<void>;
}

/**
 * The traces of one run in a store.
 *
 * @param api and `client` lead to the same organization of the same store.
 */
export function openRunTraces(api: Api, client: Pick<TraceClient, 'createTrace' | 'ready'>, run: string): RunTraces {
  return {
    create: (input) => client.createTrace({ ...input, run }),
    ready: () => client.ready(),
    async remove(trace) {
      await trace.flush();
      await deleteTrace(api, trace.id);
    },
    async removeOthers(kept) {
      const others: string[] = [];
      for await (const { traces } of listPages(api, 'listTraces', { run, sort: 'created', order: 'asc' }))
        others.push(...traces.map(({ id }) => id).filter((id) => !kept.has(id)));
      for (const id of others) await deleteTrace(api, id);
    },
  };
}
