import { describe, expect, jest, test } from '@jest/globals';
import { Condition, deferred, Mutex, mapConcurrent, PendingPromises, Semaphore } from '../../src/core/index.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Semaphore', () => {
  test('admits in order of arrival, and skips owners who have used up their share', async () => {
    const semaphore = new Semaphore(2, { perOwner: 1 });
    const admitted: string[] = [];
    const enter = async (owner: string) => {
      if (await semaphore.acquire({ owner })) admitted.push(owner);
    };

    await Promise.all([enter('a'), enter('b')]);
    const waiting = [enter('a'), enter('c'), enter('b')];
    semaphore.release('b');
    await turn();
    expect(admitted).toEqual(['a', 'b', 'c']);
    semaphore.release('c');
    await turn();
    expect(admitted).toEqual(['a', 'b', 'c', 'b']);
    semaphore.release('a');
    await Promise.all(waiting);

    expect(admitted).toEqual(['a', 'b', 'c', 'b', 'a']);
    expect(semaphore.inUse).toBe(2);
  });

  test('does not admit after an abort, during the wait or before it', async () => {
    const semaphore = new Semaphore(1);
    semaphore.tryAcquire();
    const controller = new AbortController();
    const waiting = semaphore.acquire({ signal: controller.signal });

    controller.abort();
    semaphore.release();

    expect(await waiting).toBe(false);
    expect(await semaphore.acquire({ signal: controller.signal })).toBe(false);
    expect(semaphore.inUse).toBe(0);
  });

  test('frees the permit of a task that fails', async () => {
    const semaphore = new Semaphore(1);

    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await semaphore.run(() => 1)).toBe(1);
  });

  test('rejects a run with the reason of the abort', async () => {
    const reason = new Error('stopped');

    await expect(new Semaphore(1).run(() => 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('mapConcurrent', () => {
  test('keeps the order of the items and the bound', async () => {
    let running = 0;
    let most = 0;

    const results = await mapConcurrent([30, 1, 20, 2, 10], 2, async (ms) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running--;
      return ms;
    });

    expect(results).toEqual([30, 1, 20, 2, 10]);
    expect(most).toBe(2);
  });

  test('starts nothing after an error, aborts running tasks, waits for them and closes the iterator', async () => {
    const log: string[] = [];
    async function* items() {
      try {
        for (let item = 0; ; item++) yield item;
      } finally {
        log.push('closed');
      }
    }

    const mapping = mapConcurrent(items(), 2, async (item, signal) => {
      log.push(`begin ${item}`);
      if (item === 1) throw new Error('no');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      log.push(`end ${item}`);
    });

    await expect(mapping).rejects.toThrow('no');
    expect(log).toEqual(['begin 0', 'begin 1', 'end 0', 'closed']);
  });

  test('begins nothing once the signal has aborted, and returns results that were complete before', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');

    const complete = await mapConcurrent([1], 1, () => controller.abort(reason), controller.signal);

    expect(complete).toEqual([undefined]);
    const next = jest.fn(() => ({ done: true as const, value: undefined }));
    const items = { [Symbol.iterator]: () => ({ next }) };
    await expect(mapConcurrent(items, 1, () => 1, controller.signal)).rejects.toBe(reason);
    expect(next).not.toHaveBeenCalled();
  });
});

describe('Mutex', () => {
  test('runs one task at a time in order, even after a failure, and becomes idle after the last one', async () => {
    const mutex = new Mutex();
    const log: number[] = [];
    const add = (value: number) =>
      mutex.run(async () => {
        await turn();
        log.push(value);
        if (value === 1) throw new Error('no');
        if (value === 2) void add(3);
      });

    const [first] = await Promise.allSettled([add(1), add(2)]);
    await mutex.idle();

    expect(first.status).toBe('rejected');
    expect(log).toEqual([1, 2, 3]);
    expect(mutex.isIdle).toBe(true);
  });
});

describe('Condition', () => {
  test('resolves when notified and true, after the time, and on abort', async () => {
    const condition = new Condition();
    let isReady = false;
    const controller = new AbortController();

    const waiting = condition.until(() => isReady);
    const timedOut = condition.until(() => isReady, { ms: 1 });
    const stopped = condition.until(() => isReady, { signal: controller.signal });
    controller.abort();
    condition.notify();
    expect(await timedOut).toBe(false);
    expect(await stopped).toBe(false);
    isReady = true;
    condition.notify();

    expect(await waiting).toBe(true);
    expect(await condition.until(() => true)).toBe(true);
  });
});

describe('PendingPromises', () => {
  test('waits for promises that are added while it waits, and never rejects', async () => {
    const pending = new PendingPromises();
    const first = deferred();
    const second = deferred();
    let isSettled = false;

    pending.add(first.promise).catch(() => pending.add(second.promise));
    const settled = pending.settled().then(() => {
      isSettled = true;
    });
    first.reject(new Error('no'));
    await turn();
    expect(isSettled).toBe(false);
    expect(pending.size).toBe(1);
    second.resolve();
    await settled;

    expect(pending.size).toBe(0);
  });
});
