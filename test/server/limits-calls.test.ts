import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { waiting } from '../support/metric.ts';
import { until } from '../support/until.ts';

/** Opens three sessions: a call of the first one runs, and a call of the second one is queued. */
async function startOneAndQueueOne(server: { url: string }, events: readonly string[]) {
  const [a, b, c] = await Promise.all([create(server), create(server), create(server)]);
  const first = call(server, a, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const second = call(server, b, 'wait', { gate: 'b' });
  await waiting(server, 'call', 1);
  return { b, c, first, second };
}

test('queues calls over the limit, and runs them in order of arrival', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { maxCalls: 1 });
  const { c, first, second } = await startOneAndQueueOne(server, events);
  const third = call(server, c, 'wait', { gate: 'c' });
  await waiting(server, 'call', 2);

  for (const gate of ['c', 'b', 'a']) open(gate);
  const responses = await Promise.all([first, second, third]);

  expect(responses.map(({ result }) => result.ok)).toEqual([true, true, true]);
  expect(events.filter((event) => /^(start|end)/.test(event))).toEqual(
    ['a', 'b', 'c'].flatMap((gate) => [`start ${gate}`, `end ${gate}`]),
  );
});

test('sends heartbeats in the stream of a queued call', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { maxCalls: 1, heartbeatMs: 10 });
  const [a, b] = await Promise.all([create(server), create(server)]);
  const first = call(server, a, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const response = await fetch(`${server.url}/lab/call`, {
    method: 'POST',
    headers: { 'X-Session-ID': b, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'count', input: {} }),
  });
  let stream = '';
  for await (const bytes of response.body ?? []) {
    stream += Buffer.from(bytes).toString();
    // Waits for the second comment, so that the call stays queued.
    if (stream.split(/^:/m).length > 2) open('a');
  }

  expect(stream).toMatch(/^event: task_id\r?\n.*event: end\r?\ndata: {"ok":true/s);
  expect((await first).result.ok).toBe(true);
});

test('removes the call of an ended session from the queue', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { maxCalls: 1 });
  const { b, c, first, second } = await startOneAndQueueOne(server, events);

  await request(server, 'POST', '/delete', { sid: b });
  open('a');
  const third = await call(server, c, 'count');

  expect((await second).error).toBe('session deleted');
  expect((await first).result.ok).toBe(true);
  expect(third.result.ok).toBe(true);
  expect(events).not.toContain('start b');
});

test('keeps the permit of a tool that never ends until its session is deleted', async () => {
  const { environment, events } = lab();
  await using server = await start(environment, { maxCalls: 1, deleteGraceMs: 20 });
  const [a, b] = await Promise.all([create(server), create(server)]);
  const first = call(server, a, 'wait', { gate: 'never' });
  await until(() => events.includes('start never'));
  const second = call(server, b, 'count');
  await waiting(server, 'call', 1);

  await request(server, 'POST', '/delete', { sid: a });

  expect((await first).error).toBe('session deleted');
  expect((await second).result.ok).toBe(true);
});

test('keeps the permit of a tool after its session is deleted with a deleteGraceMs of Infinity', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { maxCalls: 1, deleteGraceMs: Infinity });
  const [a, b] = await Promise.all([create(server), create(server)]);
  const first = call(server, a, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const second = call(server, b, 'count');
  await waiting(server, 'call', 1);

  const deleted = request(server, 'POST', '/delete', { sid: a });
  await first;
  await delay(50);
  await waiting(server, 'call', 1);
  open('a');

  expect((await second).result.ok).toBe(true);
  expect((await deleted).status).toBe(200);
});

test('queues setups over the limit, and never runs those of deleted sessions', async () => {
  const gates = new Map<string, () => void>();
  const { environment, events } = lab({
    setup: ({ sessionId }) => new Promise<void>((resolve) => gates.set(sessionId, resolve)),
  });
  await using server = await start(environment, { maxSetups: 1, deleteGraceMs: 20 });
  const task = { task_spec: {} };
  await create(server, task, 'a');
  await until(() => gates.has('a'));
  await create(server, task, 'b');
  await create(server, task, 'c');
  await waiting(server, 'setup', 2);

  await request(server, 'POST', '/delete', { sid: 'b' });
  gates.get('a')?.();
  await until(() => gates.has('c'));
  gates.get('c')?.();
  const responses = await Promise.all([call(server, 'a', 'count'), call(server, 'c', 'count')]);

  expect(responses.map(({ result }) => result.ok)).toEqual([true, true]);
  expect([...gates.keys()]).toEqual(['a', 'c']);
  expect(events.filter((event) => event === 'setup')).toHaveLength(2);
});

test('fails a call whose result exceeds the limit, with its size, and continues the session', async () => {
  await using server = await start(lab().environment, { maxResultBytes: 2_000 });
  const sid = await create(server);

  const tooLarge = await call(server, sid, 'echo', { text: 'é', times: 1_000 });
  const fits = await call(server, sid, 'echo', { text: 'é', times: 900 });

  const bytes = Buffer.byteLength(fits.json) + 200;
  expect(tooLarge.result).toEqual({
    ok: false,
    error: `Tool 'echo' failed: its result has ${bytes} bytes, more than the limit of 2000, and is not sent`,
  });
  expect(fits.result.output.blocks[0].text).toBe('é'.repeat(900));
});

test('limits the number of kept results, removing the oldest first', async () => {
  await using server = await start(lab().environment, { lingerCount: 2 });
  const sid = await create(server);
  const first = await call(server, sid, 'count');
  const second = await call(server, sid, 'count');
  const third = await call(server, sid, 'count');

  const again = await Promise.all(
    [first, second, third].map(({ taskId }) => call(server, sid, 'count', {}, { taskId })),
  );

  expect(again.map(({ error, result }) => error ?? result.output.blocks[0].text)).toEqual([
    'unknown task_id',
    '2',
    '3',
  ]);
});

test('lets a tool stop at any time with a deleteGraceMs of Infinity', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { callTimeoutMs: 500, deleteGraceMs: Infinity });
  const sid = await create(server);

  const stopped = await call(server, sid, 'wait', { gate: 'a' });
  await delay(50);
  open('a');
  await until(() => events.includes('end a'));

  expect(stopped.error).toContain('ran longer than 500 ms');
  expect((await call(server, sid, 'count')).result.ok).toBe(true);
});

test('keeps the session of a tool that stops at its time limit', async () => {
  await using server = await start(lab().environment, { callTimeoutMs: 500, deleteGraceMs: 20 });
  const sid = await create(server);

  const stopped = await call(server, sid, 'until_aborted');
  await delay(100);

  expect(stopped.error).toContain('ran longer than 500 ms');
  expect((await call(server, sid, 'count')).result.ok).toBe(true);
});
