import { startTimer } from '../../../../core/index.ts';
import { waitForBatch } from '../gather-turns.ts';

/** What an item of a batch was answered; undefined where it is to be done alone. */
type BatchResults<O> = readonly (PromiseSettledResult<O> | undefined)[];

interface BatchOptions<I, O> {
  /** Does several at once. @throws where all of them have failed. */
  together(items: readonly I[]): Promise<BatchResults<O>>;
  alone(item: I): Promise<O>;
}

interface BatchJob<I, O> {
  readonly item: I;
  readonly key: string;
  readonly bytes: number;
  resolve(value: O): void;
  reject(error: unknown): void;
}

/** One batch is on its way to the disk while the next one is made. */
const MAX_BATCHES = 2;
/** The most of one, so that others have their turn between two. */
const MAX_BATCH_JOBS = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** A batch that takes longer waits for somebody, and may do so for seconds. */
const MAX_BATCH_DELAY_MS = 20;

/**
 * Does what comes while others are being done in batches, those with the same key one after the other. A second batch
 * begins when as many wait as the first one has, or after some milliseconds: two small ones cost more than one.
 */
export function createBatchWriter<I, O>({ together, alone }: BatchOptions<I, O>) {
  const queue = new Set<BatchJob<I, O>>();
  const busy = new Set<string>();
  let batches = 0;
  const underWay = countUnderWay(() => begin());
  const mayBegin = () => queue.size > 0 && queue.size >= underWay.count();
  const begin = () => {
    if (batches < MAX_BATCHES && mayBegin()) void work();
  };

  async function work(): Promise<void> {
    batches++;
    do {
      await waitForBatch(
        () => queue.size,
        () => queue.size >= MAX_BATCH_JOBS,
      );
      const jobs = takeBatch(queue, busy);
      if (jobs.length === 0) break;
      await underWay.during(jobs.length, runBatch(jobs));
    } while (mayBegin());
    batches--;
  }

  async function runBatch(jobs: readonly BatchJob<I, O>[]): Promise<void> {
    try {
      const answers = await together(jobs.map(({ item }) => item));
      for (const [place, job] of jobs.entries()) settle(job, answers[place]);
    } catch (error) {
      for (const job of jobs) settle(job, { status: 'rejected', reason: error });
    }
  }

  function settle(job: BatchJob<I, O>, response: PromiseSettledResult<O> | undefined): void {
    // It may have to wait for somebody; other batches do not.
    if (!response) return void runAlone(job);
    if (response.status === 'fulfilled') job.resolve(response.value);
    else job.reject(response.reason);
    busy.delete(job.key);
  }

  async function runAlone(job: BatchJob<I, O>): Promise<void> {
    await alone(job.item).then(job.resolve, job.reject);
    busy.delete(job.key);
    begin();
  }

  return (item: I, key: string, bytes: number): Promise<O> =>
    new Promise((resolve, reject) => {
      queue.add({ item, key, bytes, resolve, reject });
      begin();
    });
}

/** How many jobs are being done in batches; those of one that takes long count no more, and then `onLong` is told. */
function countUnderWay(onLong: () => void) {
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
        onLong();
      });
      await batch.finally(cancelTimer);
      forget();
    },
  };
}

/** Moves what is done next out of the queue, one job a key. */
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
