import { openSqliteStore } from '../../src/trace/store/index.ts';
import { loadEngine } from '../../src/trace/store/sql/sqlite/engine.ts';
import { message, ORG, post } from '../trace/store/stores.ts';

/**
 * Runs eight writers until it is killed; prints the number of acknowledged blocks once they have the given size. With
 * `in the log` a reader keeps the first snapshot open, so that everything stays in the WAL.
 */
const [path = '', bytes = '', where = ''] = process.argv.slice(2);
const BATCH = 50;
const TEXT = 'a'.repeat(10_000);
const store = await openSqliteStore({ path });
if (where === 'in the log') {
  const reader = loadEngine().open(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM trace_rows').all();
}
let written = 0;
let isTold = false;

async function write(writer: number): Promise<never> {
  const id = `tr_${writer}`;
  await store.createTrace(ORG, { id });
  for (;;) {
    await post(store, id, { blocks: Array.from({ length: BATCH }, () => message(TEXT)) });
    written += BATCH;
    if (isTold || written * TEXT.length < Number(bytes)) continue;
    isTold = true;
    console.log(written);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
