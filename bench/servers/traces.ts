/**
 * Serves traces. Prints its URL, and exits when its standard input ends. The first argument is the file or URL of the
 * database, the second one an optional mode: `separate` commits each append in its own transaction; `long-wal` keeps a
 * read transaction open on an SQLite file, so that its write-ahead log cannot be checkpointed.
 */

import { openPostgresStore, openSqliteStore, serveTraces } from 'ors-kit/trace/server';

const [, , location = ':memory:', mode = ''] = process.argv;
const isUrl = location.startsWith('postgresql:');
const store = await (isUrl ? openPostgresStore({ url: location }) : openSqliteStore({ path: location }));
const reader = mode === 'long-wal' ? await holdReadTransaction() : undefined;
const server = await serveTraces({ store: mode === 'separate' ? withSeparateCommits(store) : store, port: 0 });
console.log(server.url);
process.stdin.resume().on('end', async () => {
  reader?.close();
  await server.close();
  await store.close();
  process.exit();
});

/** Serializes appends, which disables group commit. */
function withSeparateCommits(inner: typeof store): typeof store {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...inner,
    append(...request) {
      const appended = last.then(() => inner.append(...request));
      last = appended.catch(() => undefined);
      return appended;
    },
  };
}

async function holdReadTransaction(): Promise<{ close(): void }> {
  const name: string = 'node:sqlite';
  const { DatabaseSync } = await import(name);
  const database = new DatabaseSync(location);
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM trace_blocks').all();
  return database;
}
