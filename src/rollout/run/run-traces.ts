import type { JSONObject, TraceInput } from '../../../generated/trace.ts';
import { fieldsOf } from '../../core/index.ts';
import {
  deleteTrace,
  listPages,
  type TraceApiRequester,
  type TraceClient,
  type TraceHandle,
} from '../../trace/client/index.ts';

/**
 * Traces of the episodes of a run.
 *
 * @example
 * const traces: RunTraces = openRunTraces(api, createTraceClient({ url }), plan.run);
 * await rollout({ client, folder, agent, traces });
 */
export interface RunTraces {
  /** Creates a trace of the run. */
  create(input: TraceInput): TraceHandle;
  /** Resolves when the client's queue has capacity. */
  ready(): Promise<void>;
  /** Adds fields to the metadata of a trace. */
  addMetadata(traceId: string, fields: JSONObject): Promise<void>;
  /** Deletes a trace, after its pending blocks have been sent. */
  remove(trace: TraceHandle): Promise<void>;
  /**
   * Deletes the traces of a run that belong to episodes that did not end. Keeps traces of other runs, even if these have
   * the same name.
   *
   * @param runId the `run_id` in the metadata of the traces.
   * @param kept ids of the traces to keep.
   * @returns the ids of `kept` that are not in the store.
   */
  removeOthers(runId: string, kept: ReadonlySet<string>): Promise<string[]>;
}

/**
 * Opens the traces of one run in a store.
 *
 * @param api must lead to the same organization of the same store as `client`.
 * @param run the name of the run; `run` of its plan.
 * @example
 * const api = createTraceApiRequester({ url, apiKey: undefined, organization: 'default', fetch });
 * const traces = openRunTraces(api, createTraceClient({ url }), plan.run);
 */
export function openRunTraces(
  api: TraceApiRequester,
  client: Pick<TraceClient, 'createTrace' | 'ready'>,
  run: string,
): RunTraces {
  return {
    create: (input) => client.createTrace({ ...input, run }),
    ready: () => client.ready(),
    async addMetadata(traceId, fields) {
      const { metadata } = fieldsOf(await api.json('getTrace', { traceId }));
      const body = JSON.stringify({ metadata: { ...fieldsOf(metadata), ...fields } });
      await api.json('updateTrace', { traceId, body });
    },
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
