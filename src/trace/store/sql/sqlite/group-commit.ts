import { countFitting, sum } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { SqlReader } from '../driver.ts';
import { waitForBatch } from '../gather-turns.ts';
import { retryWhileLocked, type SqliteConnection } from './connection.ts';
import { toSqliteStoreError } from './errors.ts';
import type { FileIdentityCheck } from './presence.ts';

type TransactionWork<T> = (transaction: SqlReader) => Promise<T>;

interface WriteJob {
  readonly work: TransactionWork<unknown>;
  readonly bytes: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The most that one transaction takes, so that others have their turn between two. */
const MAX_BATCH_JOBS = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/**
 * The one writer. Whatever waits shares a transaction, each in a savepoint of its own, and all are told after the one
 * COMMIT: what takes time is that the disk confirms, and it confirms many at once. Before anything is told to be stored, the
 * files that were written have to be those that have the name of the database.
 *
 * @param maxQueuedBytes the most that may wait; more is refused at once.
 */
export function createGroupCommitWriter(
  connection: SqliteConnection,
  presence: FileIdentityCheck,
  maxQueuedBytes: number,
) {
  const queue: WriteJob[] = [];
  let queuedBytes = 0;
  let open: Promise<void> | undefined;
  let drained: Promise<void> | undefined;

  const isFull = () => queue.length >= MAX_BATCH_JOBS || queuedBytes >= MAX_BATCH_BYTES;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await waitForBatch(() => queue.length, isFull);
      const jobs = takeBatch(queue);
      const settle = await writeBatch(jobs);
      queuedBytes -= sum(jobs.map(({ bytes }) => bytes));
      for (const each of settle) each();
    }
    drained = undefined;
  }

  /** @returns what tells each job how it went. */
  async function writeBatch(jobs: readonly WriteJob[]): Promise<readonly (() => void)[]> {
    try {
      presence.check();
      const running = await retryWhileLocked(() => {
        connection.run('BEGIN IMMEDIATE');
        const batch = runBatch(connection, presence, jobs);
        open = batch.then(close, close);
        // A promise in a promise would be waited for here.
        return { batch };
      });
      return await running.batch;
    } catch (error) {
      return jobs.map((job) => () => job.reject(toSqliteStoreError(error)));
    }
  }

  function close(): void {
    open = undefined;
  }

  return {
    write<T>(bytes: number, work: TransactionWork<T>): Promise<T> {
      if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) {
        const message = `${queuedBytes} bytes wait to be written, and ${maxQueuedBytes} may; nothing was stored`;
        return Promise.reject(new StoreUnavailableError(message));
      }
      queuedBytes += bytes;
      return new Promise<T>((resolve, reject) => {
        // The queue holds jobs of all kinds; each gets what its own work gave.
        queue.push({ work, bytes, resolve: resolve as (value: unknown) => void, reject });
        drained ??= drain();
      });
    },
    /** What to wait for before reading: in an open transaction the connection sees what is not stored yet. */
    openTransaction: () => open,
    /** When nothing waits any more. */
    end: async () => drained,
  };
}

function takeBatch(queue: WriteJob[]): WriteJob[] {
  const limits = { count: MAX_BATCH_JOBS, size: MAX_BATCH_BYTES, sizeOf: ({ bytes }: WriteJob) => bytes };
  return queue.splice(0, countFitting(queue, limits));
}

/** A job may have seen what one before it wrote; so if the transaction fails, all of them have failed. */
async function runBatch(
  connection: SqliteConnection,
  presence: FileIdentityCheck,
  jobs: readonly WriteJob[],
): Promise<readonly (() => void)[]> {
  const settle: (() => void)[] = [];
  const [only, ...others] = jobs;
  try {
    // The transaction of one needs no savepoint in it, which costs a third of the time.
    if (only && others.length === 0) settle.push(await runAlone(connection, only));
    else for (const job of jobs) settle.push(await runJob(connection, job));
    connection.run('COMMIT');
    presence.check();
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

async function runJob(connection: SqliteConnection, { work, resolve, reject }: WriteJob): Promise<() => void> {
  connection.run('SAVEPOINT job');
  try {
    const value = await work(connection);
    connection.run('RELEASE job');
    return () => resolve(value);
  } catch (error) {
    endJob(connection, error);
    return () => reject(toSqliteStoreError(error));
  }
}

/** @throws the error itself where SQLite has ended the whole transaction, and with it the jobs before. */
function endJob(connection: SqliteConnection, error: unknown): void {
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
    // SQLite has done so itself.
    if (String(error).includes('no transaction is active')) return;
    throw new AggregateError([reason, error], 'a transaction failed, and so did its end');
  }
}
