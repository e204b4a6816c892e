import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

/** Document of a visible page. */
const page = Object.assign(new EventTarget(), {
  visibilityState: 'visible',
  baseURI: 'http://127.0.0.1/ui/',
  getElementsByName: () => [],
});
Object.assign(globalThis, { document: page });
// The module reads the address of the document when it is loaded.
const { createFeedSource, createResponseTimeout } = await import('../../src/viewer/page/trace/use-feed.ts');

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

const bytes = new TextEncoder().encode(': ping\n\n');

/** Creates a response that sends `bytes` the given number of times, then nothing, and stays open. */
const answer = (times: number, everyMs: number) =>
  new Response(
    new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let said = 0; said < times; said++) {
          await new Promise((resolve) => setTimeout(resolve, everyMs));
          controller.enqueue(bytes);
        }
      },
    }),
  );

async function readAll({ body }: Response, signal: AbortSignal): Promise<number> {
  let length = 0;
  const gone = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  for (const reader = body?.getReader(); reader; ) {
    const read = await Promise.race([reader.read(), gone]);
    if (!read?.value) break;
    length += read.value.length;
  }
  return length;
}

describe('createResponseTimeout', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('aborts a connection that stays open and is silent for too long; every byte restarts the limit', async () => {
    const listening = createResponseTimeout(1_500, new AbortController().signal);

    const reading = readAll(listening.watch(answer(8, 250)), listening.signal);
    await jest.advanceTimersByTimeAsync(8 * 250 + 1_490);
    expect(listening.signal.aborted).toBe(false);
    // Data that arrived while the page was suspended has 20 ms more.
    await jest.advanceTimersByTimeAsync(30);
    const length = await reading;

    expect(length).toBe(8 * bytes.length);
    expect(listening.signal.reason).toBeInstanceOf(TypeError);
  });

  test('aborts a request that the server accepts and never answers', async () => {
    const { signal } = createResponseTimeout(20, new AbortController().signal);

    await jest.advanceTimersByTimeAsync(40);

    expect(String(signal.reason)).toContain('nothing was heard');
  });

  test('leaves neither timer nor listener after an abort', () => {
    const controller = new AbortController();
    const { signal } = createResponseTimeout(20, controller.signal);

    controller.abort();

    expect(signal.reason).toBe(controller.signal.reason);
    expect(jest.getTimerCount()).toBe(0);
  });
});
