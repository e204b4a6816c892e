import { expect, test } from '@jest/globals';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { createTraceClient } from '../../../src/trace/client/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';

test('scores a trace and its blocks after the blocks that were logged before', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });
  await using traces = createTraceClient({ url: server.url, secrets: { token: 'top-secret' } });
  const trace = traces.createTrace({ run: 'r' });
  const { id } = trace.logMessage({ role: 'user', content: 'hi' });

  void trace.score({ name: 'tone', label: 'friendly', block_id: id, author: 'ada' });
  const score = await trace.score({ name: 'quality', value: 1, comment: 'says top-secret' });

  expect(score).toMatchObject({ trace_id: trace.id, name: 'quality', value: 1, comment: 'says [secret]' });
  const { items } = await store.scores('default', { limit: 10 });
  expect(items.map(({ name, block_id }) => [name, block_id])).toEqual([
    ['tone', id],
    ['quality', null],
  ]);
});

test('reports a score that the store rejects', async () => {
  await using store = createMemoryStore();
  await using server = await serveTraces({ store, port: 0 });
  await using traces = createTraceClient({ url: server.url, onError: () => {} });
  const trace = traces.createTrace();

  const rejected = trace.score({ id: 'sc_1', name: 'quality' });

  await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION' });
  expect((await traces.flush()).failed).toEqual([{ id: 'sc_1', error: expect.objectContaining({ status: 422 }) }]);
});
