import { API_KEYS_CHANGED, createChangeListeners, traceKey } from '../change-listeners.ts';
import type { StoreTotals, TraceStore } from '../trace-store.ts';
import { type AppendInput, appendBatch, appendBlocks } from './append.ts';
import { SMALL_WRITE, type SqlDriver, type SqlReader, writeOnce } from './driver.ts';
import { createSqlKeysAndBlobs } from './keys-and-blobs.ts';
import { createBlockReader, createTreeReader } from './read-blocks.ts';
import { createSqlRolloutEvents } from './rollout-events.ts';
import { createSqlScores } from './scores.ts';
import { searchTables, searchTablesByQuery } from './search-blocks.ts';
import { listSqlGroups, listSqlRuns, listSqlTraces, readRunStats } from './trace-lists.ts';
import { deleteTraceRow, insertTraceRow, readTraceRow, toTrace, updateTraceRow } from './traces.ts';
import { verifyDatabase } from './verify.ts';

/**
 * Creates a store in an open database, which it closes when it is closed itself.
 *
 * @param now clock in milliseconds since 1970.
 */
export function createSqlStore(driver: SqlDriver, now: () => number): TraceStore {
  const listeners = createChangeListeners();
  const { watch, stop } = createWatch(driver, listeners);
  const onChange = (key: string) => {
    listeners.call(key);
    driver.announce(key);
  };
  const { backup } = driver;
  let closed: Promise<void> | undefined;
  // A second call waits for the first, because drivers reject a second close.
  const close = () => {
    stop();
    closed ??= driver.close();
    return closed;
  };
  return {
    ...createTraceWriter(driver, now, onChange),
    trace: async (org, id) => toTrace(await readTraceRow(driver, org, id)),
    traces: (org, query) => listSqlTraces(driver, org, query),
    ...createBlockReader(driver),
    ...createTreeReader(driver),
    findBlocks: (org, query) => searchTables(driver, org, query),
    search: (org, query) => searchTablesByQuery(driver, org, query),
    runs: (org, query) => listSqlRuns(driver, org, query),
    runStats: (org, run, bins, filter) => readRunStats(driver, org, run, bins, filter),
    groups: (org, query) => listSqlGroups(driver, org, query),
    ...createSqlKeysAndBlobs(driver, now, () => onChange(API_KEYS_CHANGED)),
    ...createSqlRolloutEvents(driver),
    ...createSqlScores(driver, now),
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

function createTraceWriter(
  driver: SqlDriver,
  now: () => number,
  onChange: (trace: string) => void,
): Pick<TraceStore, 'createTrace' | 'updateTrace' | 'deleteTrace' | 'append'> {
  const runSingle = (transaction: SqlReader, input: AppendInput) => appendBlocks(transaction, input, now());
  const appendInBatch = driver.batchWriter?.({
    runBatch: (transaction, appends: readonly AppendInput[]) => appendBatch(transaction, appends, now()),
    runSingle,
  });

  async function change<T>(trace: string, write: () => Promise<T>): Promise<T> {
    const value = await writeOnce(driver, write);
    onChange(trace);
    return value;
  }

  return {
    createTrace: (org, input, at = now()) =>
      writeOnce(driver, () =>
        driver.write(bytesIn(input), (transaction) => insertTraceRow(transaction, org, input, at)),
      ),
    updateTrace: (org, id, patch) =>
      change(traceKey(org, id), () =>
        driver.write(bytesIn(patch), (transaction) => updateTraceRow(transaction, org, id, patch, now())),
      ),
    deleteTrace: (org, id) =>
      change(traceKey(org, id), () => driver.write(SMALL_WRITE, (transaction) => deleteTraceRow(transaction, org, id))),
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

/** Time for which a successful write proves that the store is writable. */
const WRITE_PROBE_MS = 1_000;

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
    await driver.write(SMALL_WRITE, (transaction) => transaction.query(sql, [Math.floor(at * 1000)]));
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

const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** Watches for changes of other processes only while there are listeners. */
function createWatch(driver: SqlDriver, listeners: ReturnType<typeof createChangeListeners>) {
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
