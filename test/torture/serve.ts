import { createInterface } from 'node:readline';
import { serveTraces } from '../../src/trace/api/index.ts';
import { openPostgresStore, openSqliteStore } from '../../src/trace/store/index.ts';
import { heapInUse } from '../soak/heap-in-use.ts';

/**
 * A trace server over a file or a PostgreSQL database, until its input ends; prints its URL. Answers `weigh` with its
 * memory use, and `verify` with the problems of the store.
 */
const [place = ''] = process.argv.slice(2);
const whole = place.startsWith('postgresql:')
  ? await openPostgresStore({ url: place })
  : await openSqliteStore({ path: place });
let watching = 0;
const store: typeof whole = {
  ...whole,
  watch(...watched) {
    watching++;
    const unwatch = whole.watch(...watched);
    return () => {
      watching--;
      unwatch();
    };
  },
};
async function weigh(): Promise<object> {
  const heap = await heapInUse();
  const { external, rss } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  return { watching, sockets, held: heap + external, rss };
}

const server = await serveTraces({ store, port: 0 });
console.log(server.url);
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(line === 'weigh' ? await weigh() : await store.verify()));
}
await server.close();
await store.close();
process.exit();
