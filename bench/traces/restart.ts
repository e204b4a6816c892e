import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Engine } from './engine.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { createTraces, runClients, type ServerMode, serve, serveUnwarmed } from './trace-server.ts';

const WRITERS = 8;
const BATCH = 50;
/** Text of a block: 100,000 blocks are a gigabyte. */
const TEXT = 'a'.repeat(10_000);
const GIGABYTE = 1e9;
/** Time from the last counted block to the kill, so that the kill interrupts writes. */
const KILL_AFTER_MS = 70;

/**
 * T6: from the start of a server to its first response, after the previous one was killed while it wrote. In an SQLite
 * database all bytes can be in the write-ahead log, if a read transaction prevented checkpoints; SQLite then reads the
 * log before it responds.
 */
export async function restart(engine: Engine, round: RoundContext): Promise<StoreRow[]> {
  const places = engine.isParallel ? ['in the database'] : ['in the file', 'in the log'];
  const rows: StoreRow[] = [];
  for (const place of places) rows.push(...(await restartWith(engine, place, round)));
  return rows;
}

async function restartWith(engine: Engine, place: string, { blocks, progress }: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  const gigabytes = (blocks * TEXT.length) / GIGABYTE;
  await writeAndKill(database, place === 'in the log' ? 'long-wal' : '', blocks, (written) =>
    progress(`${place}: ${written.toLocaleString('en')} of ${blocks.toLocaleString('en')} blocks of 10 KB written`),
  );
  progress(`${place}: start after the kill`);
  const since = performance.now();
  const perGigabyte = () => (performance.now() - since) / 1e3 / gigabytes;
  await using server = await serveUnwarmed(database);
  await server.get('traces/tr_0/blocks?limit=1');
  const read = perGigabyte();
  await server.post('traces/tr_0/blocks', { sub_type: 'MESSAGE', payload: { role: 'user', content: 'again' } });
  const written = perGigabyte();
  const name = `start after kill -9 with ${gigabytes} GB ${place}`;
  return [
    { mark: 'T6', name: `${name}, s/GB to a read`, better: 'less', figures: { store: read }, atMost: 1 },
    { mark: 'T6', name: `${name}, s/GB to a stored block`, better: 'less', figures: { store: written }, atMost: 1 },
  ];
}

/** Writes `blocks` blocks, continues to write, and kills the server meanwhile. */
async function writeAndKill(
  database: Database,
  mode: ServerMode,
  blocks: number,
  onWritten: (written: number) => void,
): Promise<void> {
  await using server = await serve(database, mode);
  await createTraces(server, WRITERS);
  let written = 0;
  let isKilled = false;
  const batch = Array.from({ length: BATCH }, () => ({
    sub_type: 'MESSAGE',
    payload: { role: 'user', content: TEXT },
  }));
  const write = async (client: number) => {
    await server.post(`traces/tr_${client}/blocks`, { blocks: batch });
    written += BATCH;
    onWritten(written);
  };
  await runClients(WRITERS, () => written < blocks, write);
  const writing = runClients(WRITERS, () => !isKilled, write).catch((error) => {
    if (!isKilled) throw error;
  });
  await Promise.race([delay(KILL_AFTER_MS), writing]);
  isKilled = true;
  await server.kill();
  await writing;
}
