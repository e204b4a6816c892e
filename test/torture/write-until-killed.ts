import { openSync, writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { message, ORG, post } from '../trace/store/stores.ts';
import { idsOf } from './batches.ts';

/** Runs thirty-two writers until it is killed; appends each acknowledgement to a file. */
const [path = '', notes = '', round = ''] = process.argv.slice(2);
const file = openSync(notes, 'a');
const store = await openSqliteStore({ path });

async function write(writer: number): Promise<never> {
  const id = `tr_${writer}`;
  await store.createTrace(ORG, { id });
  for (let batch = 0; ; batch++) {
    const ids = idsOf(round, writer, batch);
    const text = 'a'.repeat((writer * 97 + batch * 31) % 3000);
    const blocks = ids.map((block, place) => ({ ...message(text || 'a'), id: block, extra: { reward: place } }));
    await post(store, id, { blocks }, { idempotency: { key: `${round} ${batch}`, bodySha256: 'a' } });
    writeSync(file, ids.map((block) => `${block}\n`).join(''));
  }
}

await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
