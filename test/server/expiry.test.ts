import { describe, expect, test } from '@jest/globals';
import { apiKeys, type ServerOptions } from 'ors-kit/server';
import { call, create, request, start } from '../support/client.ts';
import { type RawRequest, request as rawRequest } from '../support/http.ts';
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

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

const EXISTING: RawRequest = { target: '/create', method: 'POST', headers: [JSON_TYPE], body: '{"task_spec":{}}' };
/** Requests outside of the operations of a session, and the status of their response. */
const OTHER_REQUESTS: readonly [status: number, request: RawRequest][] = [
  [200, { target: '/health' }],
  [200, { target: '/ready' }],
  [200, { target: '/version' }],
  [200, { target: '/list_environments' }],
  [200, { target: '/openapi.json' }],
  [200, { target: '/health', method: 'HEAD' }],
  [204, { target: '/health', method: 'OPTIONS' }],
  [308, { target: '/nowhere' }],
  [404, { target: '/lab/nowhere' }],
  [404, { target: '/other/tools' }],
  [405, { target: '/health', method: 'POST' }],
  [405, { target: '/lab/call', method: 'DELETE' }],
  [400, { target: '/%zz' }],
  [400, { target: '/lab/call', method: 'POST', headers: [JSON_TYPE], body: '{' }],
  [400, { target: '/lab/call', method: 'POST', headers: [JSON_TYPE], body: '[]' }],
  [400, { target: '/lab/call', method: 'POST', headers: [['Content-Type', 'text/plain']], body: 'text' }],
  [400, { target: '/lab/tasks', method: 'POST', headers: [JSON_TYPE], body: '{"split":"nope"}' }],
  [400, EXISTING],
  [404, { target: '/create', method: 'POST', headers: [JSON_TYPE], body: '{"env_name":"x","task_spec":{}}' }],
  [413, { target: '/lab/call', method: 'POST', headers: [JSON_TYPE], body: ' '.repeat(20_000) }],
  [
    413,
    {
      target: '/lab/call',
      method: 'POST',
      headers: [
        ['Content-Length', '20000'],
        ['Expect', '100-continue'],
      ],
    },
  ],
  [417, { target: '/health', headers: [['Expect', 'a miracle']] }],
];
const HANDLERS: readonly (readonly [string, ServerOptions])[] = [
  ['the fast path', {}],
  ['Express', { fastPath: false }],
];
const KEYS = apiKeys(['alice:alice-key', 'bob:bob-key']);

describe.each(HANDLERS)('with %s, a session', (_handler, options) => {
  test.each(OTHER_REQUESTS)('is kept alive by a request that gets %i: %j', async (status, parts) => {
    const { now, advance } = clock();
    await using server = await start(lab().environment, { now, bodyLimitBytes: 10_000, ...options });
    const sid = await create(server);

    advance(899);
    const headers = [...(parts.headers ?? []), ['X-Session-ID', sid] as const];
    const response = await rawRequest(server.url, { ...parts, headers });
    advance(899);
    server.sweep();

    expect(response.status).toBe(status);
    expect(server.sessionCount).toBe(1);
  });

  // With another key, the id can be used for a second session.
  const ofOneKey = OTHER_REQUESTS.filter(([, parts]) => parts !== EXISTING);
  test.each(ofOneKey)('is kept alive only by its own API key, by a request that gets %i: %j', async (_, parts) => {
    const { now, advance } = clock();
    const limits = { now, bodyLimitBytes: 10_000, authenticate: KEYS };
    await using server = await start(lab().environment, { ...limits, ...options });
    const ask = (sid: string, key: string) => {
      const headers = [...(parts.headers ?? []), ['X-Session-ID', sid] as const, ['X-API-Key', key] as const];
      return rawRequest(server.url, { ...parts, headers });
    };
    for (const sid of ['own', 'foreign', 'unknown']) {
      const headers = { 'X-API-Key': 'alice-key' };
      await request(server, 'POST', '/create', { sid, headers, body: { task_spec: {} } });
    }

    advance(899);
    await ask('own', 'alice-key');
    await ask('foreign', 'bob-key');
    await ask('unknown', 'no-key');
    advance(899);
    server.sweep();

    expect(server.sessions.map(({ sid }) => sid)).toEqual(['own']);
  });
});

test.each([
  [403, 'a foreign host', { headers: [['Host', 'rebound.example']] }],
  [403, 'a foreign origin', { headers: [['Origin', 'http://page.example']] }],
  [200, 'a path of a mount', { target: '/v1/traces' }],
] as [number, string, RawRequest][])(
  'keeps a session alive on a request that gets %i: %s',
  async (status, _, parts) => {
    const { now, advance } = clock();
    await using server = await start(lab().environment, {
      now,
      mounts: { '/v1': (_request, response) => response.end() },
    });
    const sid = await create(server);

    advance(899);
    const headers = [...(parts.headers ?? []), ['X-Session-ID', sid] as const];
    const response = await rawRequest(server.url, { target: '/lab/tools', ...parts, headers });
    advance(899);
    server.sweep();

    expect(response.status).toBe(status);
    expect(server.sessionCount).toBe(1);
  },
);

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
