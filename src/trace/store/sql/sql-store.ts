import { API_KEYS_CHANGED, createChangeListeners, traceKey } from '../change-listeners.ts';
import type { StoreTotals, TraceStore, TreeReader } from '../trace-store.ts';
import { type AppendInput, appendBatch, appendBlocks } from './append.ts';
import {
  BLOCK_COLUMNS,
  type BlockRow,
  blockTextQuery,
  rowToBlock,
  rowToSkeleton,
  SKELETON_BATCH,
  SKELETON_COLUMNS,
  type SkeletonRow,
  WHOLE_BLOCK_BATCH,
} from './block-rows.ts';
import type { SqlDialect, SqlDriver, SqlReader } from './driver.ts';
import { addKey, findKey, putBlob, readBlob, readKeys, revokeKey } from './keys-and-blobs.ts';
import {
  queryBlocks,
  readBlock,
  readChildren,
  readMessages,
  readOrphans,
  readPositions,
  readTextsAt,
} from './read-blocks.ts';
import { createSqlRolloutEvents } from './rollout-events.ts';
import { listSqlRuns, readRunStats } from './runs.ts';
import { searchTables } from './search-blocks.ts';
import { listGroups, listSqlTraces } from './trace-lists.ts';
import { deleteTraceRow, findTrace, insertTraceRow, readTraceRow, toTrace, updateTraceRow } from './traces.ts';
import { verifyDatabase } from './verify.ts';

/** Time for which a successful write proves that the store is writable. */
const WRITE_PROBE_MS = 1_000;

/** Dependencies of the parts of the store. */
interface SqlStoreContext {
  readonly driver: SqlDriver;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly listeners: ReturnType<typeof createChangeListeners>;
}

/**
 * Creates a store in an open database, which it closes when it is closed itself.
 *
 * @param now clock in milliseconds since 1970.
 */
export function createSqlStore(driver: SqlDriver, now: () => number): TraceStore {
  const listeners = createChangeListeners();
  const context = { driver, now, listeners };
  const { watch, stop } = createWatch(context);
  const { backup } = driver;
  let closed: Promise<void> | undefined;
  // A second call waits for the first, because drivers reject a second close.
  const close = () => {
    stop();
    closed ??= driver.close();
    return closed;
  };
  return {
    ...changesOf(context),
    ...readsOf(context),
    ...treeOf(context),
    ...keysAndBlobsOf(context),
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
 * Returns a function that overwrites one row. Within a second after a successful write it only checks the files, because
 * readiness probes need no API key and may come at any rate.
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
  listeners,
}: SqlStoreContext): Pick<TraceStore, 'createTrace' | 'updateTrace' | 'deleteTrace' | 'append'> {
  const { dialect } = driver;

  const contextOf = (transaction: SqlReader) => ({ transaction, dialect, now: now() });
  const runBatch = (transaction: SqlReader, appends: readonly AppendInput[]) =>
    appendBatch(contextOf(transaction), appends);
  const runSingle = (transaction: SqlReader, input: AppendInput) => appendBlocks(contextOf(transaction), input);
  const appendInBatch = driver.batchWriter?.({ runBatch, runSingle });

  async function change<T>(trace: string, write: () => Promise<T>): Promise<T> {
    const value = await writeOnce(dialect, write);
    listeners.call(trace);
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
      const input = { org, id, request };
      if (request.isDryRun) return runSingle(driver, input);
      const bytes = request.bytes ?? bytesIn(request.body);
      const trace = traceKey(org, id);
      return change(trace, () =>
        appendInBatch
          ? appendInBatch(input, trace, bytes)
          : driver.write(bytes, (transaction) => runSingle(transaction, input)),
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
      const reading = { columns: BLOCK_COLUMNS, batch: WHOLE_BLOCK_BATCH, read };
      return await queryBlocks(driver, await findTrace(driver, org, id), query, reading);
    },
    async skeletons(org, id, query = {}) {
      const reading = {
        columns: SKELETON_COLUMNS,
        batch: SKELETON_BATCH,
        read: (rows: readonly SkeletonRow[]) => rows.map(rowToSkeleton),
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
  async textsAt(org, id, positions, fields) {
    const find = () => findTrace(driver, org, id);
    const texts = await readTextsAt(driver, await find(), positions, blockTextQuery(id, fields, driver.dialect));
    // Rejects if the trace was deleted meanwhile.
    if (texts.length < positions.length) await find();
    return texts;
  },
});

function keysAndBlobsOf({
  driver,
  now,
  listeners,
}: SqlStoreContext): Pick<TraceStore, 'putBlob' | 'blob' | 'addKey' | 'keys' | 'revokeKey' | 'findKey'> {
  const nowUs = () => Math.floor(now() * 1000);
  return {
    putBlob: (org, blob) => driver.write(blob.data.length, (transaction) => putBlob(transaction, org, blob)),
    blob: (org, sha256) => readBlob(driver, org, sha256),
    addKey: (key) => driver.write(SMALL, (transaction) => addKey(transaction, key, nowUs())),
    keys: () => readKeys(driver),
    async revokeKey(id) {
      const isRevoked = await driver.write(SMALL, (transaction) => revokeKey(transaction, id, nowUs()));
      listeners.call(API_KEYS_CHANGED);
      driver.announce(API_KEYS_CHANGED);
      return isRevoked;
    },
    findKey: (sha256) => findKey(driver, sha256),
  };
}

/** Approximate size of a small write. */
const SMALL = 1024;

const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Attempts of a write that conflicts with a concurrent one; the second attempt sees the other write. */
const TRIES = 3;

/** Retries a write if another process has written the same row meanwhile; the next attempt finds it. */
async function writeOnce<T>({ isDuplicate }: SqlDialect, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === TRIES || !isDuplicate(error)) throw error;
    }
  }
}

/** Watches for changes of other processes only while there are listeners. */
function createWatch({ driver, listeners }: SqlStoreContext) {
  let stopDriver: (() => void) | undefined;

  function stop(): void {
    stopDriver?.();
    stopDriver = undefined;
  }

  function watch(key: string, listener: () => void): () => void {
    stopDriver ??= driver.watch((changed) => (changed === undefined ? listeners.callAll() : listeners.call(changed)));
    const unwatch = listeners.watch(key, listener);
    return () => {
      unwatch();
      if (listeners.isEmpty) stop();
    };
  }

  return { watch, stop };
}

async function readTotals(reader: SqlReader): Promise<StoreTotals> {
  const [totals] = await reader.query<StoreTotals>(
    `SELECT count(*) AS traces, coalesce(sum(block_count), 0) AS blocks, coalesce(sum(bytes), 0) AS bytes,
       (SELECT count(*) FROM blobs) AS blobs FROM trace_rows`,
  );
  if (!totals) throw new Error('invalid result of the totals: expected a row, got none');
  const { traces, blocks, blobs, bytes } = totals;
  return { traces, blocks, blobs, bytes };
}
