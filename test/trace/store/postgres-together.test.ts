import { afterAll, expect, test } from '@jest/globals';
import { openPostgresStore } from '../../../src/trace/store/sql/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { call, codeOf, message, ORG, post, result } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** A new store with traces `tr_0`, `tr_1`... */
async function openWithTraces(count: number) {
  const url = (await server?.newUrl()) ?? '';
  const store = await openPostgresStore({ url });
  for (let place = 0; place < count; place++) await store.createTrace(ORG, { id: `tr_${place}` });
  return { store, run: async (sql: string) => (await server?.psql(url, sql)) ?? '' };
}

/** A message, a call and its result. */
const turn = (place: number) => ({
  blocks: [
    { ...message(`message ${place}`), id: `tb_m${place}` },
    { ...call(), parent_block_id: `tb_m${place}`, id: `tb_c${place}` },
    { ...result({ output: place, seq: 0 }), parent_block_id: `tb_c${place}`, id: `tb_r${place}` },
  ],
});

const SLEEPING =
  "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()";

async function untilSleeping(run: (sql: string) => Promise<string>): Promise<void> {
  while ((await run(SLEEPING)) === '0') {}
}

/** Another process begins to write a block with this id, and gives it up after some seconds. */
async function holdBack(run: (sql: string) => Promise<string>, id: string, seconds: number) {
  const held = run(`BEGIN; INSERT INTO trace_blocks
    (trace_rid, ord, id, org_rid, sub_type, is_error, bytes, created_us, preview, metadata, payload)
    SELECT rid, 1, '${id}', org_rid, 'MESSAGE', 0, 2, 9000000000000000, '', '{}', '{}' FROM trace_rows WHERE id = 'tr_0';
    SELECT pg_sleep(${seconds}); ROLLBACK`);
  await untilSleeping(run);
  return { held };
}

const idsIn = async (store: TraceStore, id: string) => (await store.blocks(ORG, id)).map(({ block }) => block.id);

describeUnless(postgresMissing)('appends to a PostgreSQL store that come together', () => {
  test('share a transaction, and each has its own answer', async () => {
    const { store, run } = await openWithTraces(8);
    await using _ = store;
    await post(store, 'tr_0', turn(0));
    await store.deleteTrace(ORG, 'tr_7');
    const before = await run('SELECT count(DISTINCT xmin::text) FROM trace_blocks');

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
    expect(await run('SELECT count(DISTINCT xmin::text) FROM trace_blocks')).toBe(String(Number(before) + 1));
    expect(await store.verify()).toEqual([]);
  });

  test('are answered once more as the first time, those with a key too', async () => {
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

  test('fail alone where what they write is in the way of one another', async () => {
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

  test('to one trace are written in their order', async () => {
    const { store } = await openWithTraces(1);
    await using _ = store;
    const ids = Array.from({ length: 30 }, (_each, place) => `tb_${place}`);

    await Promise.all(ids.map((id) => post(store, 'tr_0', { ...message(), id })));

    expect(await idsIn(store, 'tr_0')).toEqual(ids);
  });

  test('do not wait for one whose trace another process is changing', async () => {
    const { store, run } = await openWithTraces(3);
    await using _ = store;
    const locked = run("BEGIN; UPDATE trace_rows SET name = 'x' WHERE id = 'tr_0'; SELECT pg_sleep(3); COMMIT");
    await untilSleeping(run);
    const order: number[] = [];

    await Promise.all([0, 1, 2].map((place) => post(store, `tr_${place}`, turn(place)).then(() => order.push(place))));

    expect(order.at(-1)).toBe(0);
    expect((await store.totals()).blocks).toBe(9);
    await locked;
  });

  test('do not fail where another process holds back what one of them writes', async () => {
    const { store, run } = await openWithTraces(4);
    await using _ = store;
    const { held } = await holdBack(run, 'tb_m1', 7);

    const writes = await Promise.all([1, 2, 3].map((place) => post(store, `tr_${place}`, turn(place))));

    expect(writes.map(({ isNew }) => isNew)).toEqual([true, true, true]);
    expect((await store.totals()).blocks).toBe(9);
    await held;
  });

  test('do not wait for a batch that waits for another process, however few they are', async () => {
    const { store, run } = await openWithTraces(8);
    await using _ = store;
    const { held } = await holdBack(run, 'tb_m1', 4);
    const order: number[] = [];
    const write = (place: number) => post(store, `tr_${place}`, turn(place)).then(() => order.push(place));

    const batch = [1, 2, 3, 4, 5].map(write);
    while ((await run("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) === '0') {}
    await Promise.all([...batch, write(6), write(7)]);

    expect(order.slice(0, 2).sort()).toEqual([6, 7]);
    expect((await store.totals()).blocks).toBe(21);
    await held;
  });

  test('are written before the store is closed', async () => {
    const { store, run } = await openWithTraces(40);

    const writes = Array.from({ length: 40 }, (_each, place) => post(store, `tr_${place}`, turn(place)));
    await store.close();

    await Promise.all(writes);
    expect(await run('SELECT count(*) FROM trace_blocks')).toBe('120');
  });
});
