import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { limitSilence } from '../../src/viewer/page/trace/limit-silence.ts';

const bytes = new TextEncoder().encode(': ping\n\n');

/** An answer that says something so many times, and then nothing, and stays open. */
const answer = (times: number, everyMs: number) =>
  new Response(
    new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let said = 0; said < times; said++) {
          await sleep(everyMs);
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

test('a connection that stays open and says nothing is given up; whatever it says keeps it', async () => {
  const listening = limitSilence(1_500);

  const length = await readAll(listening.heard(answer(8, 250)), listening.signal);

  expect(length).toBe(8 * bytes.length);
  expect(listening.signal.reason).toBeInstanceOf(TypeError);
});

test('a server that takes the question and never answers is given up', async () => {
  const { signal } = limitSilence(20);

  await new Promise((resolve) => signal.addEventListener('abort', resolve));

  expect(String(signal.reason)).toContain('nothing was heard');
});
