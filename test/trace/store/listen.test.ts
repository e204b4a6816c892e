import { EventEmitter, getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { listenForChanges } from '../../../src/trace/store/sql/postgres/change-notifications.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A client of a database that cannot be reached. */
const unreachable = () =>
  Object.assign(new EventEmitter(), {
    connect: () => Promise.reject(new Error('ECONNREFUSED')),
    query: jest.fn(),
    end: async () => {},
  });

test('keeps no listeners of attempts to connect', async () => {
  const signals = new Set<AbortSignal>();
  const add = AbortSignal.prototype.addEventListener;
  jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (this: AbortSignal, ...args) {
    signals.add(this);
    return add.apply(this, args as Parameters<typeof add>);
  });
  const createClient = jest.fn(unreachable);

  const stop = listenForChanges(createClient as never, () => {});
  await jest.advanceTimersByTimeAsync(20_500);

  expect(createClient.mock.calls.length).toBeGreaterThan(15);
  const counts = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(1);
  stop();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(jest.getTimerCount()).toBe(0);
});
