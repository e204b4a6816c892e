import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createStoreCall } from '../../../src/trace/api/index.ts';
import { createClientForApi } from '../../../src/trace/client/index.ts';
import { createLocalTraceApi } from '../../../src/trace/recorder/index.ts';
import { createMemoryStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { LIMITS } from '../store/stores.ts';

test('sends requests to a store in this process concurrently, up to a limit', async () => {
  await using store = createMemoryStore();
  const inProgress = { now: 0, max: 0 };
  const { call } = createStoreCall(store, () => {});
  const counted: typeof call = async (...args) => {
    inProgress.max = Math.max(inProgress.max, ++inProgress.now);
    try {
      return await call(...args);
    } finally {
      inProgress.now--;
    }
  };
  await using traces = createClientForApi(createLocalTraceApi({ call: counted }, 'default'));

  const handles = Array.from({ length: 100 }, () => traces.createTrace());
  for (const trace of handles) trace.logMessage({ role: 'user', content: 'x' });
  const { acknowledged } = await traces.flush();

  expect(acknowledged).toBe(100);
  expect(inProgress.max).toBe(64);
});

test('sends what callers of many traces wait for in few turns, so that a store can write it in few transactions', async () => {
  await using store = createMemoryStore();
  const { call } = createStoreCall(store, () => {});
  let turns = 0;
  let isCounted = false;
  const counted: typeof call = async (...args) => {
    if (!isCounted) turns++;
    isCounted = true;
    setImmediate(() => {
      isCounted = false;
    });
    await setTimeout(20);
    return call(...args);
  };
  await using traces = createClientForApi(createLocalTraceApi({ call: counted }, 'default'));

  const finished: Promise<unknown>[] = [];
  for (let count = 0; count < 100; count++) {
    const trace = traces.createTrace();
    finished.push(trace.finish().then(({ status }) => status));
    await nextTurn();
  }

  expect(new Set(await Promise.all(finished))).toEqual(new Set(['finished']));
  // 200 requests.
  expect(turns).toBeLessThan(45);
});

/** Reads a tree in parts; the store calls `failure` before the second one. */
async function readTree(second: (store: TraceStore) => Promise<unknown>) {
  await using store = createMemoryStore();
  await store.createTrace('default', { id: 'tr_test' });
  const body = { sub_type: 'MESSAGE', payload: { role: 'user', content: 'x' }, raw: 'x'.repeat(600_000) };
  for (let at = 0; at < 20; at++) await store.append('default', 'tr_test', { body, limits: LIMITS });
  let reads = 0;
  const textsAt: TraceStore['textsAt'] = async (...requested) => {
    if (++reads === 2) await second(store);
    return store.textsAt(...requested);
  };
  const reported: unknown[] = [];
  const { call } = createStoreCall({ ...store, textsAt }, (error) => reported.push(error));
  const path = { org: 'default', traceId: 'tr_test' };
  return { response: await call('stitchedBlocks', { path }), reported };
}

test('rejects with TRACE_DELETED if a trace is deleted while it is read in this process', async () => {
  const { response, reported } = await readTree((store) => store.deleteTrace('default', 'tr_test'));

  expect(response).toMatchObject({ status: 410, value: { error: { code: 'TRACE_DELETED' } } });
  expect(reported).toEqual([]);
});

test('reports a store that fails while it is read in this process', async () => {
  const broken = new Error('the disk is broken');
  const { response, reported } = await readTree(() => Promise.reject(broken));

  expect(response).toMatchObject({ status: 500, value: { error: { code: 'INTERNAL' } } });
  expect(reported).toEqual([broken]);
});
