import { openSqliteStore } from '../../src/trace/store/index.ts';
import { message, post } from '../trace/store/stores.ts';

/** Opens a file that a killed process left, writes ten blocks one by one, and prints as JSON how long each took. */
const [path = ''] = process.argv.slice(2);
const since = performance.now();
const store = await openSqliteStore({ path });
const opened = performance.now() - since;
const until: number[] = [];
for (let count = 0; count < 10; count++) {
  await post(store, 'tr_0', message());
  until.push(performance.now() - since);
}
const { blocks } = await store.totals();
console.log(JSON.stringify({ opened, until, blocks }));
await store.close();
