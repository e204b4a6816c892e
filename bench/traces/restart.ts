import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Engine } from './engine.ts';
import { createTraces } from './ingest.ts';
import { type How, serve, serveAtOnce, together } from './place.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';

const WRITERS = 8;
const BATCH = 50;
/** What makes a gigabyte of 100,000 blocks. */
const TEXT = 'a'.repeat(10_000);
const GIGABYTE = 1e9;
/** What is written after all is there, so that the end comes in the middle of something. */
const ON_MS = 70;

/**
 * T6: from the start of a store to its first answer, after one with many bytes was killed while it wrote. A SQLite file
 * may have them in its log alone, where somebody reads an old state, and that has to be read through first.
 */
export async function restart(engine: Engine, round: Round): Promise<Row[]> {
  const where = engine.isParallel ? ['in the database'] : ['in the file', 'in the log'];
  const rows: Row[] = [];
  for (const place of where) rows.push(...(await restartWith(engine, place, round)));
  return rows;
}

async function restartWith(engine: Engine, where: string, { blocks, progress }: Round): Promise<Row[]> {
  await using database = await engine.create();
  const gigabytes = (blocks * TEXT.length) / GIGABYTE;
  await writeAndKill(database, where === 'in the log' ? 'log' : '', blocks, (written) =>
    progress(`${where}: ${written.toLocaleString('en')} of ${blocks.toLocaleString('en')} blocks of 10 KB written`),
  );
  progress(`${where}: the start after the kill`);
  const since = performance.now();
  const perGigabyte = () => (performance.now() - since) / 1e3 / gigabytes;
  await using served = await serveAtOnce(database);
  await served.get('traces/tr_0/blocks?limit=1');
  const read = perGigabyte();
  await served.post('traces/tr_0/blocks', { sub_type: 'MESSAGE', payload: { role: 'user', content: 'again' } });
  const written = perGigabyte();
  const name = `start after kill -9 with ${gigabytes} GB ${where}`;
  return [
    { mark: 'T6', name: `${name}, s/GB to an answer`, better: 'less', figures: { store: read }, atMost: 1 },
    { mark: 'T6', name: `${name}, s/GB to a block on disk`, better: 'less', figures: { store: written }, atMost: 1 },
  ];
}

/** Ends the server at once some time after so many blocks are acknowledged, while more are on their way. */
async function writeAndKill(
  database: Database,
  how: How,
  blocks: number,
  tell: (written: number) => void,
): Promise<void> {
  await using served = await serve(database, how);
  await createTraces(served, WRITERS);
  let [written, isKilled] = [0, false];
  const batch = Array.from({ length: BATCH }, () => ({
    sub_type: 'MESSAGE',
    payload: { role: 'user', content: TEXT },
  }));
  const write = async (client: number) => {
    await served.post(`traces/tr_${client}/blocks`, { blocks: batch });
    written += BATCH;
    tell(written);
  };
  await together(WRITERS, () => written < blocks, write);
  const writing = together(WRITERS, () => !isKilled, write).catch((error) => {
    if (!isKilled) throw error;
  });
  await Promise.race([delay(ON_MS), writing]);
  isKilled = true;
  await served.kill();
  await writing;
}
