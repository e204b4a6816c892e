import { getEventListeners } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  abortable,
  aborted,
  backoffMs,
  deadlineSignal,
  delayedSignal,
  joinSignals,
  MAX_TIMER_MS,
  onAbort,
  parseRetryAfter,
  poll,
  retryDelayMs,
  settlesWithin,
  silenceSignal,
  sleep,
  startTimer,
  startWatchdog,
  withTimeout,
} from '../../src/core/index.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Reads how a promise has settled so far. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const result = await Promise.race([
    promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
    jest.advanceTimersByTimeAsync(0).then(() => 'pending'),
  ]);
  return result;
}

const never = new Promise<never>(() => {});
const REASON = new Error('stopped');
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('startTimer', () => {
  test.each([MAX_TIMER_MS + 1, 1e12, Infinity])('never fires for %d ms', async (ms) => {
    const callback = jest.fn();

    startTimer(ms, callback);
    await jest.advanceTimersByTimeAsync(10_000);

    expect(callback).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([{}, { afterIo: true }, { unref: true }])(
    'fires once after its delay with %o, and not once cancelled',
    async (options) => {
      const kept = jest.fn();
      const cancelled = jest.fn();

      startTimer(100, kept, options);
      const cancel = startTimer(100, cancelled, options);
      await jest.advanceTimersByTimeAsync(99);
      expect(kept).not.toHaveBeenCalled();
      cancel();
      cancel();
      await jest.advanceTimersByTimeAsync(50);

      expect(kept).toHaveBeenCalledTimes(1);
      expect(cancelled).not.toHaveBeenCalled();
    },
  );
});

describe('startTimer after the process was blocked', () => {
  test.each([
    ['calls back before pending data is read', {}, ['timer', 'timer', 'data']],
    ['calls back after pending data is read with afterIo', { afterIo: true }, ['data', 'timer', 'timer']],
  ])('%s', async (_, options, expected) => {
    jest.useRealTimers();
    const { port1, port2 } = new MessageChannel();
    const log: string[] = [];
    port2.once('message', () => log.push('data'));
    await new Promise(setImmediate);

    startTimer(1, () => log.push('timer'), options);
    startTimer(20, () => log.push('timer'), options);
    port1.postMessage('');
    block(40);
    while (log.length < 3) await new Promise(setImmediate);
    port1.close();

    expect(log).toEqual(expected);
  });
});

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('sleep', () => {
  test('resolves after its delay and leaves no listener', async () => {
    const { signal } = new AbortController();
    const sleeping = sleep(100, signal);

    expect(await stateOf(sleeping)).toBe('pending');
    await jest.advanceTimersByTimeAsync(100);

    expect(await stateOf(sleeping)).toEqual({ value: undefined });
    expect(listenersOf(signal)).toBe(0);
  });

  test('rejects with the reason of an abort and leaves no timer', async () => {
    const controller = new AbortController();
    const sleeping = sleep(Infinity, controller.signal);

    controller.abort(REASON);

    expect(await stateOf(sleeping)).toEqual({ error: REASON });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('rejects at once if the signal has aborted', async () => {
    expect(await stateOf(sleep(100, AbortSignal.abort(REASON)))).toEqual({ error: REASON });
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('abortable', () => {
  test.each<[string, () => unknown, unknown]>([
    ['returns what work returns', () => 1, { value: 1 }],
    ['returns what work resolves to', async () => 1, { value: 1 }],
    ['rejects with what work rejects with', () => Promise.reject(REASON), { error: REASON }],
    [
      'rejects with what work throws',
      () => {
        throw REASON;
      },
      { error: REASON },
    ],
  ])('%s, and leaves no listener', async (_, work, expected) => {
    const { signal } = new AbortController();

    expect(await stateOf(abortable(signal, work))).toEqual(expected);
    expect(await stateOf(abortable(undefined, work))).toEqual(expected);
    expect(listenersOf(signal)).toBe(0);
  });

  test('rejects with the reason when the signal aborts, and ignores what comes later', async () => {
    const controller = new AbortController();
    let fail: (error: unknown) => void = () => {};
    const waiting = abortable(
      controller.signal,
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );

    controller.abort(REASON);
    const state = await stateOf(waiting);
    fail(new Error('too late'));

    expect(state).toEqual({ error: REASON });
  });

  test('does not start work if the signal has aborted', async () => {
    const work = jest.fn(async () => 1);

    expect(await stateOf(abortable(AbortSignal.abort(REASON), work))).toEqual({ error: REASON });
    expect(work).not.toHaveBeenCalled();
  });
});

describe('onAbort and joinSignals', () => {
  test('adds one listener to a signal for a thousand callbacks, and removes it with the last of them', () => {
    const controller = new AbortController();
    const callback = jest.fn();

    const releases = Array.from({ length: 1_000 }, () => onAbort(controller.signal, callback));
    expect(listenersOf(controller.signal)).toBe(1);
    releases[0]?.();
    controller.abort(REASON);

    expect(callback).toHaveBeenCalledTimes(999);
    expect(callback).toHaveBeenCalledWith(REASON);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  test('calls back at once for a signal that has aborted', () => {
    const callback = jest.fn();

    onAbort(AbortSignal.abort(REASON), callback);

    expect(callback).toHaveBeenCalledWith(REASON);
  });

  test('passes on the first reason, and none once released', () => {
    const [one, other, late] = [new AbortController(), new AbortController(), new AbortController()];
    const joined = joinSignals(one.signal, undefined, other.signal);
    const released = joinSignals(late.signal);

    other.abort(REASON);
    one.abort(new Error('second'));
    released.release();
    late.abort();

    expect(joined.signal.reason).toBe(REASON);
    expect(released.signal.aborted).toBe(false);
    expect(listenersOf(late.signal)).toBe(0);
  });

  test('resolves aborted() for a signal that aborts and for one that has', async () => {
    const controller = new AbortController();
    const waiting = aborted(controller.signal);

    expect(await stateOf(waiting)).toBe('pending');
    controller.abort();

    expect(await stateOf(waiting)).toEqual({ value: undefined });
    expect(await stateOf(aborted(AbortSignal.abort()))).toEqual({ value: undefined });
  });
});

describe('deadlineSignal', () => {
  test('aborts with its own reason after the time', async () => {
    const deadline = deadlineSignal(100, () => REASON);

    await jest.advanceTimersByTimeAsync(100);

    expect(deadline.signal.reason).toBe(REASON);
    expect(deadline.isTimedOut).toBe(true);
  });

  test('aborts with the reason of another signal, and sets no deadline then', () => {
    const deadline = deadlineSignal(100, () => new Error('late'), AbortSignal.abort(REASON));

    expect(deadline.signal.reason).toBe(REASON);
    expect(deadline.isTimedOut).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves neither timer nor listener once released', () => {
    const { signal } = new AbortController();

    deadlineSignal(100, () => REASON, signal).release();

    expect(jest.getTimerCount()).toBe(0);
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('delayedSignal', () => {
  test('aborts some time after the other signal, with its reason', async () => {
    const controller = new AbortController();
    const delayed = delayedSignal(100, controller.signal);
    const mapped = delayedSignal(100, AbortSignal.abort(), () => REASON);

    controller.abort(REASON);
    await jest.advanceTimersByTimeAsync(99);
    expect(delayed.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);

    expect(delayed.signal.reason).toBe(REASON);
    expect(mapped.signal.reason).toBe(REASON);
  });

  test('leaves neither timer nor listener once released', () => {
    const { signal } = new AbortController();

    delayedSignal(100, signal).release();
    delayedSignal(100, AbortSignal.abort()).release();

    expect(jest.getTimerCount()).toBe(0);
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('silenceSignal', () => {
  test('aborts after a time without a sign of life, or with the other signal', async () => {
    const silent = silenceSignal(100, () => REASON, new AbortController().signal);

    await jest.advanceTimersByTimeAsync(90);
    silent.heard();
    await jest.advanceTimersByTimeAsync(90);
    expect(silent.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(100);

    expect(silent.signal.reason).toBe(REASON);
    expect(silenceSignal(100, () => undefined, AbortSignal.abort(REASON)).signal.reason).toBe(REASON);
  });

  test('leaves neither timer nor listener once released', () => {
    const { signal } = new AbortController();

    silenceSignal(100, () => REASON, signal).release();

    expect(jest.getTimerCount()).toBe(0);
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('settlesWithin and withTimeout', () => {
  test('is true synchronously for a value', () => {
    expect(settlesWithin(100, 1)).toBe(true);
  });

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['is true for work that resolves', () => Promise.resolve(1), { value: true }],
    ['rejects with work that rejects', () => Promise.reject(REASON), { error: REASON }],
  ])('%s, and leaves no timer', async (_, work, expected) => {
    expect(await stateOf(settlesWithin(100, work()))).toEqual(expected);
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([{}, { afterIo: true }])('is false after the time with %o, and leaves no listener', async (options) => {
    const { signal } = new AbortController();
    const waiting = settlesWithin(100, never, { signal, ...options });

    await jest.advanceTimersByTimeAsync(110);

    expect(await stateOf(waiting)).toEqual({ value: false });
    expect(listenersOf(signal)).toBe(0);
  });

  test('is false as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = settlesWithin(100, never, { signal: controller.signal });

    controller.abort();

    expect(await stateOf(waiting)).toEqual({ value: false });
    expect(await stateOf(settlesWithin(100, never, { signal: AbortSignal.abort() }))).toEqual({ value: false });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('waits for ever for a time that no timer accepts', async () => {
    const waiting = settlesWithin(Infinity, never);

    await jest.advanceTimersByTimeAsync(10_000);

    expect(await stateOf(waiting)).toBe('pending');
  });

  test('returns the result in time, and rejects with the error otherwise', async () => {
    const late = withTimeout(100, never, () => REASON);
    late.catch(() => {});

    await jest.advanceTimersByTimeAsync(100);

    expect(await stateOf(withTimeout(100, Promise.resolve(1), () => REASON))).toEqual({ value: 1 });
    expect(await stateOf(late)).toEqual({ error: REASON });
  });
});

describe('poll', () => {
  test('checks at once, at each interval, and a last time when the time is over', async () => {
    const check = jest.fn(() => undefined);
    const polling = poll(check, { everyMs: 40, timeoutMs: 100 });

    await jest.advanceTimersByTimeAsync(200);

    expect(await stateOf(polling)).toEqual({ value: undefined });
    expect(check).toHaveBeenCalledTimes(4);
  });

  test('returns the first value that is not undefined', async () => {
    const values = [undefined, undefined, 0, 1];
    const polling = poll(() => values.shift(), { everyMs: 10, timeoutMs: 100 });

    await jest.advanceTimersByTimeAsync(20);

    expect(await stateOf(polling)).toEqual({ value: 0 });
  });

  test('rejects with the reason of an abort', async () => {
    const controller = new AbortController();
    const polling = poll(() => undefined, { everyMs: 10, timeoutMs: 100, signal: controller.signal });

    controller.abort(REASON);

    expect(await stateOf(polling)).toEqual({ error: REASON });
  });
});

describe('startWatchdog', () => {
  test('calls back after silence only, and as often as it is asked to', async () => {
    const onSilence = jest.fn<() => number | undefined>().mockReturnValueOnce(100).mockReturnValue(undefined);
    const watchdog = startWatchdog(100, onSilence);

    await jest.advanceTimersByTimeAsync(90);
    watchdog.heard();
    await jest.advanceTimersByTimeAsync(90);
    expect(onSilence).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1_000);

    expect(onSilence).toHaveBeenCalledTimes(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('counts data that is read after a suspension as heard', async () => {
    const onSilence = jest.fn(() => undefined);
    const watchdog = startWatchdog(100, onSilence);

    await jest.advanceTimersByTimeAsync(100);
    watchdog.heard();
    await jest.advanceTimersByTimeAsync(60);
    watchdog.stop();

    expect(onSilence).not.toHaveBeenCalled();
  });
});

describe('backoff', () => {
  const backoff = { firstMs: 100, longestMs: 1_000 };

  test.each([
    [0, 0, 100],
    [0, 1, 50],
    [3, 0, 800],
    [4, 0, 1_000],
    [2_000, 0, 1_000],
  ])('after %d failures and with %d at random waits %d ms', (failures, random, expected) => {
    expect(backoffMs(failures, backoff, () => random)).toBe(expected);
  });

  test.each([
    ['no Retry-After', undefined, 100],
    ['a Retry-After of 0', 0, 100],
    ['a shorter Retry-After', 50, 100],
    ['a longer Retry-After', 5_000, 5_000],
  ])('waits the longer of the two with %s', (_, asked, expected) => {
    expect(retryDelayMs(0, backoff, asked, () => 0)).toBe(expected);
  });

  test.each<[string | null | undefined, number | undefined]>([
    ['2', 2_000],
    [' 2 ', 2_000],
    ['1.5', 1_500],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 8_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-1', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads a Retry-After of %j as %p ms', (value, expected) => {
    expect(parseRetryAfter(value, 1_000)).toBe(expected);
  });
});
