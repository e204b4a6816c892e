import { afterAll, expect, test } from '@jest/globals';
import { StoreUnavailableError } from '../../../src/trace/model/index.ts';
import { openPostgresStore } from '../../../src/trace/store/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { until } from '../../support/until.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { codeOf, message, ORG, openConversation, post } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

const newUrl = async () => (await server?.newUrl()) ?? '';

describeUnless(postgresMissing)('a PostgreSQL database', () => {
  test('is created once by stores that open it at the same time', async () => {
    const url = await newUrl();

    const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore({ url, max: 4 })));

    await Promise.all(stores.map((store, index) => store.createTrace(ORG, { id: `tr_${index}` })));
    expect((await stores[0]?.totals())?.traces).toBe(6);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('stores a block once, whichever process writes it first', async () => {
    const url = await newUrl();
    const stores = await Promise.all(Array.from({ length: 3 }, () => openPostgresStore({ url })));
    await stores[0]?.createTrace(ORG, { id: 'tr_a' });
    await stores[0]?.createTrace(ORG, { id: 'tr_b' });

    const write = (store: TraceStore, place: number) =>
      post(store, 'tr_a', { ...message(), id: `tb_${place % 4}` }).then(({ isNew }) => isNew);
    const results = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 32 }, (_, place) => write(store, place))),
    );
    const elsewhere = await Promise.all(
      stores.map((store) => codeOf(post(store, 'tr_b', { ...message(), id: 'tb_0' }))),
    );

    expect(results.filter(Boolean)).toHaveLength(4);
    expect(elsewhere).toEqual(stores.map(() => 'BLOCK_ID_CONFLICT'));
    expect((await stores[1]?.blocks(ORG, 'tr_a'))?.map(({ ord }) => ord)).toEqual([1, 2, 3, 4]);
    expect(await stores[2]?.verify()).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('merges updates of a trace that several make at the same time', async () => {
    const url = await newUrl();
    const stores = await Promise.all(Array.from({ length: 3 }, () => openPostgresStore({ url })));
    await stores[0]?.createTrace(ORG, { id: 'tr_a' });

    const keys = Array.from({ length: 30 }, (_, place) => `key_${place}`);
    await Promise.all(
      keys.map((key, place) => stores[place % 3]?.updateTrace(ORG, 'tr_a', { run_info: { [key]: place } })),
    );

    const { run_info } = (await stores[0]?.trace(ORG, 'tr_a')) ?? {};
    expect(Object.keys(run_info ?? {}).sort()).toEqual(keys.sort());
    await Promise.all(stores.map((store) => store.close()));
  });

  test('does not reuse the id of a trace that another process deletes at the same time', async () => {
    const url = await newUrl();
    await using first = await openPostgresStore({ url });
    await using second = await openPostgresStore({ url });

    for (let turn = 0; turn < 20; turn++) {
      const id = `tr_${turn}`;
      await first.createTrace(ORG, { id });
      const created = codeOf(second.createTrace(ORG, { id, name: 'another' }));
      await first.deleteTrace(ORG, id);
      expect(await created).toMatch(/TRACE_ID_CONFLICT|TRACE_DELETED/);
      expect(await codeOf(second.createTrace(ORG, { id }))).toBe('TRACE_DELETED');
    }
  });

  test('notifies listeners of writes by another process, even after its connection was lost', async () => {
    const url = await newUrl();
    await using reader = await openPostgresStore({ url });
    await using writer = await openPostgresStore({ url });
    const id = await openConversation(reader);
    let blocks = 0;
    const look = async () => {
      blocks = (await reader.blocks(ORG, id).catch(() => [])).length;
    };
    const unwatch = reader.watch(ORG, id, look);

    await post(writer, id, message());
    await until(() => blocks >= 3, 'a notification of the third block');
    await server?.psql(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    await codeOf(post(writer, id, message()));
    await post(writer, id, message());
    await until(() => blocks >= 4, 'a notification of the fourth block');

    unwatch();
    expect(await writer.verify()).toEqual([]);
  });

  test('keeps U+0000, lone surrogates, quotes and braces', async () => {
    await using store = await openPostgresStore({ url: await newUrl() });
    const hard = '\0 \ud800 é💩 "{},\\" \u2028';
    await store.createTrace(ORG, { id: 'tr_a', name: hard, run: hard, tags: [hard], metadata: { [hard]: hard } });

    await post(store, 'tr_a', { ...message(hard), id: 'tb_m', raw: hard, extra: { [hard]: 1e-7 } });
    const call = { sub_type: 'TOOL_CALL', parent_block_id: 'tb_m' };
    const body = { ...call, payload: { call_id: hard, name: 'a', arguments: { a: hard } } };
    await post(store, 'tr_a', body);

    expect((await store.traces(ORG, { tag: hard, run: hard, limit: 1 })).items[0]).toMatchObject({ name: hard });
    expect((await store.blocks(ORG, 'tr_a'))[0]?.block).toMatchObject({
      payload: { content: hard },
      raw: hard,
      extra: { [hard]: 1e-7 },
    });
    expect(await codeOf(post(store, 'tr_a', body))).toBe('DUPLICATE_CALL_ID');
    expect((await store.runs(ORG, { limit: 1 })).items[0]?.run).toBe(hard);
    expect(await store.verify()).toEqual([]);
  });

  test('summarizes rewards at the limits of doubles', async () => {
    await using store = await openPostgresStore({ url: await newUrl() });
    for (const [place, reward] of [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE, 1e-300].entries()) {
      await store.createTrace(ORG, { id: `tr_${place}`, run: 'r', group_id: 'g' });
      await post(store, `tr_${place}`, { ...message(), extra: { reward } });
    }

    for (const sort of ['created', 'mean', 'std'] as const) {
      const { items } = await store.groups(ORG, { sort, limit: 5 });
      expect(items[0]?.reward).toMatchObject({ count: 4, max: Number.MAX_VALUE, min: -Number.MAX_VALUE });
    }
    expect((await store.runs(ORG, { limit: 5 })).items[0]?.reward.count).toBe(4);
    expect((await store.runStats(ORG, 'r', 4)).histogram).toHaveLength(4);
  });

  test('is not opened if it belongs to another program', async () => {
    const url = await newUrl();
    await server?.psql(url, 'CREATE TABLE others (a int)');

    await expect(openPostgresStore({ url })).rejects.toThrow('tables of another program');
  });

  test.each([1, 2, 99])('is not opened if it has the unknown version %i', async (version) => {
    const url = await newUrl();
    await (await openPostgresStore({ url })).close();
    await server?.psql(url, `UPDATE trace_store SET version = ${version}`);

    await expect(openPostgresStore({ url })).rejects.toThrow(`has version ${version}`);
  });

  test('makes writes wait while another process locks it, and then rejects them as temporary', async () => {
    const url = await newUrl();
    await using store = await openPostgresStore({ url });
    const id = await openConversation(store);
    const held = await server?.hold(url, 'LOCK TABLE trace_rows');

    await expect(post(store, id, message())).rejects.toThrow(StoreUnavailableError);
    await held?.rollBack();

    expect((await post(store, id, message())).isNew).toBe(true);
  });

  test('is verified, which reports disabled triggers', async () => {
    const url = await newUrl();
    await using store = await openPostgresStore({ url });
    await server?.psql(url, 'ALTER TABLE block_rows DISABLE TRIGGER blocks_are_immutable');

    expect(await store.verify()).toEqual([expect.stringContaining('blocks_are_immutable of block_rows')]);
    expect(store.backup).toBeUndefined();
    await store.checkWritable();
  });
});
