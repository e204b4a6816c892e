import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { TraceApiRequester } from 'ors-kit/trace';
import { withRetries } from '../../../src/cli/traces/open-traces.ts';
import { TraceError } from '../../../src/trace/client/index.ts';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A store that is always busy. */
const busyApi = (retryAfterMs: number) => ({
  json: jest.fn<TraceApiRequester['json']>(async () => {
    throw new TraceError('OVERLOADED', 'busy', { status: 503, retryAfterMs });
  }),
  bytes: jest.fn<TraceApiRequester['bytes']>(),
});

test.each([
  ['0', 0, 3],
  ['1.5', 1_500, 1],
])('waits at least the backoff and the Retry-After %s', async (_, retryAfterMs, attempts) => {
  const api = busyApi(retryAfterMs);
  const controller = new AbortController();
  const reason = new Error('stopped');
  const asking = withRetries(api, { signal: controller.signal }).json('getTrace', {});
  asking.catch(() => {});

  await jest.advanceTimersByTimeAsync(400);
  controller.abort(reason);

  await expect(asking).rejects.toBe(reason);
  expect(api.json.mock.calls.length).toBeGreaterThanOrEqual(attempts);
  expect(api.json.mock.calls.length).toBeLessThanOrEqual(attempts + 1);
  expect(jest.getTimerCount()).toBe(0);
});

test.each([3_600_000, 9_999_999_000])('rejects at once if the server asks for %d ms', async (retryAfterMs) => {
  const api = busyApi(retryAfterMs);

  await expect(withRetries(api, {}).json('getTrace', {})).rejects.toMatchObject({ status: 503 });

  expect(api.json).toHaveBeenCalledTimes(1);
});

test('gives up after a minute', async () => {
  const api = busyApi(0);
  const asking = withRetries(api, {}).json('getTrace', {});
  asking.catch(() => {});

  await jest.advanceTimersByTimeAsync(75_000);

  await expect(asking).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(jest.getTimerCount()).toBe(0);
});
