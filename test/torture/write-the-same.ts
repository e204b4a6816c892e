import { openSqliteStore } from '../../src/trace/store/index.ts';
import { until } from '../support/until.ts';
import { message, ORG, post } from '../trace/store/stores.ts';

/** One of three processes that write the same fifty blocks 32 times each, with others in between; prints as JSON which blocks it wrote first. */
const [path = '', name = ''] = process.argv.slice(2);
const PROCESSES = 3;
const store = await openSqliteStore({ path });
await store.createTrace(ORG, { id: 'tr_shared' });
await store.createTrace(ORG, { id: `tr_ready_${name}` });
await until(async () => (await store.totals()).traces > PROCESSES, `${PROCESSES} processes that are ready`, 120_000);
const first: string[] = [];
for (let turn = 0; turn < 50; turn++) {
  const id = `tb_shared_${turn}`;
  const results = await Promise.all([
    ...Array.from({ length: 32 }, () => post(store, 'tr_shared', { ...message(), id })),
    post(store, 'tr_shared', { ...message(), id: `tb_${name}_${turn}` }),
  ]);
  for (const { isNew, receipts } of results) if (isNew) first.push(receipts[0]?.id ?? '');
}
await store.close();
process.stdout.write(JSON.stringify(first));
