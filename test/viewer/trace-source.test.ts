import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** Document of a visible page. */
const page = Object.assign(new EventTarget(), { visibilityState: 'visible', baseURI: 'http://127.0.0.1/ui/' });
Object.assign(globalThis, { document: page });
// Reads the address of the document when it is loaded.
const { createFeedSource } = await import('../../src/viewer/page/trace/source.ts');

const show = (state: string) => {
  page.visibilityState = state;
  page.dispatchEvent(new Event('visibilitychange'));
};
const listeners = (signal: AbortSignal) => [
  getEventListeners(page, 'visibilitychange').length,
  getEventListeners(signal, 'abort').length,
];

beforeEach(() => {
  page.visibilityState = 'visible';
  Object.assign(globalThis, { document: page });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'document');
});

test('leaves no listeners of waits that have ended', async () => {
  const { until, sleep } = createFeedSource('default', 'tr_a');
  const { signal } = new AbortController();

  for (let round = 0; round < 20; round++) {
    await until('visible', signal);
    await sleep(0, signal);
  }
  const hidden = until('hidden', signal);
  const during = listeners(signal);
  show('hidden');
  await hidden;

  expect(during).toEqual([1, 1]);
  expect(listeners(signal)).toEqual([0, 0]);
});

test('rejects with the reason of an abort, and leaves no listeners', async () => {
  const { until } = createFeedSource('default', 'tr_a');
  const controller = new AbortController();
  const reason = new Error('left');

  const hidden = until('hidden', controller.signal);
  controller.abort(reason);

  await expect(hidden).rejects.toBe(reason);
  await expect(until('visible', controller.signal)).rejects.toBe(reason);
  expect(listeners(controller.signal)).toEqual([0, 0]);
});
