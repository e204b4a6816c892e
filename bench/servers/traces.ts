/** A trace server of its own process: it prints its URL, and ends with its standard input. The argument is a file or a URL. */

import { openPostgresStore, openSqliteStore, serveTraces } from 'ors-kit/trace/server';

const [, , place = ':memory:'] = process.argv;
const isUrl = place.startsWith('postgresql:');
const store = await (isUrl ? openPostgresStore({ url: place }) : openSqliteStore({ path: place }));
const server = await serveTraces({ store, port: 0 });
console.log(server.url);
process.stdin.resume().on('end', async () => {
  await server.close();
  await store.close();
  process.exit();
});
