import { describe, expect, it } from '@jest/globals';
import { issueKey } from '../../../src/trace/api/index.ts';
import { connect, startStore, watchRejections } from './store-and-proxy.ts';

describe('a block that the store rejects', () => {
  it('fails with the error of the store, as do its children; all others are stored in order', async () => {
    using watch = watchRejections();
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    const good = trace.logMessage({ role: 'assistant', content: 'I call.' });
    const call = trace.logAct({ parent_block_id: good.id, payload: { call_id: 'a', name: 'look', arguments: {} } });
    const empty = trace.logMessage({ role: 'assistant', content: '' });
    const child = trace.logAct({ parent_block_id: empty.id, payload: { call_id: 'b', name: 'look', arguments: {} } });
    const grandchild = trace.logObserve({ parent_block_id: child.id, payload: { call_id: 'b', output: 1 } });
    const twice = trace.logAct({ parent_block_id: good.id, payload: { call_id: 'a', name: 'look', arguments: {} } });
    const wrongParent = trace.logThink({ parent_block_id: call.id, payload: { text: 'hm' } });
    const result = trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'a', output: 2, seq: 0 } });
    const sameSeq = trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'a', output: 3, seq: 0 } });
    const last = trace.logMessage({ role: 'user', content: 'and on' });
    const { acknowledged, failed } = await traces.flush();

    expect(acknowledged).toBe(4);
    expect(Object.fromEntries(failed.map(({ id, error }) => [id, `${error.status} ${error.code}`]))).toEqual({
      [empty.id]: '422 VALIDATION',
      [child.id]: '422 VALIDATION',
      [grandchild.id]: '422 VALIDATION',
      [twice.id]: '409 DUPLICATE_CALL_ID',
      [wrongParent.id]: '409 PARENT_SUBTYPE_MISMATCH',
      [sameSeq.id]: '409 DUPLICATE_RESULT_SEQ',
    });
    await expect(twice).rejects.toMatchObject({ details: { call_id: 'a', existing_block_id: call.id } });
    expect((await store.blocks(trace.id)).map(({ id }) => id)).toEqual([good.id, call.id, result.id, last.id]);
    expect(traces.reported.map(({ id }) => id).sort()).toEqual(failed.map(({ id }) => id).sort());
    expect(watch.rejections).toEqual([]);
  });

  it('fails alone when it is too large, with the limit and its size', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    const message = trace.logMessage({ role: 'user', content: 'x' });
    const call = trace.logAct({ parent_block_id: message.id, payload: { call_id: 'a', name: 'look', arguments: {} } });
    const delta = { call_id: 'a', delta: 'x'.repeat(2 * 1024 * 1024 + 1), seq: 0 };
    const large = trace.logObserve({ parent_block_id: call.id, payload: delta });
    const small = trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'a', output: 'x' } });
    await traces.flush();

    await expect(large).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      status: 413,
      details: { field: 'delta', limit_bytes: 2_097_152, actual_bytes: 2_097_153 },
    });
    expect((await store.blocks(trace.id)).map(({ id }) => id)).toEqual([message.id, call.id, small.id]);
  });

  it('is found among many if the store does not return its index', async () => {
    await using store = await startStore();
    await using traces = connect(store.url, {
      async fetch(url, init) {
        const isPoisoned = typeof init?.body === 'string' && init.body.includes('poison');
        return isPoisoned ? new Response('too much', { status: 413 }) : fetch(url, init);
      },
    });
    const trace = traces.createTrace();

    const blocks = Array.from({ length: 100 }, (_, index) => {
      return trace.logMessage({ role: 'user', content: index === 57 ? 'poison' : `message ${index}` });
    });
    const { acknowledged, failed } = await traces.flush();

    expect(acknowledged).toBe(99);
    expect(failed.map(({ id }) => id)).toEqual([blocks[57]?.id]);
    expect(await store.blocks(trace.id)).toHaveLength(99);
  });
});

describe('a trace that the store rejects', () => {
  it('fails with all its blocks, now and later, without affecting others', async () => {
    using watch = watchRejections();
    await using store = await startStore();
    await using traces = connect(store.url);
    const second = traces.createTrace({ step: -1 });
    second.logMessage({ role: 'user', content: 'x' });
    await traces.flush();
    second.logMessage({ role: 'user', content: 'later' });
    const other = traces.createTrace();
    other.logMessage({ role: 'user', content: 'y' });
    const { acknowledged, failed } = await traces.flush();

    expect(acknowledged).toBe(1);
    expect(failed).toHaveLength(3);
    expect(failed.map(({ error }) => error.code)).toEqual(['VALIDATION', 'VALIDATION', 'VALIDATION']);
    await expect(second).rejects.toMatchObject({ status: 422 });
    expect(watch.rejections).toEqual([]);
  });

  it('fails if its id exists with other fields', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    await traces.createTrace({ id: 'tr_taken', name: 'first' });

    await expect(traces.createTrace({ id: 'tr_taken', name: 'second' })).rejects.toMatchObject({
      code: 'TRACE_ID_CONFLICT',
    });
  });

  it('fails without the right key', async () => {
    await using store = await startStore({ needsKeys: true });
    const { secret } = await issueKey(store.store, { org: 'default', name: 'agent', scopes: ['write'] });
    await using wrong = connect(store.url, { apiKey: 'ork_wrong' });
    await using right = connect(store.url, { apiKey: secret });

    await expect(wrong.createTrace()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    await right.createTrace();
  });

  it('fails at a URL without a store', async () => {
    await using store = await startStore();
    await using traces = connect(`${store.url}/nowhere`);

    await expect(traces.createTrace()).rejects.toMatchObject({ status: 404 });
  });
});
