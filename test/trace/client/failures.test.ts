import { describe, expect, it } from '@jest/globals';
import type { LoggedBlock, TraceHandle } from '../../../src/trace/client/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { until } from '../../support/until.ts';
import { connect, type Fault, startProxy, startStore, watchRejections } from './store-and-proxy.ts';

describe('a store that is temporarily unavailable', () => {
  it('receives everything once and in order over ten restarts', async () => {
    using watch = watchRejections();
    await using store = await startStore();
    await using traces = connect(store.url);
    const handles = Array.from({ length: 4 }, () => traces.createTrace());
    const logged = new Map<string, string[]>(handles.map(({ id }) => [id, []]));
    let isOver = false;

    const logging = (async () => {
      for (let index = 0; !isOver; index++) {
        for (const trace of handles) {
          const { id } = trace.logMessage({ role: 'user', content: `message ${index}` });
          logged.get(trace.id)?.push(id);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    for (let restart = 0; restart < 10; restart++) {
      // Restarts while something is being stored, not before.
      await handles[0]?.logMessage({ role: 'user', content: `restart ${restart}`, id: `tb_restart${restart}` });
      logged.get(handles[0]?.id ?? '')?.push(`tb_restart${restart}`);
      await store.stop();
      await store.start();
    }
    isOver = true;
    await logging;
    const { acknowledged, failed } = await traces.flush();

    expect(failed).toEqual([]);
    expect(acknowledged).toBe([...logged.values()].flat().length);
    for (const trace of handles) {
      const stored = (await store.blocks(trace.id)).map(({ id }) => id);
      expect([...stored].sort()).toEqual([...(logged.get(trace.id) ?? [])].sort());
      const others = stored.filter((id) => !id.startsWith('tb_restart'));
      expect(others).toEqual((logged.get(trace.id) ?? []).filter((id) => !id.startsWith('tb_restart')));
    }
    expect(watch.rejections).toEqual([]);
  });

  it('receives an image again if its upload failed', async () => {
    await using store = await startStore();
    let uploads = 0;
    const faultOf = ({ path }: { path: string }) =>
      path.includes('/blobs/') && ++uploads === 1 ? 'unavailable' : 'pass';
    await using proxy = await startProxy(store.url, faultOf);
    await using traces = connect(proxy.url);

    const data = Buffer.alloc(20_000, 1).toString('base64');
    traces.createTrace().logMessage({ role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }] });

    expect(await traces.flush()).toMatchObject({ failed: [], acknowledged: 1 });
    expect(uploads).toBe(2);
  });

  it('receives the request again if it returned fewer receipts than blocks', async () => {
    await using store = await startStore();
    let responses = 0;
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith('/blocks') || ++responses > 1) return response;
      const { blocks } = (await response.json()) as { blocks: unknown[] };
      return Response.json({ blocks: blocks.slice(1), count: blocks.length - 1 }, { status: 201 });
    };
    await using traces = connect(store.url, { fetch: losing });
    const trace = traces.createTrace();

    const logged = ['a', 'b'].map((content) => trace.logMessage({ role: 'user', content }));
    await traces.flush();

    expect(await Promise.all(logged)).toMatchObject(logged.map(({ id }) => ({ id })));
    expect(responses).toBe(2);
  });

  it('receives the request again if a proxy garbles its response, and stores each block once', async () => {
    await using store = await startStore();
    let responses = 0;
    const garbling: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      // The store has written the blocks nevertheless.
      return responses++ % 3 === 2 ? response : new Response(responses % 2 ? '<html>' : '{}', { status: 200 });
    };
    await using traces = connect(store.url, { fetch: garbling });
    const trace = traces.createTrace();

    for (let index = 0; index < 20; index++) trace.logMessage({ role: 'user', content: `${index}` });
    const { acknowledged, failed } = await traces.flush();

    expect([acknowledged, failed]).toEqual([20, []]);
    expect(await store.blocks(trace.id)).toHaveLength(20);
  });

  it('is reported once as failing and once as working', async () => {
    await using store = await startStore();
    const states: (string | undefined)[] = [];
    await using traces = connect(store.url, { onStoreState: (error) => states.push(error?.code) });
    const trace = traces.createTrace();
    trace.logMessage({ role: 'user', content: 'before' });
    await traces.flush();
    const whileItWorked = states.length;

    await store.stop();
    for (let index = 0; index < 5; index++) trace.logMessage({ role: 'user', content: `lost ${index}` });
    await until(() => states.length > 0);
    await store.start();
    await traces.flush();
    trace.logMessage({ role: 'user', content: 'after' });
    await traces.flush();

    expect(whileItWorked).toBe(0);
    expect(states).toEqual(['NETWORK', undefined]);
  });

  it('is given up after the timeout, and receives blocks that are logged later', async () => {
    using watch = watchRejections();
    await using store = await startStore();
    await using traces = connect(store.url, { retryTimeoutMs: 300 });
    await store.stop();

    const trace = traces.createTrace();
    const lost = trace.logMessage({ role: 'user', content: 'x' });
    const { failed } = await traces.flush();
    await store.start();
    const kept = trace.logMessage({ role: 'user', content: 'y' });
    await kept;

    expect(failed.map(({ id, error }) => [id, error.code])).toEqual([
      [trace.id, 'NETWORK'],
      [lost.id, 'NETWORK'],
    ]);
    expect(failed[0]?.error.message).toMatch(/^given up after .* s: no response to POST .*ECONNREFUSED/);
    expect((await store.blocks(trace.id)).map(({ id }) => id)).toEqual([kept.id]);
    expect(watch.rejections).toEqual([]);
  });

  it('is retried after the time of Retry-After', async () => {
    await using store = await startStore();
    let refusals = 0;
    const times: number[] = [];
    await using traces = connect(store.url, {
      async fetch(url, init) {
        times.push(performance.now());
        if (refusals++ > 0) return fetch(url, init);
        return new Response('{}', { status: 503, headers: { 'retry-after': '1' } });
      },
    });

    await traces.createTrace();

    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });
});

/** An entry that an agent logs; `parent` selects one of the existing entries. */
const step = fc.record({
  kind: fc.constantFrom('message', 'act', 'think', 'observe'),
  parent: fc.nat(),
  isBad: fc.nat(19).map((number) => number === 0),
});

function play(trace: TraceHandle, steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const messages: LoggedBlock[] = [trace.logMessage({ role: 'user', content: 'begin' })];
  const calls: LoggedBlock[] = [];
  const all = [...messages];
  const bad = new Set<string>();
  const parents = new Map<string, string>();
  for (const { kind, parent, isBad } of steps) {
    const over = kind === 'observe' ? calls : messages;
    const parent_block_id = over[parent % Math.max(1, over.length)]?.id;
    if (kind !== 'message' && parent_block_id === undefined) continue;
    const under = parent_block_id ?? '';
    const block =
      kind === 'message'
        ? trace.logMessage({ role: 'assistant', content: isBad ? '' : 'said' })
        : kind === 'act'
          ? trace.logAct({ parent_block_id: under, payload: { name: isBad ? '' : 'look', arguments: {} } })
          : kind === 'think'
            ? trace.logThink({ parent_block_id: under, payload: { text: isBad ? '' : 'hm' } })
            : trace.logObserve({ parent_block_id: under, payload: isBad ? ({} as never) : { output: 'seen' } });
    if (kind === 'message') messages.push(block);
    else parents.set(block.id, under);
    if (kind === 'act') calls.push(block);
    if (isBad || bad.has(parents.get(block.id) ?? '')) bad.add(block.id);
    all.push(block);
  }
  return { ids: all.map(({ id }) => id), bad };
}

describe('a bad connection', () => {
  it('loses, repeats and reorders nothing, for any blocks and failures', async () => {
    using watch = watchRejections();
    await using store = await startStore();
    const faults: Fault[] = [];
    await using proxy = await startProxy(store.url, () => faults.shift() ?? 'pass');
    const fault = fc.constantFrom<Fault>('pass', 'pass', 'busy', 'unavailable', 'cut-before', 'cut-after');

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 60 }), { minLength: 1, maxLength: 3 }),
        fc.array(fault, { maxLength: 4 }),
        async (runs, planned) => {
          faults.splice(0, faults.length, ...planned);
          const traces = connect(proxy.url);
          const played = runs.map((steps) => {
            const trace = traces.createTrace();
            return { trace, ...play(trace, steps) };
          });
          const { acknowledged, failed } = await traces.close();
          let good = 0;
          for (const { trace, ids, bad } of played) {
            const stored = (await store.blocks(trace.id)).map(({ id }) => id);
            expect(stored).toEqual(ids.filter((id) => !bad.has(id)));
            good += stored.length;
          }
          expect(acknowledged).toBe(good);
          expect(failed.map(({ id }) => id).sort()).toEqual(played.flatMap(({ bad }) => [...bad]).sort());
        },
      ),
      { numRuns: runs(12) },
    );

    expect(watch.rejections).toEqual([]);
  });
});
