import { Agent, get } from 'node:http';
import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { waiting } from '../support/metric.ts';
import { until, withDeadline } from '../support/until.ts';

const TASK = { task_spec: {} };

test('rejects new episodes while draining, and closes when the existing ones have ended', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  await create(server, TASK, 'a');
  await create(server, TASK, 'b');
  const running = call(server, 'a', 'wait', { gate: 'g' });
  await until(() => events.includes('start g'));

  let isOver = false;
  const drained = server.drain({ timeoutMs: 60_000 }).then(() => {
    isOver = true;
  });
  const refusals = await Promise.all([
    request(server, 'GET', '/ready'),
    request(server, 'POST', '/create', { sid: 'c', body: TASK }),
    request(server, 'POST', '/create_session'),
    request(server, 'POST', '/create_session', { headers: { Accept: 'text/event-stream' } }),
  ]);
  const alive = await request(server, 'GET', '/health');
  const counted = await call(server, 'b', 'count');
  open('g');
  const ended = await running;
  expect(isOver).toBe(false);
  for (const sid of ['a', 'b']) await request(server, 'POST', '/delete', { sid });
  await drained;

  for (const { status, body, headers } of refusals) {
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(body).toEqual({ detail: 'this server is shutting down and takes no new episodes' });
  }
  expect(alive.status).toBe(200);
  expect([counted.result.ok, ended.result.ok]).toEqual([true, true]);
  expect(events.filter((event) => event === 'teardown')).toHaveLength(2);
  await expect(request(server, 'GET', '/health')).rejects.toThrow();
});

async function issue(server: { url: string }): Promise<string> {
  const { body } = await request(server, 'POST', '/create_session');
  return body.sid;
}

test('accepts episodes with recently issued ids while draining, each once', async () => {
  await using server = await start(lab().environment, { now: () => 0 });
  const first = await issue(server);
  const second = await issue(server);

  let isOver = false;
  const drained = server.drain({ timeoutMs: 60_000 }).then(() => {
    isOver = true;
  });
  const created = await request(server, 'POST', '/create', { sid: first, body: TASK });
  const counted = await call(server, first, 'count');
  await request(server, 'POST', '/delete', { sid: first });
  const again = await request(server, 'POST', '/create', { sid: first, body: TASK });
  expect(isOver).toBe(false);
  await create(server, TASK, second);
  await request(server, 'POST', '/delete', { sid: second });
  await drained;

  expect([created.status, counted.result.ok, again.status]).toEqual([200, true, 503]);
});

test('resolves two concurrent drains', async () => {
  await using server = await start(lab().environment, { now: () => 0 });
  const sid = await issue(server);

  const drained = [server.drain({ timeoutMs: 600_000 }), server.drain({ timeoutMs: 600_000 })];
  await create(server, TASK, sid);
  await request(server, 'POST', '/delete', { sid });

  await Promise.all(drained);
});

test('waits at most five seconds for the episode of an issued id while draining', async () => {
  let now = 0;
  await using server = await start(lab().environment, { now: () => now });
  await issue(server);

  const drained = server.drain({ timeoutMs: 600_000 });
  now = 4_999;
  server.sweep();
  const alive = await request(server, 'GET', '/health');
  now = 5_000;
  server.sweep();
  await drained;

  expect(alive.status).toBe(200);
});

test('ends streams with an error and tears everything down once after the drain timeout', async () => {
  const { environment, events } = lab();
  await using server = await start(environment, { deleteGraceMs: 20 });
  await create(server, TASK, 'a');
  await create(server, TASK, 'b');
  const running = call(server, 'a', 'until_aborted');
  await until(() => events.includes('start until_aborted'));

  await server.drain({ timeoutMs: 50 });

  expect((await running).error).toBe('session deleted');
  expect(events.filter((event) => event === 'teardown')).toHaveLength(2);
});

test('rejects queued /create requests when draining starts', async () => {
  await using server = await start(lab().environment, { maxSessions: 1, capacityWaitMs: 600_000 });
  await create(server, TASK, 'a');
  const waits = request(server, 'POST', '/create', { sid: 'b', body: TASK });
  await waiting(server, 'session', 1);

  const drained = server.drain({ timeoutMs: 600_000 });
  const rejected = await waits;
  await request(server, 'POST', '/delete', { sid: 'a' });
  await drained;

  expect(rejected).toMatchObject({ status: 503, body: { detail: expect.stringContaining('shutting down') } });
});

/** Sends a request over a connection that stays open if the server allows it. */
function askOver(agent: Agent, url: string): Promise<string | undefined> {
  const header = new Promise<string | undefined>((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once('end', () => resolve(response.headers.connection))).on(
      'error',
      reject,
    );
  });
  return withDeadline(header, `the answer of ${url}`);
}

test('closes each connection after its response while draining', async () => {
  await using server = await start(lab().environment);
  await create(server, TASK, 'a');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const before = await askOver(agent, `${server.url}/health`);
  const drained = server.drain({ timeoutMs: 600_000 });
  const meanwhile = await askOver(agent, `${server.url}/health`);
  await request(server, 'POST', '/delete', { sid: 'a' });
  await drained;
  agent.destroy();

  expect([before, meanwhile]).toEqual(['keep-alive', 'close']);
});

test('drains at once without sessions, even if a client keeps an incomplete request open', async () => {
  await using server = await start(lab().environment);
  const half = fetch(`${server.url}/create`, {
    method: 'POST',
    headers: { 'X-Session-ID': 'a', 'Content-Type': 'application/json' },
    body: new ReadableStream({ pull: () => new Promise(() => undefined) }),
    duplex: 'half',
  } as RequestInit).catch(() => 'cut');

  await server.drain({ timeoutMs: 600_000 });

  expect(await half).toBe('cut');
});
