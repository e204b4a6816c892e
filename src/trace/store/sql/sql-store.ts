import { randomUUID } from 'node:crypto';
import type { TraceId } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { assertDepth } from '../../model/index.ts';
import { API_KEYS_CHANGED, createChangeListeners, traceKey } from '../change-listeners.ts';
import { toTimestamp } from '../trace-changes.ts';
import type { ApiKeyRecord, ApiKeyScope, StoredBlobData, StoreTotals, TraceStore } from '../trace-store.ts';
import { type AppendInput, appendBatch, appendBlocks } from './append.ts';
import { SMALL_WRITE, type SqlDriver, type SqlReader, writeOnce } from './driver.ts';
import { createBlockReader, createTreeReader } from './read-blocks.ts';
import { createSqlScores } from './scores.ts';
import { searchTables, searchTablesByQuery } from './search-blocks.ts';
import { decodeStoredText, encodeStoredText, insertRow } from './statements.ts';
import { listSqlGroups, listSqlRuns, listSqlTraces, readRunStats } from './trace-lists.ts';
import { deleteTraceRow, findTrace, insertTraceRow, readTraceRow, toTrace, updateTraceRow } from './traces.ts';
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
  const appendInBatch = driver.batchWriter({
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
    async append(org, id, request) {
      assertDepth(request.body);
      const input = { org, id, request };
      if (request.isDryRun) return await runSingle(driver, input);
      const bytes = request.bytes ?? bytesIn(request.body);
      const trace = traceKey(org, id);
      return await change(trace, () => appendInBatch(input, trace, bytes));
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

/** Approximate size of a row without its text. */
const ROW_BYTES = 200;

/** Rollout events, which wait in the database until they can be written as blocks. */
const createSqlRolloutEvents = (
  driver: SqlDriver,
): Pick<TraceStore, 'receiveEvents' | 'pendingEvents' | 'settleEvents' | 'tracesWithEvents'> => ({
  receiveEvents(org, trace, events) {
    const sql = `INSERT INTO rollout_events (trace_rid, id, event_index, text) VALUES (?, ?, ?, ?)
      ON CONFLICT (trace_rid, id) DO NOTHING`;
    const bytes = ROW_BYTES + sum(events.map(({ text }) => Buffer.byteLength(text) + ROW_BYTES));
    return driver.write(bytes, async (transaction) => {
      const { rid } = await findTrace(transaction, org, trace);
      for (const { id, index, text } of events) {
        await transaction.query(sql, [rid, encodeStoredText(id), index, encodeStoredText(text)]);
      }
    });
  },
  async pendingEvents(org, trace) {
    const { rid } = await findTrace(driver, org, trace);
    // Reads settled events first: an event that is settled between the reads must not look pending behind `next`.
    const [settled] = await driver.query<{ readonly next: number }>(
      'SELECT coalesce(max(event_index) + 1, 0) AS next FROM rollout_events WHERE trace_rid = ? AND text IS NULL',
      [rid],
    );
    const rows = await driver.query<{ readonly id: string; readonly event_index: number; readonly text: string }>(
      'SELECT id, event_index, text FROM rollout_events WHERE trace_rid = ? AND text IS NOT NULL ORDER BY event_index, id',
      [rid],
    );
    const events = rows.map(({ id, event_index, text }) => ({
      id: decodeStoredText(id),
      index: event_index,
      text: decodeStoredText(text),
    }));
    return { next: settled?.next ?? 0, events };
  },
  settleEvents: (org, trace, ids) =>
    driver.write(ROW_BYTES, async (transaction) => {
      const { rid } = await findTrace(transaction, org, trace);
      const { columnIn, list } = driver.dialect;
      const sql = `UPDATE rollout_events SET text = NULL WHERE trace_rid = ? AND ${columnIn('id')}`;
      await transaction.query(sql, [rid, list(ids.map(encodeStoredText))]);
    }),
  async tracesWithEvents() {
    const rows = await driver.query<{ readonly org: string; readonly id: TraceId }>(
      `SELECT org, id FROM trace_rows
       WHERE rid IN (SELECT trace_rid FROM rollout_events WHERE text IS NOT NULL) ORDER BY rid`,
    );
    return rows.map(({ org, id }) => ({ org: decodeStoredText(org), id }));
  },
});

type KeyRow = Omit<ApiKeyRecord, 'scopes'> & { readonly scopes: string };

const SELECT_KEYS = 'SELECT id, org, name, scopes, created_at, revoked_at FROM api_keys';

const toKey = (row: KeyRow): ApiKeyRecord => ({
  ...row,
  org: decodeStoredText(row.org),
  name: decodeStoredText(row.name),
  scopes: JSON.parse(row.scopes) as ApiKeyScope[],
});

/** API keys and blobs. @param now clock in milliseconds since 1970. */
function createSqlKeysAndBlobs(
  driver: SqlDriver,
  now: () => number,
  onRevoked: () => void,
): Pick<TraceStore, 'addKey' | 'keys' | 'revokeKey' | 'findKey' | 'putBlob' | 'blob'> {
  const time = () => toTimestamp(Math.floor(now() * 1000));
  return {
    addKey: ({ org, name, scopes, sha256 }) =>
      driver.write(SMALL_WRITE, async (transaction) => {
        const row: KeyRow = {
          id: `key_${randomUUID()}`,
          org: encodeStoredText(org),
          name: encodeStoredText(name),
          scopes: JSON.stringify(scopes),
          created_at: time(),
          revoked_at: null,
        };
        await insertRow(transaction, 'api_keys', { ...row, sha256 });
        return toKey(row);
      }),
    keys: async () => (await driver.query<KeyRow>(`${SELECT_KEYS} ORDER BY created_at, id`)).map(toKey),
    async revokeKey(id) {
      const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id';
      const revoked = await driver.write(SMALL_WRITE, (transaction) => transaction.query(sql, [time(), id]));
      onRevoked();
      return revoked.length > 0;
    },
    async findKey(sha256) {
      const sql = `${SELECT_KEYS} WHERE sha256 = ? AND revoked_at IS NULL`;
      const [row] = await driver.query<KeyRow>(sql, [sha256]);
      return row && toKey(row);
    },
    async putBlob(org, { sha256, media_type, data }) {
      const sql =
        'INSERT INTO blobs (org, sha256, media_type, data) VALUES (?, ?, ?, ?) ON CONFLICT (org, sha256) DO NOTHING';
      const params = [encodeStoredText(org), sha256, encodeStoredText(media_type), data];
      await driver.write(data.length, (transaction) => transaction.query(sql, params));
    },
    async blob(org, sha256) {
      const sql = 'SELECT sha256, media_type, data FROM blobs WHERE org = ? AND sha256 = ?';
      const [row] = await driver.query<StoredBlobData>(sql, [encodeStoredText(org), sha256]);
      return row && { ...row, media_type: decodeStoredText(row.media_type) };
    },
  };
}
