import { SKELETON_BATCH, WHOLE_BLOCK_BATCH } from '../slices.ts';
import type { TraceStore } from '../trace-store.ts';
import type { TreeReader } from '../tree-reader.ts';
import { API_KEYS_CHANGED, createChangeListeners, traceKey } from '../watchers.ts';
import { type AppendInput, appendBatch, appendBlocks } from './append.ts';
import {
  BLOCK_COLUMNS,
  type BlockRow,
  rowToBlock,
  SKELETON_COLUMNS,
  type SkeletonRow,
  toSkeletonOf,
} from './block-rows.ts';
import { blockTextQuery } from './block-texts.ts';
import type { SqlDialect, SqlDriver, SqlReader } from './driver.ts';
import { searchTables } from './find-blocks.ts';
import { findTrace, readTraceRow } from './find-trace.ts';
import { listGroups } from './groups.ts';
import { createSqlRolloutEvents } from './inbox.ts';
import { listSqlTraces } from './list-traces.ts';
import { queryBlocks, readBlock } from './read-blocks.ts';
import { listSqlRuns, readRunStats } from './runs.ts';
import { readTotals } from './totals.ts';
import { toTrace } from './trace-rows.ts';
import { deleteTraceRow, insertTraceRow, updateTraceRow } from './traces.ts';
import { readChildren, readMessages, readOrphans, readPositions, readTextsAt } from './tree-places.ts';
import { addKey, findKey, putBlob, readBlob, readKeys, revokeKey } from './vault.ts';
import { verifyDatabase } from './verify.ts';

/** A write that succeeded counts as a proof that the store can be written for this time. */
const WRITE_PROBE_MS = 1_000;

/** Dependencies of the parts of the store. */
interface SqlStoreContext {
  readonly driver: SqlDriver;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly watchers: ReturnType<typeof createChangeListeners>;
}

/** A store in a database, which it closes when it is closed. @param now milliseconds since 1970. */
export function createSqlStore(driver: SqlDriver, now: () => number): TraceStore {
  const watchers = createChangeListeners();
  const context = { driver, now, watchers };
  const { watch, stop } = createWatch(context);
  const { backup } = driver;
  let closed: Promise<void> | undefined;
  // A second call waits for the first: drivers refuse to close twice.
  const close = () => {
    stop();
    closed ??= driver.close();
    return closed;
  };
  return {
    ...changesOf(context),
    ...readsOf(context),
    ...treeOf(context),
    ...vaultOf(context),
    ...createSqlRolloutEvents(driver),
    watch: (org, id, listener) => watch(traceKey(org, id), listener),
    watchKeys: (listener) => watch(API_KEYS_CHANGED, listener),
    checkWritable: createWriteProbe(driver, now),
    totals: () => readTotals(driver),
    verify: (onProgress) => verifyDatabase(driver, onProgress),
    ...(backup ? { backup } : {}),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Returns a function that writes one row, which replaces the row of the call before. A call within a second of a write
 * that succeeded only checks the files: anybody may ask a server whether it is ready, as often as they like.
 */
function createWriteProbe(driver: SqlDriver, now: () => number): () => Promise<void> {
  const sql = 'INSERT INTO probe (rid, at_us) VALUES (1, ?) ON CONFLICT (rid) DO UPDATE SET at_us = excluded.at_us';
  let writtenAt: number | undefined;
  let writing: Promise<void> | undefined;
  const write = async () => {
    const at = now();
    await driver.write(SMALL, (transaction) => transaction.query(sql, [Math.floor(at * 1000)]));
    writtenAt = at;
  };
  return async () => {
    await driver.checkFileIdentity();
    // The clock may have been set back.
    if (writtenAt !== undefined && Math.abs(now() - writtenAt) < WRITE_PROBE_MS) return;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };
}

function changesOf({
  driver,
  now,
  watchers,
}: SqlStoreContext): Pick<TraceStore, 'createTrace' | 'updateTrace' | 'deleteTrace' | 'append'> {
  const { dialect } = driver;

  const contextOf = (transaction: SqlReader) => ({ transaction, dialect, now: now() });
  const together = (transaction: SqlReader, appends: readonly AppendInput[]) =>
    appendBatch(contextOf(transaction), appends);
  const alone = (transaction: SqlReader, one: AppendInput) => appendBlocks(contextOf(transaction), one);
  const gathered = driver.batchWriter?.({ runBatch: together, runSingle: alone });

  async function change<T>(trace: string, write: () => Promise<T>): Promise<T> {
    const value = await writeOnce(dialect, write);
    watchers.call(trace);
    driver.announce(trace);
    return value;
  }

  return {
    createTrace: (org, input, at = now()) =>
      writeOnce(dialect, () =>
        driver.write(bytesIn(input), (transaction) => insertTraceRow(transaction, org, input, at)),
      ),
    updateTrace: (org, id, patch) =>
      change(traceKey(org, id), () =>
        driver.write(bytesIn(patch), (transaction) => updateTraceRow(transaction, org, id, patch, now())),
      ),
    deleteTrace: (org, id) =>
      change(traceKey(org, id), () => driver.write(SMALL, (transaction) => deleteTraceRow(transaction, org, id))),
    append(org, id, request) {
      const one = { org, id, request };
      if (request.isDryRun) return alone(driver, one);
      const bytes = request.bytes ?? bytesIn(request.body);
      const trace = traceKey(org, id);
      return change(trace, () =>
        gathered ? gathered(one, trace, bytes) : driver.write(bytes, (transaction) => alone(transaction, one)),
      );
    },
  };
}

function readsOf({
  driver,
}: SqlStoreContext): Pick<
  TraceStore,
  'trace' | 'traces' | 'blocks' | 'skeletons' | 'texts' | 'block' | 'findBlocks' | 'runs' | 'runStats' | 'groups'
> {
  const { dialect } = driver;
  return {
    trace: async (org, id) => toTrace(await readTraceRow(driver, org, id)),
    traces: (org, query) => listSqlTraces(driver, dialect, org, query),
    async blocks(org, id, query = {}) {
      const read = (rows: readonly BlockRow[]) => rows.map((row) => rowToBlock(id, row));
      const reading = { columns: BLOCK_COLUMNS, slice: WHOLE_BLOCK_BATCH, read };
      return await queryBlocks(driver, await findTrace(driver, org, id), query, reading);
    },
    async skeletons(org, id, query = {}) {
      const reading = {
        columns: SKELETON_COLUMNS,
        slice: SKELETON_BATCH,
        read: (rows: readonly SkeletonRow[]) => rows.map(toSkeletonOf),
      };
      return await queryBlocks(driver, await findTrace(driver, org, id), query, reading);
    },
    async texts(org, id, query = {}, fields = 'all') {
      return await queryBlocks(driver, await findTrace(driver, org, id), query, blockTextQuery(id, fields, dialect));
    },
    block: (org, id, block) => readBlock(driver, org, id, block),
    findBlocks: (org, query) => searchTables(driver, org, query),
    runs: (org, query) => listSqlRuns(driver, dialect, org, query),
    runStats: (org, run, bins) => readRunStats(driver, dialect, org, { run, bins }),
    groups: (org, query) => listGroups(driver, dialect, org, query),
  };
}

const treeOf = ({ driver }: SqlStoreContext): TreeReader => ({
  messages: async (org, id, page) => readMessages(driver, await findTrace(driver, org, id), page),
  children: async (org, id, parents, before) => readChildren(driver, await findTrace(driver, org, id), parents, before),
  orphans: async (org, id, before) => readOrphans(driver, await findTrace(driver, org, id), before),
  async *positions(org, id, before) {
    yield* readPositions(driver, await findTrace(driver, org, id), before);
  },
  async textsAt(org, id, places, fields) {
    const find = () => findTrace(driver, org, id);
    const texts = await readTextsAt(driver, await find(), places, blockTextQuery(id, fields, driver.dialect));
    // It may have been deleted meanwhile.
    if (texts.length < places.length) await find();
    return texts;
  },
});

function vaultOf({
  driver,
  now,
  watchers,
}: SqlStoreContext): Pick<TraceStore, 'putBlob' | 'blob' | 'addKey' | 'keys' | 'revokeKey' | 'findKey'> {
  const nowUs = () => Math.floor(now() * 1000);
  return {
    putBlob: (org, blob) => driver.write(blob.data.length, (transaction) => putBlob(transaction, org, blob)),
    blob: (org, sha256) => readBlob(driver, org, sha256),
    addKey: (key) => driver.write(SMALL, (transaction) => addKey(transaction, key, nowUs())),
    keys: () => readKeys(driver),
    async revokeKey(id) {
      const isRevoked = await driver.write(SMALL, (transaction) => revokeKey(transaction, id, nowUs()));
      watchers.call(API_KEYS_CHANGED);
      driver.announce(API_KEYS_CHANGED);
      return isRevoked;
    },
    findKey: (sha256) => findKey(driver, sha256),
  };
}

/** About what a write takes that is small. */
const SMALL = 1024;

const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Attempts of a write that meets a concurrent one; the second attempt sees the other write. */
const TRIES = 3;

/** Retries a write if another process has written the same meanwhile: the rules then report the duplicate. */
async function writeOnce<T>({ isDuplicate }: SqlDialect, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === TRIES || !isDuplicate(error)) throw error;
    }
  }
}

/** Asks other processes for changes only while there are watchers. */
function createWatch({ driver, watchers }: SqlStoreContext) {
  let stopAsking: (() => void) | undefined;

  function stop(): void {
    stopAsking?.();
    stopAsking = undefined;
  }

  function watch(key: string, listener: () => void): () => void {
    stopAsking ??= driver.watch((changed) => (changed === undefined ? watchers.callAll() : watchers.call(changed)));
    const unwatch = watchers.watch(key, listener);
    return () => {
      unwatch();
      if (watchers.isEmpty) stop();
    };
  }

  return { watch, stop };
}
