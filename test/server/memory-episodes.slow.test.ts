import { beforeAll, expect, test } from '@jest/globals';
import { GROWTH_BOUND, measurementsOf } from '../support/heap.ts';

let measured: Awaited<ReturnType<typeof measurementsOf>>;
beforeAll(async () => {
  measured = await measurementsOf(new URL('./memory-of-episodes.ts', import.meta.url));
});

test('uses less than a kilobyte per idle session', () => {
  expect(measured.idle.sessions).toBe(4_000);
  expect(measured.idle.bytes).toBeLessThan(1_000);
});

test('frees the memory of deleted episodes except for their ids', () => {
  expect(measured.deleted).toMatchObject({ sessions: 0, journal: { setups: 300, teardowns: 300, counted: 0 } });
  expect(measured.deleted.bytes).toBeLessThan(GROWTH_BOUND);
});

test('frees sent events while a stream waits for its reader', () => {
  expect(measured.sentEvents.bytes).toBeLessThan(GROWTH_BOUND);
});

test('frees the request body of a running call', () => {
  expect(measured.requestBodies.calls).toBe(19);
  expect(measured.requestBodies.bytes).toBeLessThan(GROWTH_BOUND);
});
