import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { message, ORG, post } from '../trace/store/stores.ts';

/** Writes twenty blocks one by one, then twenty batches of twenty, and prints each acknowledgement immediately. */
const [path = ''] = process.argv.slice(2);
const TIMES = 20;
const store = await openSqliteStore({ path });
await store.createTrace(ORG, { id: 'tr_0' });

async function write(): Promise<void> {
  await post(store, 'tr_0', message());
  writeSync(1, 'acknowledged\n');
}

for (let time = 0; time < TIMES; time++) await write();
for (let time = 0; time < TIMES; time++) await Promise.all(Array.from({ length: TIMES }, write));
process.kill(process.pid, 'SIGKILL');
