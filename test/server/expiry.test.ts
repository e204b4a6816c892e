import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

/** Returns a clock that only the test advances. */
function clock() {
  let time = 0;
  const advance = (seconds: number) => {
    time += seconds * 1000;
  };
  return { now: () => time, advance };
}

test('expires a session after 15 minutes without requests, tears it down once, and answers 410', async () => {
  const { environment, events } = lab();
  const { now, advance } = clock();
  await using server = await start(environment, { now });
  const sid = await create(server);

  advance(899);
  server.sweep();
  expect(server.sessionCount).toBe(1);
  advance(1);
  server.sweep();
  await until(() => events.includes('teardown'));
  server.sweep();

  expect(await request(server, 'GET', '/lab/prompt', { sid })).toMatchObject({
    status: 410,
    body: { detail: 'Session expired: no request came in time' },
  });
  expect(events).toEqual(['setup', 'teardown']);
});

test.each([
  ['POST', '/ping', undefined],
  ['GET', '/lab/prompt', undefined],
  ['POST', '/lab/tasks', { split: 'train' }],
  ['GET', '/lab/tools', undefined],
  ['GET', '/lab/task_tools', undefined],
])('keeps a session alive on %s %s', async (method, path, body) => {
  const { now, advance } = clock();
  await using server = await start(lab().environment, { now });
  const sid = await create(server);

  advance(899);
  await request(server, method, path, { sid, ...(body && { body }) });
  advance(899);
  server.sweep();

  expect(server.sessionCount).toBe(1);
});

test('keeps a session alive while a call runs, even after its client disconnects', async () => {
  const { environment, events, open } = lab();
  const { now, advance } = clock();
  await using server = await start(environment, { now });
  const sid = await create(server);
  const client = new AbortController();
  const running = call(server, sid, 'wait', { gate: 'a' }, { signal: client.signal });
  await until(() => events.includes('start a'));
  client.abort();
  await expect(running).rejects.toThrow();

  advance(3600);
  server.sweep();
  expect(server.sessionCount).toBe(1);

  open('a');
  await until(() => events.includes('end a'));
  await request(server, 'POST', '/ping', { sid });
  advance(900);
  server.sweep();
  expect(server.sessionCount).toBe(0);
});

test('keeps a session alive while a request waits for setup', async () => {
  const { environment, events } = lab({ setup: () => until(() => events.includes('go')) });
  const { now, advance } = clock();
  await using server = await start(environment, { now, setupAnswerMs: 10, heartbeatMs: 10 });
  const sid = await create(server);
  const waiting = call(server, sid, 'count', {}, { onOpen: () => events.push('open') });
  await until(() => events.includes('open'));

  advance(3600);
  server.sweep();
  expect(server.sessionCount).toBe(1);
  events.push('go');

  expect((await waiting).result.ok).toBe(true);
});

test('remembers a bounded number of ended sessions, and forgets the oldest first', async () => {
  await using server = await start(lab().environment, { tombstones: 2 });
  for (const sid of ['a', 'b', 'c']) {
    await create(server, { task_spec: {} }, sid);
    await request(server, 'POST', '/delete', { sid });
  }

  const statuses = await Promise.all(
    ['a', 'b', 'c'].map(async (sid) => (await request(server, 'POST', '/ping', { sid })).status),
  );

  expect(statuses).toEqual([404, 410, 410]);
});
