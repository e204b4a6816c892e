import { openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/trace/model/index.ts';
import { openPostgresStore } from '../../src/trace/store/index.ts';
import type { TraceStore } from '../../src/trace/store/trace-store.ts';
import { until } from '../support/until.ts';
import { message, ORG, post } from '../trace/store/stores.ts';
import { idsOf } from './batches.ts';

/**
 * Sixteen writers until standard input ends, half of them into one shared trace. Each batch is repeated until it is
 * acknowledged, and noted then. Other errors than an unavailable store, or an unknown result, end the program.
 * @param life distinguishes the blocks of a process from those of earlier processes with its name.
 */
const [url = '', notes = '', name = '', life = ''] = process.argv.slice(2);
const WRITERS = 16;
/** Longer than a recovery of PostgreSQL. */
const DEADLINE_MS = 120_000;
const file = openSync(notes, 'a');
let isOver = false;
let refused = 0;
let doubtful = 0;
process.stdin.on('end', () => (isOver = true)).resume();

/** @returns the result, and whether an earlier attempt may have been stored already. */
async function untilTaken<T>(write: () => Promise<T>): Promise<{ readonly value: T; readonly isDoubtful: boolean }> {
  const end = performance.now() + DEADLINE_MS;
  for (let isDoubtful = false; ; await delay(20)) {
    try {
      return { value: await write(), isDoubtful };
    } catch (error) {
      if (error instanceof StoreUnavailableError) refused++;
      else if (String(error).includes('is not known')) isDoubtful = true;
      else throw error;
      if (performance.now() > end) throw new Error('a write was refused for too long', { cause: error });
      if (isDoubtful) doubtful++;
    }
  }
}

/** Opens the store, and tries again while the server is down. */
const open = (): Promise<TraceStore> =>
  until(
    () =>
      openPostgresStore({ url, max: 8 }).catch((error) => {
        if (error instanceof Error && error.cause instanceof StoreUnavailableError) return undefined;
        throw error;
      }),
    'a store in PostgreSQL',
    DEADLINE_MS,
  );

const store = await open();

async function write(writer: number): Promise<void> {
  const id = writer % 2 === 0 ? 'tr_shared' : `tr_${name}_${writer}`;
  await untilTaken(() => store.createTrace(ORG, { id }));
  for (let batch = 0; !isOver; batch++) {
    const ids = idsOf(`${name}${life}`, writer, batch);
    const blocks = ids.map((block, place) => ({ ...message('a'.repeat(200)), id: block, extra: { reward: place } }));
    // A rejected write was not stored: the next attempt is the first.
    const { value, isDoubtful } = await untilTaken(() => post(store, id, { blocks }));
    writeSync(file, ids.map((block) => `${value.isNew || isDoubtful ? 'new' : 'again'} ${block}\n`).join(''));
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
await store.close();
process.stdout.write(JSON.stringify({ refused, doubtful }));
