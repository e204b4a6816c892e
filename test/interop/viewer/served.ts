import { createTraceClient, type TraceClient, type TraceHandle } from 'ors-kit/trace';
import type { JSONValue, RunStats, Trace } from '../../../generated/trace.ts';
import { createTraceApi, serveTraces } from '../../../src/trace/api/index.ts';
import { createClientForApi } from '../../../src/trace/client/index.ts';
import { createLocalTraceApi, createRecorder } from '../../../src/trace/recorder/index.ts';
import { createMemoryStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { start } from '../../support/client.ts';

export interface Served {
  readonly url: string;
  readonly store: TraceStore;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a trace server that the client fills. */
export async function serveFilled(
  fill: (traces: TraceClient) => unknown,
  store = createMemoryStore(),
): Promise<Served> {
  const server = await serveTraces({ store, port: 0 });
  await write(server.url, fill);
  return { url: server.url, store, [Symbol.asyncDispose]: () => closeAll(server, store) };
}

async function closeAll(server: AsyncDisposable, store: TraceStore): Promise<void> {
  await server[Symbol.asyncDispose]();
  await store.close();
}

/** Writes with a new client. Rejects unless everything is stored. */
export async function write(url: string, fill: (traces: TraceClient) => unknown): Promise<void> {
  await using traces = createTraceClient({ url });
  await fill(traces);
  const { failed } = await traces.flush();
  if (failed.length > 0) throw new Error(`not stored: ${JSON.stringify(failed[0])}`);
}

/** Starts a server of environments that records episodes in a store. */
export async function serveRecorded(environments: Parameters<typeof start>[0]): Promise<Served> {
  const store = createMemoryStore();
  const traces = createTraceApi(store, { viewer: false, metrics: false });
  const recording = createClientForApi(createLocalTraceApi(traces, 'default'));
  const options = { mounts: { '/v1': traces.handler }, recorder: createRecorder(recording) };
  const server = await start(environments, options);
  const close = async () => {
    await server.close();
    await recording.close();
    traces.close();
    await store.close();
  };
  return { url: server.url, store, [Symbol.asyncDispose]: close };
}

/** Tool call of an agent with its result. */
export interface Did {
  readonly tool: string;
  readonly input?: Record<string, JSONValue>;
  readonly output?: JSONValue;
  readonly reward?: number;
  readonly isError?: boolean;
}

/** Logs calls with their results, each under a new message. */
export function logCalls(trace: TraceHandle, calls: readonly Did[]): void {
  calls.forEach(({ tool, input = {}, output = 'done', reward, isError }, index) => {
    const message = trace.logMessage({ role: 'assistant', content: `Step ${index + 1}.` });
    const call_id = `call_${index}`;
    const call = trace.logAct({ parent_block_id: message.id, payload: { call_id, name: tool, arguments: input } });
    const extra = { ...(reward !== undefined && { reward }), ...(isError && { tool_error: true }) };
    trace.logObserve({ parent_block_id: call.id, payload: { call_id, output: output as never }, extra });
  });
}

export const ORG_PATH = '/v1/organizations/default';

/** Returns the JSON response of the API. */
export async function ask<T>(url: string, path: string): Promise<T> {
  const response = await fetch(url + ORG_PATH + path);
  if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

export const statsOf = (url: string, run: string, bins = 20): Promise<RunStats> =>
  ask(url, `/runs/${run}/stats?bins=${bins}`);

/** Returns all traces that match a filter. */
export async function tracesOf(url: string, filter: string): Promise<readonly Trace[]> {
  const { traces } = await ask<{ traces: Trace[] }>(url, `/traces?limit=1000&${filter}`);
  return traces;
}

/** Returns the tree of a trace without timestamps, which differ after an import. */
export async function timelessOf(url: string, id: string): Promise<unknown> {
  const { messages } = await ask<{ messages: unknown }>(url, `/traces/${id}/blocks.stitched?limit=200`);
  return JSON.parse(JSON.stringify(messages, (key, value) => (key.endsWith('ted_at') ? undefined : value)));
}

/** Imports an export. Rejects unless all of it is stored. */
export async function importInto(url: string, file: string): Promise<void> {
  const response = await fetch(`${url}${ORG_PATH}/import`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: file,
  });
  const report = (await response.json()) as { failed_count?: number };
  if (!response.ok || (report.failed_count ?? 0) > 0) throw new Error(`not imported: ${JSON.stringify(report)}`);
}
