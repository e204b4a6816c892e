import { describe, expect, it } from '@jest/globals';
import { connect, startProxy, startStore } from './store-and-proxy.ts';

describe('batches', () => {
  it('sends up to 256 blocks per request, in order, one request per trace at a time', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = traces.createTrace();

    const ids = Array.from({ length: 1000 }, (_, index) => {
      return trace.logMessage({ role: 'user', content: `message ${index}` }).id;
    });
    await traces.flush();

    const batches = proxy.batches();
    expect(batches.length).toBeLessThan(10);
    expect(Math.max(...batches.map((blocks) => blocks.length))).toBe(256);
    expect(proxy.exchanges.every(({ path, together }) => !path.endsWith('/blocks') || together === 0)).toBe(true);
    expect((await store.blocks(trace.id)).map(({ id }) => id)).toEqual(ids);
  });

  it('sends about 1 MB per request at most', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = traces.createTrace();

    for (let index = 0; index < 40; index++) trace.logMessage({ role: 'user', content: 'x'.repeat(60_000) });
    await traces.flush();

    const sizes = proxy.exchanges.map(({ body }) => body.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024 + 1024);
    expect(await store.blocks(trace.id)).toHaveLength(40);
  });

  it('waits for more blocks, but not while a caller awaits a block', async () => {
    await using store = await startStore();
    await using proxy = await startProxy(store.url);
    await using traces = connect(proxy.url);
    const trace = await traces.createTrace();

    for (let index = 0; index < 5; index++) trace.logMessage({ role: 'user', content: `quick ${index}` });
    await trace.logMessage({ role: 'user', content: 'awaited' });
    const together = proxy.batches();
    await trace.logMessage({ role: 'user', content: 'alone' });

    expect(together.map((blocks) => blocks.length)).toEqual([6]);
    expect(proxy.batches().map((blocks) => blocks.length)).toEqual([6, 1]);
  });

  it('sends requests of several traces in parallel, up to a limit', async () => {
    await using store = await startStore();
    const inProgress = { now: 0, max: 0 };
    await using traces = connect(store.url, {
      async fetch(...args) {
        inProgress.max = Math.max(inProgress.max, ++inProgress.now);
        try {
          return await fetch(...args);
        } finally {
          inProgress.now--;
        }
      },
    });

    const handles = Array.from({ length: 50 }, () => traces.createTrace());
    for (const trace of handles) trace.logMessage({ role: 'user', content: 'x' });
    const { acknowledged } = await traces.flush();

    expect(acknowledged).toBe(50);
    expect(inProgress.max).toBe(8);
  });
});

describe('the queue', () => {
  it('has room again when the store has confirmed enough blocks', async () => {
    await using store = await startStore();
    await using traces = connect(store.url, { maxQueueBytes: 10_000 });
    await store.stop();
    const trace = traces.createTrace();
    const events: string[] = [];

    await traces.ready();
    for (let index = 0; index < 20; index++) trace.logMessage({ role: 'user', content: 'x'.repeat(1000) });
    const ready = traces.ready().then(() => events.push('ready'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    events.push('the store is back');
    await store.start();
    await ready;
    await traces.flush();

    expect(events).toEqual(['the store is back', 'ready']);
    expect(await store.blocks(trace.id)).toHaveLength(20);
  });

  it('reports the blocks of one trace or of all on flush', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const [one, other] = [traces.createTrace(), traces.createTrace()];

    one.logMessage({ role: 'user', content: 'x' });
    other.logMessage({ role: 'user', content: 'y' });
    other.logMessage({ role: 'user', content: '' });

    expect(await one.flush()).toEqual({ acknowledged: 1, failed: [] });
    expect(await other.flush()).toMatchObject({ acknowledged: 1, failed: [{ error: { code: 'VALIDATION' } }] });
    expect(await traces.flush()).toMatchObject({ acknowledged: 2, failed: [{ error: { code: 'VALIDATION' } }] });
  });
});
