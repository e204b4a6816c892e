import type { Environment } from 'ors-kit';
import { createTraceApi } from '../../src/trace/api/index.ts';
import { createClientForApi } from '../../src/trace/client/index.ts';
import { exportFormats } from '../../src/trace/formats/index.ts';
import { createMemoryTraceReader } from '../../src/trace/model/index.ts';
import { createLocalTraceApi, createRecorder } from '../../src/trace/recorder/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { start } from '../support/client.ts';

/** Plays on a recording server and returns its traces: restored, oldest first, and as an export. */
export async function recordedEpisodes(
  environments: Environment | readonly Environment[],
  playAll: (server: { readonly url: string }) => Promise<unknown>,
) {
  await using store = createMemoryStore();
  const api = createTraceApi(store, { metrics: false });
  const client = createClientForApi(createLocalTraceApi(api, 'default'));
  const server = await start(environments, { recorder: createRecorder(client) });
  await playAll(server);
  await server.close();
  await client.flush();
  const { items } = await store.traces('default', { limit: 1000, order: 'asc' });
  const traces = await Promise.all(items.map(({ id }) => client.readTrace(id)));
  const text: string[] = [];
  for (const trace of items) {
    const blocks = (await store.blocks('default', trace.id)).map(({ block }) => block);
    const source = {
      trace,
      texts: () => blocks.map((block) => JSON.stringify(block)),
      restored: async () => createMemoryTraceReader(blocks),
      blob: async () => undefined,
    };
    for await (const line of exportFormats.jsonl.write(source)) text.push(line);
  }
  await client.close();
  api.close();
  return { traces, text, lines: () => each(text) };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
