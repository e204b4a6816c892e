/**
 * A trace server of its own process: it prints its URL, and ends with its standard input. The first argument is a file or a
 * URL. With `apart` as the second one, each append is a transaction of its own; with `log`, somebody reads the state of
 * the beginning of a SQLite file all the while, so that nothing leaves its log.
 */

import { openPostgresStore, openSqliteStore, serveTraces } from 'ors-kit/trace/server';

const [, , place = ':memory:', how = ''] = process.argv;
const isUrl = place.startsWith('postgresql:');
const store = await (isUrl ? openPostgresStore({ url: place }) : openSqliteStore({ path: place }));
const reader = how === 'log' ? await readOn() : undefined;
const server = await serveTraces({ store: how === 'apart' ? apart(store) : store, port: 0 });
console.log(server.url);
process.stdin.resume().on('end', async () => {
  reader?.close();
  await server.close();
  await store.close();
  process.exit();
});

/** One append at a time, so that none shares its commit with another. */
function apart(whole: typeof store): typeof store {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...whole,
    append(...request) {
      const appended = last.then(() => whole.append(...request));
      last = appended.catch(() => undefined);
      return appended;
    },
  };
}

async function readOn(): Promise<{ close(): void }> {
  const name: string = 'node:sqlite';
  const { DatabaseSync } = await import(name);
  const database = new DatabaseSync(place);
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM trace_blocks').all();
  return database;
}
