import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Engine } from './engine.ts';
import { installedStores, type PeerStore, startOtlpStore, titleOf } from './otlp-stores.ts';
import { type SampleBlock, sampleBlocks } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { createTraces, runClients, serve, times } from './trace-server.ts';

const CLIENTS = 8;
const BATCH = 100;
const BATCHES = 100;
/** Timeout for acknowledged blocks to become readable. */
const READABLE_TIMEOUT_MS = 300_000;
/** Poll interval. Each poll takes time of the store too. */
const POLL_MS = 250;
const LOAD_MS = 3_000;

/** Compares with other trace stores on SQLite: the same payloads, batch size and number of clients. */
export async function peer(engine: Engine, { progress }: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  const ours = await measure(await startOurs(database));
  if (ours.lost > 0) throw new Error(`${ours.lost} of ${ours.written} acknowledged blocks are lost`);
  const others: [title: string, figures: PeerFigures][] = [];
  for (const store of installedStores) {
    progress(titleOf(store));
    others.push([titleOf(store), await measure(await startOtlpStore(store))]);
  }
  const row = (name: string, better: StoreRow['better'], figure: keyof PeerFigures): StoreRow => ({
    name,
    better,
    figures: { store: ours[figure], ...Object.fromEntries(others.map(([title, figures]) => [title, figures[figure]])) },
  });
  return [
    row('acknowledged, blocks/s', 'more', 'acknowledged'),
    row('acknowledged and readable, blocks/s', 'more', 'readable'),
    row('database bytes per block', 'less', 'bytes'),
    row('acknowledged before kill -9', 'neither', 'written'),
    row('lost of these', 'less', 'lost'),
  ];
}

interface PeerFigures {
  readonly acknowledged: number;
  readonly readable: number;
  readonly bytes: number;
  readonly written: number;
  readonly lost: number;
}

async function measure(store: PeerStore): Promise<PeerFigures> {
  await using _disposed = store;
  await waitUntilReadable(store, await writeAll(store, 'warm', times(BATCHES / 4)));
  const since = performance.now();
  const perSecond = (count: number) => count / ((performance.now() - since) / 1_000);
  const ids = await writeAll(store, 'b', times(BATCHES));
  const acknowledged = perSecond(ids.size);
  const readable = perSecond(await waitUntilReadable(store, ids));

  const end = performance.now() + LOAD_MS;
  const writing = writeAll(store, 'killed', () => performance.now() < end + LOAD_MS);
  await delay(LOAD_MS);
  await store.kill();
  const written = await writing;
  const stored = await store.countStored(written);
  const total = (1.25 * BATCHES * BATCH + stored) | 0;
  return {
    acknowledged,
    readable,
    bytes: (await store.bytes()) / total,
    written: written.size,
    lost: written.size - stored,
  };
}

/** Writes until `shouldContinue` returns false or the store is killed. @returns the ids of the acknowledged blocks. */
async function writeAll(store: PeerStore, name: string, shouldContinue: () => boolean): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  let isKilled = false;
  await runClients(
    CLIENTS,
    () => !isKilled && shouldContinue(),
    async (client, turn) => {
      const blocks = sampleBlocks(`${name}${turn}`, BATCH);
      try {
        await store.write(client, blocks);
        for (const { id } of blocks) acknowledged.add(id);
      } catch (error) {
        if (name !== 'killed') throw error;
        isKilled = true;
      }
    },
  );
  return acknowledged;
}

/** @returns the number of readable blocks, which is less than all after the timeout. */
export async function waitUntilReadable(store: PeerStore, ids: ReadonlySet<string>): Promise<number> {
  for (const end = performance.now() + READABLE_TIMEOUT_MS; ; await delay(POLL_MS)) {
    const count = await store.countStored(ids);
    if (count === ids.size || performance.now() > end) return count;
  }
}

async function startOurs(database: Database): Promise<PeerStore> {
  const server = await serve(database);
  await createTraces(server, CLIENTS);
  return {
    write: (client, blocks) => send(`${server.url}/v1/organizations/default/traces/tr_${client}/blocks`, blocks),
    countStored: (ids) => database.countBlocks(ids),
    kill: () => server.kill(),
    bytes: () => database.bytes(),
    [Symbol.asyncDispose]: () => server.kill(),
  };
}

/** Sends with `fetch`, which costs this process as much as sending to the others. */
async function send(url: string, blocks: readonly SampleBlock[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ blocks }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}
