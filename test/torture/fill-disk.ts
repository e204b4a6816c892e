import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/trace/model/index.ts';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { message, ORG, post } from '../trace/store/stores.ts';

/** Fills the disk of a folder, frees space, writes again, and prints the results as JSON. */
const [folder = ''] = process.argv.slice(2);
const ballast = join(folder, 'ballast');
await writeFile(ballast, Buffer.alloc(4 * 1024 * 1024));
const store = await openSqliteStore({ path: join(folder, 'traces.db') });
await store.createTrace(ORG, { id: 'tr_a' });
const acknowledged: string[] = [];
let overloaded = 0;
let others = '';
let next = 0;

async function write(until: () => boolean): Promise<void> {
  while (!until()) {
    const id = `tb_${next++}`;
    try {
      await post(store, 'tr_a', { ...message('a'.repeat(5000)), id });
      acknowledged.push(id);
    } catch (error) {
      if (error instanceof StoreUnavailableError) overloaded++;
      else others += `${error}\n`;
    }
  }
}

const writers = (until: () => boolean) => Promise.all(Array.from({ length: 8 }, () => write(until)));

await writers(() => overloaded >= 50 || next > 20_000);
const whenFull = acknowledged.length;
await rm(ballast);
await writers(() => acknowledged.length >= whenFull + 100 || next > 40_000);
await store.checkWritable();
const stored = new Set((await store.blocks(ORG, 'tr_a')).map(({ block }) => block.id));
const missing = acknowledged.filter((id) => !stored.has(id)).length;
const more = stored.size - acknowledged.length;
const problems = await store.verify();
await store.close();
const after = acknowledged.length - whenFull;
process.stdout.write(JSON.stringify({ overloaded, others, whenFull, after, missing, more, problems }));
