import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { loadOn, taskIdOf, textOf } from './load.ts';
import { startMeasured } from './measured-server.ts';
import { note } from './note.ts';

const LINGER_MS = 60_000;
const EARLY_MS = 55_000;
const STEP_MS = 250;

test('keeps a result for 55 s of real time, drops it after 60 s, and never runs the call again', async () => {
  await using server = await startMeasured({ isolation: 'inline' });
  await using load = await loadOn(server.url);
  const sid = await load.open(0);
  const askedAt = performance.now();
  const issued = await load.call(sid, 'count');
  const answeredAt = performance.now();
  const taskId = taskIdOf(issued);
  const again = () => load.call(sid, 'count', {}, taskId);

  await delay(answeredAt + EARLY_MS - performance.now());
  const early = await again();
  const earlyAt = performance.now();
  let late = await again();
  while (late.body === issued.body && performance.now() - answeredAt < 2 * LINGER_MS) {
    await delay(STEP_MS);
    late = await again();
  }
  const goneAt = performance.now();
  const next = await load.call(sid, 'count');

  note(
    `linger: found ${((earlyAt - answeredAt) / 1_000).toFixed(1)} s after the answer, ` +
      `gone when asked ${((goneAt - answeredAt) / 1_000).toFixed(1)} s after it`,
  );
  expect(textOf(issued)).toBe('1');
  expect(early.body).toBe(issued.body);
  expect(goneAt - askedAt).toBeGreaterThanOrEqual(LINGER_MS);
  expect(late.body).toBe(`event: task_id\ndata: ${taskId}\n\nevent: error\ndata: unknown task_id\n\n`);
  expect(textOf(next)).toBe('2');
});
