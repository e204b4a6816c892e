import { setTimeout as delay } from 'node:timers/promises';
import { blocksOf } from './bodies.ts';
import type { Contestant } from './contestant.ts';
import type { Database, Engine } from './engine.ts';
import { createTraces } from './ingest.ts';
import { phoenixVersion, startPhoenix } from './phoenix.ts';
import { serve, times, together } from './place.ts';
import type { Row } from './row.ts';

const CLIENTS = 8;
const BATCH = 100;
const BATCHES = 100;
/** So long is waited for what a store has acknowledged. */
const PATIENCE_MS = 300_000;
/** So often somebody looks, which takes the store's time too. */
const LOOK_MS = 250;
const LOAD_MS = 3_000;

/** Beside Arize Phoenix on its SQLite store: the same payloads, in batches of the same size, by as many clients. */
export async function peer(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  const ours = await measure(await startOurs(database));
  if (ours.lost > 0) throw new Error(`${ours.lost} of ${ours.written} blocks that were acknowledged are lost`);
  const other = await measure(await startPhoenix());
  const row = (name: string, better: Row['better'], figure: keyof Measured): Row => ({
    name,
    better,
    figures: { store: ours[figure], [`Phoenix ${phoenixVersion()}`]: other[figure] },
  });
  return [
    row('acknowledged, blocks/s', 'more', 'acknowledged'),
    row('acknowledged and readable, blocks/s', 'more', 'readable'),
    row('database bytes of a block of both', 'less', 'bytes'),
    row('acknowledged before kill -9', 'neither', 'written'),
    row('of these lost', 'less', 'lost'),
  ];
}

interface Measured {
  readonly acknowledged: number;
  readonly readable: number;
  readonly bytes: number;
  readonly written: number;
  readonly lost: number;
}

async function measure(contestant: Contestant): Promise<Measured> {
  await using _ended = contestant;
  await untilReadable(contestant, await writeAll(contestant, 'warm', times(BATCHES / 4)));
  const since = performance.now();
  const perSecond = (count: number) => count / ((performance.now() - since) / 1_000);
  const ids = await writeAll(contestant, 'b', times(BATCHES));
  const acknowledged = perSecond(ids.size);
  const readable = perSecond(await untilReadable(contestant, ids));

  const end = performance.now() + LOAD_MS;
  const writing = writeAll(contestant, 'killed', () => performance.now() < end + LOAD_MS);
  await delay(LOAD_MS);
  await contestant.kill();
  const written = await writing;
  const stored = await contestant.countStored(written);
  const all = (1.25 * BATCHES * BATCH + stored) | 0;
  return {
    acknowledged,
    readable,
    bytes: (await contestant.bytes()) / all,
    written: written.size,
    lost: written.size - stored,
  };
}

/** @returns the ids of what was acknowledged, until the store is gone at the latest. */
async function writeAll(contestant: Contestant, name: string, goesOn: () => boolean): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  let isGone = false;
  await together(
    CLIENTS,
    () => !isGone && goesOn(),
    async (client, turn) => {
      const blocks = blocksOf(`${name}${turn}`, BATCH);
      try {
        await contestant.write(client, blocks);
        for (const { id } of blocks) acknowledged.add(id);
      } catch (error) {
        if (name !== 'killed') throw error;
        isGone = true;
      }
    },
  );
  return acknowledged;
}

/** @returns how many are readable in the end. */
async function untilReadable(contestant: Contestant, ids: ReadonlySet<string>): Promise<number> {
  for (const end = performance.now() + PATIENCE_MS; ; await delay(LOOK_MS)) {
    const count = await contestant.countStored(ids);
    if (count === ids.size || performance.now() > end) return count;
  }
}

async function startOurs(database: Database): Promise<Contestant> {
  const served = await serve(database);
  await createTraces(served, CLIENTS);
  return {
    write: (client, blocks) => send(`${served.url}/v1/organizations/default/traces/tr_${client}/blocks`, blocks),
    countStored: (ids) => database.countBlocks(ids),
    kill: () => served.kill(),
    bytes: () => database.bytes(),
    [Symbol.asyncDispose]: () => served.kill(),
  };
}

/** As costly for this process as it is for the other contestant. */
async function send(url: string, blocks: ReturnType<typeof blocksOf>): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ blocks }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}
