import { expect, test } from '@jest/globals';
import { createStoreCall } from '../../../src/trace/api/index.ts';
import { createClientForApi } from '../../../src/trace/client/index.ts';
import { createLocalTraceApi } from '../../../src/trace/recorder/index.ts';
import { createMemoryStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { LIMITS } from '../store/stores.ts';

test('a store in this process is asked for many traces at once, within a bound', async () => {
  await using store = createMemoryStore();
  const underWay = { now: 0, most: 0 };
  const { call } = createStoreCall(store, () => {});
  const counted: typeof call = async (...args) => {
    underWay.most = Math.max(underWay.most, ++underWay.now);
    try {
      return await call(...args);
    } finally {
      underWay.now--;
    }
  };
  await using traces = createClientForApi(createLocalTraceApi({ call: counted }, 'default'));

  const handles = Array.from({ length: 100 }, () => traces.createTrace());
  for (const trace of handles) trace.logMessage({ role: 'user', content: 'x' });
  const { acknowledged } = await traces.flush();

  expect(acknowledged).toBe(100);
  expect(underWay.most).toBe(64);
});

/** Asks for a tree that is read in parts, of which the second comes to this. */
async function readTree(second: (store: TraceStore) => Promise<unknown>) {
  await using store = createMemoryStore();
  await store.createTrace('default', { id: 'tr_test' });
  const body = { sub_type: 'MESSAGE', payload: { role: 'user', content: 'x' }, raw: 'x'.repeat(600_000) };
  for (let at = 0; at < 20; at++) await store.append('default', 'tr_test', { body, limits: LIMITS });
  let reads = 0;
  const textsAt: TraceStore['textsAt'] = async (...asked) => {
    if (++reads === 2) await second(store);
    return store.textsAt(...asked);
  };
  const told: unknown[] = [];
  const { call } = createStoreCall({ ...store, textsAt }, (error) => told.push(error));
  const path = { org: 'default', traceId: 'tr_test' };
  return { answer: await call('stitchedBlocks', { path }), told };
}

test('a trace that is deleted while a page of it is read in this process is gone', async () => {
  const { answer, told } = await readTree((store) => store.deleteTrace('default', 'tr_test'));

  expect(answer).toMatchObject({ status: 410, value: { error: { code: 'TRACE_DELETED' } } });
  expect(told).toEqual([]);
});

test('a store that fails while a page is read in this process is told of', async () => {
  const broken = new Error('the disk is broken');
  const { answer, told } = await readTree(() => Promise.reject(broken));

  expect(answer).toMatchObject({ status: 500, value: { error: { code: 'INTERNAL' } } });
  expect(told).toEqual([broken]);
});
