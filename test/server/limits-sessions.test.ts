import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { waiting } from '../support/metric.ts';
import { until } from '../support/until.ts';

const TASK = { task_spec: {} };

test('accepts 50 of 400 episodes with 50 slots, rejects the others, and accepts more when some end', async () => {
  await using server = await start(lab().environment, { maxSessions: 50, capacityWaitMs: 50 });
  const ask = (sid: string) => request(server, 'POST', '/create', { sid, body: TASK });

  const responses = await Promise.all(Array.from({ length: 400 }, (_, n) => ask(`s${n}`)));
  const accepted = responses.flatMap(({ status }, n) => (status === 200 ? [`s${n}`] : []));
  const rejected = responses.filter(({ status }) => status !== 200);
  const issued = await request(server, 'POST', '/create_session');
  const listed = await request(server, 'POST', '/lab/tasks', { body: { split: 'train' } });
  for (const sid of accepted.slice(0, 2)) await request(server, 'POST', '/delete', { sid });
  const later = await Promise.all(['a', 'b', 'c'].map(ask));

  expect([accepted.length, rejected.length]).toEqual([50, 350]);
  for (const { status, headers, body } of rejected) {
    expect([status, headers.get('Retry-After'), body.active, body.max]).toEqual([503, '5', 50, 50]);
    expect(body.detail).toBe('this server is full: 50 sessions are active, and 50 is the most; try again later');
  }
  expect([issued.status, listed.status]).toEqual([200, 200]);
  expect(later.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
});

test('assigns freed slots to waiting requests in order of arrival', async () => {
  await using server = await start(lab().environment, { maxSessions: 1 });
  await create(server, TASK, 'a');
  const order: string[] = [];
  const entering: Promise<unknown>[] = [];
  for (const sid of ['b', 'c', 'd']) {
    entering.push(create(server, TASK, sid).then(() => order.push(sid)));
    await waiting(server, 'session', entering.length);
  }

  for (const [index, sid] of ['a', 'b', 'c'].entries()) {
    await request(server, 'POST', '/delete', { sid });
    await until(() => order.length > index);
  }
  await Promise.all(entering);

  expect(order).toEqual(['b', 'c', 'd']);
});

test('waits for a slot without a limit with a capacityWaitMs of Infinity', async () => {
  await using server = await start(lab().environment, { maxSessions: 1, capacityWaitMs: Infinity });
  await create(server, TASK, 'a');
  const entering = request(server, 'POST', '/create', { sid: 'b', body: TASK });
  await waiting(server, 'session', 1);
  await delay(50);

  await request(server, 'POST', '/delete', { sid: 'a' });

  expect((await entering).status).toBe(200);
});

test('assigns no slot to a client that has disconnected', async () => {
  await using server = await start(lab().environment, { maxSessions: 1 });
  await create(server, TASK, 'a');
  const client = new AbortController();
  const left = fetch(`${server.url}/create`, {
    method: 'POST',
    headers: { 'X-Session-ID': 'b', 'Content-Type': 'application/json' },
    body: JSON.stringify(TASK),
    signal: client.signal,
  });
  await waiting(server, 'session', 1);
  client.abort();
  await expect(left).rejects.toThrow();
  await waiting(server, 'session', 0);

  await request(server, 'POST', '/delete', { sid: 'a' });
  await create(server, TASK, 'c');

  expect(server.sessions.map(({ sid }) => sid)).toEqual(['c']);
});

test.each([
  [{ task_spec: {}, env_name: 'nope' }, 404],
  [{ split: 'train', index: 99 }, 400],
  [{}, 400],
])('frees the slot of an episode that cannot be created: %j', async (body, status) => {
  await using server = await start(lab().environment, { maxSessions: 1, capacityWaitMs: 0 });

  const rejected = await request(server, 'POST', '/create', { sid: 'a', body });
  const taken = await request(server, 'POST', '/create', { sid: 'a', body: TASK });

  expect([rejected.status, taken.status]).toEqual([status, 200]);
});

test('frees the slot of a session after its teardown', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { maxSessions: 1, capacityWaitMs: 0, deleteGraceMs: 60_000 });
  await create(server, TASK, 'a');
  const headers = { 'X-Session-ID': 'a', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'wait', input: { gate: 'g' } });
  const called = await fetch(`${server.url}/lab/call`, { method: 'POST', headers, body });
  await until(() => events.includes('start g'));

  const deleted = request(server, 'POST', '/delete', { sid: 'a' });
  await until(() => server.sessionCount === 0);
  const early = await request(server, 'POST', '/create', { sid: 'b', body: TASK });
  open('g');
  await deleted;
  const late = await request(server, 'POST', '/create', { sid: 'b', body: TASK });

  expect(await called.text()).toContain('session deleted');
  expect([early.status, late.status]).toEqual([503, 200]);
});

test('ends an active session at its maximum lifetime', async () => {
  let time = 0;
  const { environment, events } = lab();
  await using server = await start(environment, { maxLifetimeMs: 60_000, now: () => time });
  const sid = await create(server);

  for (let second = 0; second < 60; second += 10) {
    time = second * 1_000;
    server.sweep();
    expect((await request(server, 'POST', '/ping', { sid })).status).toBe(200);
  }
  time = 60_000;
  server.sweep();
  await until(() => events.includes('teardown'));

  expect(await request(server, 'POST', '/ping', { sid })).toMatchObject({
    status: 410,
    body: { detail: 'Session expired: it lasted longer than a session may' },
  });
});

test.each([
  [{ maxSessions: 0 }, 'invalid maxSessions: expected a number of at least 1, got 0'],
  [{ capacityWaitMs: -1 }, 'invalid capacityWaitMs: expected a number of at least 0, got -1'],
  [{ maxResultBytes: Number.NaN }, 'invalid maxResultBytes: expected a number of at least 0, got NaN'],
])('rejects an invalid setting: %j', async (settings, message) => {
  await expect(start(lab().environment, settings)).rejects.toThrow(new TypeError(message));
});
