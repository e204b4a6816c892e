import { countFitting, sum } from '../../../../core/index.ts';
import {
  type BatchedWork,
  type BatchWriter,
  MAX_BATCH_BYTES,
  MAX_BATCH_JOBS,
  type SqlReader,
  waitForBatch,
  writeQueueFull,
} from '../driver.ts';
import { retryWhileLocked, type SqliteConnection, toSqliteStoreError } from './connection.ts';

type TransactionWork<T> = (transaction: SqlReader) => Promise<T>;

/** An item of a `BatchedWork`. */
interface BatchItem {
  readonly batched: BatchedWork<unknown, unknown>;
  readonly item: unknown;
  readonly key: string;
}

interface WriteJob {
  /** Writes the job alone. */
  readonly work: TransactionWork<unknown>;
  /** For a job that can share statements with others. */
  readonly batchItem: BatchItem | undefined;
  readonly bytes: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Creates the only writer of a connection. Waiting jobs share a transaction, each in its own savepoint, and settle after
 * its COMMIT: the time of a write is the fsync, and one fsync serves many jobs. Items of a batch writer that follow one
 * another share a savepoint and their statements, too. Before jobs resolve, the files are checked: they must still be those
 * with the name of the database.
 *
 * @param maxQueuedBytes maximum size of the waiting jobs; further ones reject.
 */
export function createGroupCommitWriter(
  connection: SqliteConnection,
  checkFileIdentity: () => void,
  maxQueuedBytes: number,
) {
  const queue: WriteJob[] = [];
  let queuedBytes = 0;
  let transaction: Promise<void> | undefined;
  let draining: Promise<void> | undefined;

  const isFull = () => queue.length >= MAX_BATCH_JOBS || queuedBytes >= MAX_BATCH_BYTES;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await waitForBatch(() => queue.length, isFull);
      const jobs = takeBatch(queue);
      const settle = await writeBatch(jobs);
      queuedBytes -= sum(jobs.map(({ bytes }) => bytes));
      for (const each of settle) each();
    }
    draining = undefined;
  }

  /** Returns the functions that settle the jobs. */
  async function writeBatch(jobs: readonly WriteJob[]): Promise<readonly (() => void)[]> {
    try {
      checkFileIdentity();
      const running = await retryWhileLocked(() => {
        connection.run('BEGIN IMMEDIATE');
        const batch = runBatch(connection, checkFileIdentity, jobs);
        transaction = batch.then(endTransaction, endTransaction);
        // In an object, because `await` would also wait for a promise that is returned directly.
        return { batch };
      });
      return await running.batch;
    } catch (error) {
      return jobs.map((job) => () => job.reject(toSqliteStoreError(error)));
    }
  }

  function endTransaction(): void {
    transaction = undefined;
  }

  function write<T>(bytes: number, work: TransactionWork<T>, batchItem?: BatchItem): Promise<T> {
    if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) {
      return Promise.reject(writeQueueFull(queuedBytes, maxQueuedBytes));
    }
    queuedBytes += bytes;
    return new Promise<T>((resolve, reject) => {
      // The queue has jobs of all types; each `resolve` receives the value of its job.
      queue.push({ work, batchItem, bytes, resolve: resolve as (value: unknown) => void, reject });
      draining ??= drain();
    });
  }

  const batchWriter: BatchWriter = (batched) => (item, key, bytes) => {
    const work = (transaction: SqlReader) => batched.runSingle(transaction, item);
    // Items meet only those of the same work.
    return write(bytes, work, { batched: batched as BatchedWork<unknown, unknown>, item, key });
  };

  return {
    write: <T>(bytes: number, work: TransactionWork<T>) => write(bytes, work),
    batchWriter,
    /** Returns the promise that reads must await: within a transaction the connection sees uncommitted rows. */
    openTransaction: () => transaction,
    /** Resolves when no job is waiting. */
    drained: async () => draining,
  };
}

function takeBatch(queue: WriteJob[]): WriteJob[] {
  const limits = { count: MAX_BATCH_JOBS, size: MAX_BATCH_BYTES, sizeOf: ({ bytes }: WriteJob) => bytes };
  return queue.splice(0, countFitting(queue, limits));
}

/** Runs jobs in the open transaction. If it fails, all jobs fail, because a job may have read what an earlier one wrote. */
async function runBatch(
  connection: SqliteConnection,
  checkFileIdentity: () => void,
  jobs: readonly WriteJob[],
): Promise<readonly (() => void)[]> {
  const settle: (() => void)[] = [];
  const [only, ...others] = jobs;
  try {
    // A single job needs no savepoint, which would take a third of the time.
    if (only && others.length === 0) settle.push(await runAlone(connection, only));
    else for (const group of groupBatchItems(jobs)) settle.push(...(await runGroup(connection, group)));
    connection.run('COMMIT');
    checkFileIdentity();
    return settle;
  } catch (error) {
    rollBack(connection, error);
    throw error;
  }
}

async function runAlone(connection: SqliteConnection, { work, resolve }: WriteJob): Promise<() => void> {
  const value = await work(connection);
  return () => resolve(value);
}

/** Groups items of the same work with different keys that follow one another; any other job is a separate group. */
function groupBatchItems(jobs: readonly WriteJob[]): readonly WriteJob[][] {
  const groups: WriteJob[][] = [];
  const keys = new Set<string>();
  for (const job of jobs) {
    const { batchItem } = job;
    const group = groups.at(-1);
    const batched = group?.[0]?.batchItem?.batched;
    if (batchItem && group && batchItem.batched === batched && !keys.has(batchItem.key)) group.push(job);
    else {
      groups.push([job]);
      keys.clear();
    }
    if (batchItem) keys.add(batchItem.key);
  }
  return groups;
}

/** Runs a group of jobs, each of which can fail alone. */
async function runGroup(connection: SqliteConnection, jobs: readonly WriteJob[]): Promise<readonly (() => void)[]> {
  const results = jobs.length > 1 ? await runTogether(connection, jobs) : [];
  const settle: (() => void)[] = [];
  for (const [index, job] of jobs.entries()) {
    const result = results[index];
    if (!result) settle.push(await runInSavepoint(connection, job));
    else if (result.status === 'fulfilled') settle.push(() => job.resolve(result.value));
    else settle.push(() => job.reject(toSqliteStoreError(result.reason)));
  }
  return settle;
}

/** Runs the items of a group together. @returns the result of each; undefined for those that must run alone. */
async function runTogether(
  connection: SqliteConnection,
  jobs: readonly WriteJob[],
): Promise<readonly (PromiseSettledResult<unknown> | undefined)[]> {
  const items = jobs.map(({ batchItem }) => batchItem?.item);
  connection.run('SAVEPOINT job');
  try {
    const results = await jobs[0]?.batchItem?.batched.runBatch(connection, items);
    connection.run('RELEASE job');
    return results ?? [];
  } catch (error) {
    // A single item may have caused the error.
    rollBackToSavepoint(connection, error);
    return [];
  }
}

async function runInSavepoint(connection: SqliteConnection, { work, resolve, reject }: WriteJob): Promise<() => void> {
  connection.run('SAVEPOINT job');
  try {
    const value = await work(connection);
    connection.run('RELEASE job');
    return () => resolve(value);
  } catch (error) {
    rollBackToSavepoint(connection, error);
    return () => reject(toSqliteStoreError(error));
  }
}

/** @throws `error` if SQLite has rolled back the whole transaction, including the earlier jobs. */
function rollBackToSavepoint(connection: SqliteConnection, error: unknown): void {
  try {
    connection.run('ROLLBACK TO job');
    connection.run('RELEASE job');
  } catch {
    throw error;
  }
}

function rollBack(connection: SqliteConnection, reason: unknown): void {
  try {
    connection.run('ROLLBACK');
  } catch (error) {
    // SQLite has rolled back already.
    if (String(error).includes('no transaction is active')) return;
    throw new AggregateError([reason, error], 'a transaction failed, and its rollback failed too');
  }
}
