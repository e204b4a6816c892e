import { countFitting, sum } from '../../../../core/index.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_JOBS, type SqlReader, waitForBatch, writeQueueFull } from '../driver.ts';
import { retryWhileLocked, type SqliteConnection, toSqliteStoreError } from './connection.ts';

type TransactionWork<T> = (transaction: SqlReader) => Promise<T>;

interface WriteJob {
  readonly work: TransactionWork<unknown>;
  readonly bytes: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Creates the only writer of a connection. Waiting jobs share a transaction, each in its own savepoint, and settle after
 * its COMMIT: the time of a write is the fsync, and one fsync serves many jobs. Before jobs resolve, the files are checked:
 * they must still be those with the name of the database.
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

  return {
    write<T>(bytes: number, work: TransactionWork<T>): Promise<T> {
      if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) {
        return Promise.reject(writeQueueFull(queuedBytes, maxQueuedBytes));
      }
      queuedBytes += bytes;
      return new Promise<T>((resolve, reject) => {
        // The queue has jobs of all types; each `resolve` receives the value of its job.
        queue.push({ work, bytes, resolve: resolve as (value: unknown) => void, reject });
        draining ??= drain();
      });
    },
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
    else for (const job of jobs) settle.push(await runInSavepoint(connection, job));
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
