/** A trace server of its own process: `server.ts <file>` prints its URL and ends with its standard input. */

import { serveTraces } from '../../src/trace/api/index.ts';
import { openSqliteStore } from '../../src/trace/store/index.ts';

const [, , path = ':memory:'] = process.argv;
const store = await openSqliteStore({ path });
const server = await serveTraces({ store, port: 0 });
console.log(server.url);
process.stdin.resume().on('end', async () => {
  await server.close();
  await store.close();
  process.exit();
});
