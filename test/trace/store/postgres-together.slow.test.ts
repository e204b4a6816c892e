import { afterAll, expect, test } from '@jest/globals';
import { openPostgresStore } from '../../../src/trace/store/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { until, withDeadline } from '../../support/until.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { call, codeOf, message, ORG, post, result } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** Opens a new store with traces `tr_0`, `tr_1`... */
async function openWithTraces(count: number) {
  if (!server) throw new Error(postgresMissing);
  const url = await server.newUrl();
  const store = await openPostgresStore({ url });
  for (let place = 0; place < count; place++) await store.createTrace(ORG, { id: `tr_${place}` });
  return {
    store,
    run: (sql: string) => server.psql(url, sql),
    hold: (sql: string) => server.hold(url, sql),
    untilBlocked: () =>
      until(async () => (await server.psql(url, BLOCKED)) === '1', 'a transaction that waits for a lock'),
  };
}

/** A message, a call and its result. */
const turn = (place: number) => ({
  blocks: [
    { ...message(`message ${place}`), id: `tb_m${place}` },
    { ...call(), parent_block_id: `tb_m${place}`, id: `tb_c${place}` },
    { ...result({ output: place, seq: 0 }), parent_block_id: `tb_c${place}`, id: `tb_r${place}` },
  ],
});

/** Counts the transactions of this database that wait for a lock. */
const BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

/** Less than the time for which a store waits for a lock before it writes each append of a batch alone. */
const WITHOUT_LOCK_MS = 4_000;

/** Writes a block with this id into tr_0. */
const blockOf = (id: string) => `INSERT INTO block_rows
    (trace_rid, ord, id, org_rid, sub_type, is_error, bytes, created_us, preview, metadata, payload)
    SELECT rid, 1, '${id}', org_rid, 'MESSAGE', 0, 2, 9000000000000000, '', '{}', '{}' FROM trace_rows WHERE id = 'tr_0'`;

const idsIn = async (store: TraceStore, id: string) => (await store.blocks(ORG, id)).map(({ block }) => block.id);

describeUnless(postgresMissing)('concurrent appends to a PostgreSQL store', () => {
  test('share a transaction, and each has its own result', async () => {
    const { store, run } = await openWithTraces(8);
    await using _ = store;
    await post(store, 'tr_0', turn(0));
    await store.deleteTrace(ORG, 'tr_7');
    const before = await run('SELECT count(DISTINCT xmin::text) FROM block_rows');

    const written = [1, 2, 3, 4].map((place) => post(store, `tr_${place}`, turn(place)));
    const codes = await Promise.all([
      codeOf(post(store, 'tr_0', { ...message('another'), id: 'tb_m0' })),
      codeOf(post(store, 'tr_5', { ...result({ output: 1, seq: 0 }), parent_block_id: 'tb_c0' })),
      codeOf(post(store, 'tr_6', { ...message(), sub_type: 'NOTE' })),
      codeOf(post(store, 'tr_7', message())),
      codeOf(post(store, 'tr_none', message())),
    ]);

    expect((await Promise.all(written)).map(({ receipts }) => receipts.length)).toEqual([3, 3, 3, 3]);
    expect(codes).toEqual(['BLOCK_ID_CONFLICT', 'VALIDATION', 'VALIDATION', 'TRACE_DELETED', 'TRACE_NOT_FOUND']);
    expect(await run('SELECT count(DISTINCT xmin::text) FROM block_rows')).toBe(String(Number(before) + 1));
    expect(await store.verify()).toEqual([]);
  });

  test('return the first result when they are repeated, with and without a key', async () => {
    const { store } = await openWithTraces(3);
    await using _ = store;
    const write = (place: number, key = `key${place}`) =>
      post(store, `tr_${place}`, message(`${place}`), { idempotency: { key, bodySha256: `${place}` } });

    const first = await Promise.all([write(0), write(1)]);
    const again = await Promise.all([write(0), write(1), write(2, 'key0')]);

    expect(again.map(({ isNew }) => isNew)).toEqual([false, false, true]);
    expect(again.slice(0, 2).map(({ receipts }) => receipts)).toEqual(first.map(({ receipts }) => receipts));
    expect((await store.totals()).blocks).toBe(3);
  });

  test('fail alone if they conflict with each other', async () => {
    const { store } = await openWithTraces(4);
    await using _ = store;
    const same = { ...message(), id: 'tb_same' };

    const bodies = [same, same, { ...message(), id: 'tb_2' }, { ...message(), id: 'tb_3' }];
    const writes = bodies.map((body, place) => post(store, `tr_${place}`, body));
    const [refused] = (await Promise.allSettled(writes)).flatMap((answer, place) =>
      answer.status === 'rejected' ? [place] : [],
    );

    expect([0, 1]).toContain(refused);
    expect(await codeOf(writes[refused ?? 0] ?? Promise.resolve())).toBe('BLOCK_ID_CONFLICT');
    expect((await store.totals()).blocks).toBe(3);
  });

  test('are written in order within a trace', async () => {
    const { store } = await openWithTraces(1);
    await using _ = store;
    const ids = Array.from({ length: 30 }, (_each, place) => `tb_${place}`);

    await Promise.all(ids.map((id) => post(store, 'tr_0', { ...message(), id })));

    expect(await idsIn(store, 'tr_0')).toEqual(ids);
  });

  test('do not wait for one whose trace another process has locked', async () => {
    const { store, hold } = await openWithTraces(3);
    await using _ = store;
    const held = await hold("UPDATE trace_rows SET name = 'x' WHERE id = 'tr_0'");
    const done: number[] = [];

    const all = [0, 1, 2].map((place) => post(store, `tr_${place}`, turn(place)).then(() => done.push(place)));
    await until(() => done.sort().join() === '1,2', 'the appends to tr_1 and tr_2', WITHOUT_LOCK_MS);

    await held.rollBack();
    await Promise.all(all);
    expect((await store.totals()).blocks).toBe(9);
  });

  test('do not fail if another process blocks one of them', async () => {
    const { store, hold } = await openWithTraces(4);
    await using _ = store;
    const held = await hold(blockOf('tb_m1'));

    const [blocked, ...others] = [1, 2, 3].map((place) => post(store, `tr_${place}`, turn(place)));
    const written = await withDeadline(Promise.all(others), 'the appends to tr_2 and tr_3');
    await held.rollBack();

    expect([await blocked, ...written].map((each) => each?.isNew)).toEqual([true, true, true]);
    expect((await store.totals()).blocks).toBe(9);
  });

  test('do not wait for a batch that waits for another process', async () => {
    const { store, hold, untilBlocked } = await openWithTraces(8);
    await using _ = store;
    const held = await hold(blockOf('tb_m1'));
    const done: number[] = [];
    const write = (place: number) => post(store, `tr_${place}`, turn(place)).then(() => done.push(place));

    const batch = [1, 2, 3, 4, 5].map(write);
    await untilBlocked();
    const others = [6, 7].map(write);
    await until(() => done.sort().join() === '6,7', 'the appends to tr_6 and tr_7', WITHOUT_LOCK_MS);

    await held.rollBack();
    await Promise.all([...batch, ...others]);
    expect((await store.totals()).blocks).toBe(21);
  });

  test('are written before the store is closed', async () => {
    const { store, run } = await openWithTraces(40);

    const writes = Array.from({ length: 40 }, (_each, place) => post(store, `tr_${place}`, turn(place)));
    await store.close();

    await Promise.all(writes);
    expect(await run('SELECT count(*) FROM block_rows')).toBe('120');
  });
});
