import { describe, expect, it } from '@jest/globals';
import { connect, startProxy, startStore } from './store-and-proxy.ts';

/** Requests to a proxy, in order: creations, numbers of blocks, and changes. */
const requested = ({ exchanges }: Awaited<ReturnType<typeof startProxy>>): unknown[] =>
  exchanges.map(({ method, path, body }) => {
    const content = JSON.parse(body.toString()) as { blocks?: readonly unknown[] };
    if (method === 'PATCH') return content;
    return path.endsWith('/blocks') ? content.blocks?.length : 'create';
  });

describe('changes of a trace', () => {
  it('joins changes after the blocks that are logged at the same time', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace();

    trace.logMessage({ role: 'user', content: 'one' });
    const reported = trace.update({ metadata: { tools: ['add'] } });
    trace.logMessage({ role: 'assistant', content: 'two' });
    const finished = trace.finish({ tags: ['stop:finished'] });
    void trace.finish();

    await trace.flush();
    expect(requested(proxy)).toEqual([
      'create',
      2,
      { metadata: { tools: ['add'] }, status: 'finished', tags: ['stop:finished'] },
    ]);
    expect(await reported).toMatchObject({ status: 'finished', metadata: { tools: ['add'] } });
    expect(await finished).toMatchObject({ status: 'finished', metadata: { tools: ['add'] } });
  });

  it('creates a trace that continues another one', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);

    const trace = await traces.createTrace({ parent_trace_id: 'tr_parent', parent_calls: 4 });

    expect((await traces.readTrace(trace.id)).trace).toMatchObject({ parent_trace_id: 'tr_parent', parent_calls: 4 });
  });

  it('sends changes separately if they set a field to two values, so that each has its time', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace({ status: 'finished' });

    void trace.update({ status: 'running', name: 'again' });
    void trace.update({ status: 'finished' });
    await trace.flush();

    expect(requested(proxy)).toEqual(['create', { status: 'running', name: 'again' }, { status: 'finished' }]);
  });

  it.each([
    ['says nothing', {}],
    ['is refused', { tags: 'none' }],
    ['has a field that there is not', { nonsense: 1 }],
  ])('fails only the change that %s', async (_what, wrong) => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = await traces.createTrace();

    void trace.update({ metadata: { kept: true } });
    const refused = trace.update(wrong as object);
    void trace.update({ status: 'finished' });
    const { failed } = await trace.flush();

    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION' });
    expect(failed).toHaveLength(1);
    expect(await store.store.trace('default', trace.id)).toMatchObject({
      status: 'finished',
      metadata: { kept: true },
    });
  });

  it('sends changes even if blocks are logged endlessly', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace();

    trace.logMessage({ role: 'user', content: 'one' });
    const change = trace.update({ name: 'changed' });
    const blocks = Array.from({ length: 600 }, () => trace.logMessage({ role: 'user', content: 'more' }));
    await change;
    await Promise.all(blocks);

    expect(requested(proxy).slice(0, 3)).toEqual(['create', 256, { name: 'changed' }]);
    expect(await store.blocks(trace.id)).toHaveLength(601);
  });
});
