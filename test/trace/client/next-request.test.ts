import { describe, expect, it } from '@jest/globals';
import { connect, startProxy, startStore } from './stage.ts';

/** What a proxy was asked, in order: creations, how many blocks, which changes. */
const asked = ({ exchanges }: Awaited<ReturnType<typeof startProxy>>): unknown[] =>
  exchanges.map(({ method, path, body }) => {
    const content = JSON.parse(body.toString()) as { blocks?: readonly unknown[] };
    if (method === 'PATCH') return content;
    return path.endsWith('/blocks') ? content.blocks?.length : 'create';
  });

describe('changes of a trace', () => {
  it('wait for blocks that are logged at the same time, and go as one', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace();

    trace.logMessage({ role: 'user', content: 'one' });
    const told = trace.update({ metadata: { tools: ['add'] } });
    trace.logMessage({ role: 'assistant', content: 'two' });
    const finished = trace.finish({ tags: ['stop:finished'] });
    void trace.finish();

    await trace.flush();
    expect(asked(proxy)).toEqual([
      'create',
      2,
      { metadata: { tools: ['add'] }, status: 'finished', tags: ['stop:finished'] },
    ]);
    expect(await told).toMatchObject({ status: 'finished', metadata: { tools: ['add'] } });
    expect(await finished).toMatchObject({ status: 'finished', metadata: { tools: ['add'] } });
  });

  it('go one by one where they give a field two values, so that each has its time', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace({ status: 'finished' });

    void trace.update({ status: 'running', name: 'again' });
    void trace.update({ status: 'finished' });
    await trace.flush();

    expect(asked(proxy)).toEqual(['create', { status: 'running', name: 'again' }, { status: 'finished' }]);
  });

  it.each([
    ['says nothing', {}],
    ['is refused', { tags: 'none' }],
    ['has a field that there is not', { nonsense: 1 }],
  ])('fail alone where one %s', async (_what, wrong) => {
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

  it('are not kept waiting by blocks without end', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace();

    trace.logMessage({ role: 'user', content: 'one' });
    const change = trace.update({ name: 'changed' });
    const blocks = Array.from({ length: 600 }, () => trace.logMessage({ role: 'user', content: 'more' }));
    await change;
    await Promise.all(blocks);

    expect(asked(proxy).slice(0, 3)).toEqual(['create', 256, { name: 'changed' }]);
    expect(await store.blocks(trace.id)).toHaveLength(601);
  });
});
