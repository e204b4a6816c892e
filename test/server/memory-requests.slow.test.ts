import { beforeAll, expect, test } from '@jest/globals';
import { GROWTH_BOUND, measurementsOf } from '../support/heap.ts';

// test/soak does the same with many more requests.

let measured: Awaited<ReturnType<typeof measurementsOf>>;
beforeAll(async () => {
  measured = await measurementsOf(new URL('./memory-of-requests.ts', import.meta.url));
});

test.each([
  ['Content-Types', GROWTH_BOUND],
  ['Content-Types of the wrong kind', GROWTH_BOUND],
  // An id takes 170 bytes, and 2,700 are sent.
  ['ids of no session', 300_000],
  ['paths that mean nothing', GROWTH_BOUND],
  ['environments that are not there', GROWTH_BOUND],
  ['names of refused secrets', GROWTH_BOUND],
])('frees the memory of %s', (name, bound) => {
  expect(measured[name].sessions).toBe(0);
  expect(measured[name].bytes).toBeLessThan(bound);
});
