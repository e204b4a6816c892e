import type { Environment } from 'ors-kit';
import type { Recorder, ServerOptions } from 'ors-kit/server';
import { createTraceApi } from '../../../src/trace/api/index.ts';
import { createClientForApi } from '../../../src/trace/client/index.ts';
import { createLocalTraceApi, createRecorder } from '../../../src/trace/recorder/index.ts';
import { start } from '../../support/client.ts';
import { openTestStore } from '../store/open-test-store.ts';

/** Starts a server that records its episodes to a new store, and reads the traces. */
export async function startRecording(environments: Environment | readonly Environment[], options: ServerOptions = {}) {
  const store = await openTestStore();
  const api = createTraceApi(store, { metrics: false });
  const failures: string[] = [];
  const traces = createClientForApi(createLocalTraceApi(api, 'default'), {
    onError: ({ message }) => failures.push(message),
  });
  const recorder: Recorder = createRecorder(traces);
  const server = await start(environments, { ...options, recorder });
  return {
    server,
    recorder,
    failures,
    /** The only trace with its blocks. */
    async recordedOne() {
      const [one, ...others] = await this.recorded();
      if (!one || others.length > 0) throw new Error(`${others.length + 1} traces`);
      return one;
    },
    /** Returns each trace with its blocks, oldest first, when all are written. */
    async recorded() {
      await traces.flush();
      const { items } = await store.traces('default', { limit: 1000, order: 'asc' });
      return Promise.all(
        items.map(async (trace) => ({
          trace,
          blocks: (await store.blocks('default', trace.id)).map(({ block }) => block),
        })),
      );
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await traces.close();
      api.close();
      await store.close();
    },
  };
}
