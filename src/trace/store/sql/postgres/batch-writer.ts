import type { Pool } from 'pg';
import { PendingPromises, startTimer } from '../../../../core/index.ts';
import {
  type BatchedWork,
  MAX_BATCH_BYTES,
  MAX_BATCH_JOBS,
  type SqlReader,
  waitForBatch,
  writeQueueFull,
} from '../driver.ts';
import { isSerializationConflict, isServerError } from './errors.ts';
import { runTransaction } from './transaction.ts';

/** Attempts of a transaction that conflicts with others. */
const TRIES = 4;

/**
 * Creates the writer of a store.
 *
 * @param identity of the database, which must not be replaced by another one.
 * @param maxQueuedBytes maximum size of the writes that wait; further ones reject.
 */
export function createBatchWriter(pool: Pool, identity: string, maxQueuedBytes: number) {
  const running = new PendingPromises();
  let queuedBytes = 0;

  async function runWithRetries<T>(work: (transaction: SqlReader) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await runTransaction(pool, work, identity);
      } catch (error) {
        if (tries === TRIES || !isSerializationConflict(error)) throw error;
      }
    }
  }

  async function admit<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) {
      throw writeQueueFull(queuedBytes, maxQueuedBytes);
    }
    queuedBytes += bytes;
    try {
      return await running.add(write());
    } finally {
      queuedBytes -= bytes;
    }
  }

  function batchWriter<I, O>(work: BatchedWork<I, O>): (item: I, key: string, bytes: number) => Promise<O> {
    const writeInBatch = createBatchQueue<I, O>({
      runSingle: (item) => runWithRetries((transaction) => work.runSingle(transaction, item)),
      async runBatch(items) {
        try {
          const forUpdate = ' FOR UPDATE SKIP LOCKED';
          const run = (transaction: SqlReader) => work.runBatch({ ...transaction, forUpdate }, items);
          return await runTransaction(pool, run, identity);
        } catch (error) {
          // A single item may have caused the error or the conflict: writes each alone.
          if (isSerializationConflict(error) || (items.length > 1 && isServerError(error))) return [];
          throw error;
        }
      },
    });
    return (item, key, bytes) => admit(bytes, () => writeInBatch(item, key, bytes));
  }

  return {
    write: <T>(bytes: number, work: (transaction: SqlReader) => Promise<T>) => admit(bytes, () => runWithRetries(work)),
    batchWriter,
    /** Resolves when no write is running. */
    drained: () => running.settled(),
  };
}

/** Results of the items of a batch; undefined for an item that must be written alone. */
type BatchResults<O> = readonly (PromiseSettledResult<O> | undefined)[];

interface BatchOptions<I, O> {
  /** Writes items in one transaction. Rejects if all of them have failed. */
  runBatch(items: readonly I[]): Promise<BatchResults<O>>;
  runSingle(item: I): Promise<O>;
}

interface BatchJob<I, O> {
  readonly item: I;
  readonly key: string;
  readonly bytes: number;
  resolve(value: O): void;
  reject(error: unknown): void;
}

/** One batch is committed while the next one runs. */
const MAX_BATCHES = 2;
/** A batch that takes longer is waiting for a lock, perhaps for seconds. */
const MAX_BATCH_DELAY_MS = 20;

/**
 * Writes items in batches; items with the same key are written one after the other. A second batch starts when as many
 * items wait as the first one has, or after some milliseconds, because two small batches cost more than one.
 */
function createBatchQueue<I, O>({ runBatch, runSingle }: BatchOptions<I, O>) {
  const queue = new Set<BatchJob<I, O>>();
  const busy = new Set<string>();
  let batches = 0;
  const running = createJobCounter(() => start());
  const mayStart = () => queue.size > 0 && queue.size >= running.count();
  const start = () => {
    if (batches < MAX_BATCHES && mayStart()) void drain();
  };

  async function drain(): Promise<void> {
    batches++;
    do {
      await waitForBatch(
        () => queue.size,
        () => queue.size >= MAX_BATCH_JOBS,
      );
      const jobs = takeBatch(queue, busy);
      if (jobs.length === 0) break;
      await running.during(jobs.length, writeBatch(jobs));
    } while (mayStart());
    batches--;
  }

  async function writeBatch(jobs: readonly BatchJob<I, O>[]): Promise<void> {
    try {
      const results = await runBatch(jobs.map(({ item }) => item));
      for (const [index, job] of jobs.entries()) settle(job, results[index]);
    } catch (error) {
      for (const job of jobs) settle(job, { status: 'rejected', reason: error });
    }
  }

  function settle(job: BatchJob<I, O>, result: PromiseSettledResult<O> | undefined): void {
    // A single write may wait for a lock, and does not delay further batches.
    if (!result) return void writeAlone(job);
    if (result.status === 'fulfilled') job.resolve(result.value);
    else job.reject(result.reason);
    busy.delete(job.key);
  }

  async function writeAlone(job: BatchJob<I, O>): Promise<void> {
    await runSingle(job.item).then(job.resolve, job.reject);
    busy.delete(job.key);
    start();
  }

  return (item: I, key: string, bytes: number): Promise<O> =>
    new Promise((resolve, reject) => {
      queue.add({ item, key, bytes, resolve, reject });
      start();
    });
}

/** Counts the jobs of running batches. Stops counting those of a slow batch, and then calls `onSlow`. */
function createJobCounter(onSlow: () => void) {
  let count = 0;
  return {
    count: () => count,
    async during(jobs: number, batch: Promise<void>): Promise<void> {
      let counted = jobs;
      const forget = () => {
        count -= counted;
        counted = 0;
      };
      count += jobs;
      const cancelTimer = startTimer(MAX_BATCH_DELAY_MS, () => {
        forget();
        onSlow();
      });
      await batch.finally(cancelTimer);
      forget();
    },
  };
}

/** Removes the jobs of the next batch from the queue, at most one per key. */
function takeBatch<I, O>(queue: Set<BatchJob<I, O>>, busy: Set<string>): readonly BatchJob<I, O>[] {
  const jobs: BatchJob<I, O>[] = [];
  let bytes = 0;
  for (const job of queue) {
    if (busy.has(job.key)) continue;
    bytes += job.bytes;
    if (jobs.length > 0 && (jobs.length === MAX_BATCH_JOBS || bytes > MAX_BATCH_BYTES)) break;
    jobs.push(job);
    queue.delete(job);
    busy.add(job.key);
  }
  return jobs;
}
