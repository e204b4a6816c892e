import { expect, test } from '@jest/globals';
import { apiKeys, type ServerOptions } from 'ors-kit/server';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

const TASK = { task_spec: {} };
const ALICE = { 'X-API-Key': 'alice-key' };
const BOB = { 'X-API-Key': 'bob-key' };
const authenticate = apiKeys([
  '# people',
  'alice:alice-key',
  'alice:alice-new-key',
  '',
  '  bob:bob-key  ',
  'plain-key',
]);
const withKeys = (options: ServerOptions = {}) => start(lab().environment, { authenticate, ...options });

const HANDLERS: readonly [string, ServerOptions][] = [
  ['fast path', { validateResponses: false }],
  ['Express', { fastPath: false, validateResponses: false }],
];

test.each(HANDLERS)('accepts keys in either header (%s)', async (_, options) => {
  await using server = await withKeys(options);
  const ask = async (headers: Record<string, string>) =>
    (await request(server, 'GET', '/list_environments', { headers })).status;

  const known = [ALICE, BOB, { 'x-api-key': 'alice-new-key' }, { 'X-API-Key': 'plain-key' }].concat([
    { Authorization: 'Bearer alice-key' } as never,
    { Authorization: 'bearer  bob-key' } as never,
    { 'X-API-Key': '', Authorization: 'Bearer bob-key' } as never,
  ]);
  const unknown: Record<string, string>[] = [
    {},
    { 'X-API-Key': '' },
    { 'X-API-Key': 'alice' },
    { 'X-API-Key': 'alice:alice-key' },
    { 'X-API-Key': 'alice-key2' },
    { 'X-API-Key': 'ALICE-KEY' },
    { 'X-API-Key': 'wrong', Authorization: 'Bearer alice-key' },
    { Authorization: 'alice-key' },
    { Authorization: 'Basic YWxpY2U6YWxpY2Uta2V5' },
  ];

  for (const headers of known) expect([headers, await ask(headers)]).toEqual([headers, 200]);
  for (const headers of unknown) expect([headers, await ask(headers)]).toEqual([headers, 401]);
});

test.each(HANDLERS)('answers 401 with the reason and the fix (%s)', async (_, options) => {
  await using server = await withKeys(options);

  const without = await request(server, 'POST', '/create', { sid: 'a', body: TASK });
  const wrong = await request(server, 'POST', '/create', { sid: 'a', body: TASK, headers: { 'X-API-Key': 'wr0ng' } });

  const how = 'send one that this server knows as X-API-Key, or as Authorization: Bearer';
  expect(without.body).toEqual({ detail: `this server needs an API key; ${how}` });
  expect(wrong.body).toEqual({ detail: `this API key is not known here; ${how}` });
  for (const { status, headers } of [without, wrong]) {
    expect([status, headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="ors"']);
  }
});

test.each([
  ['/health', 200, 200],
  ['/ready', 200, 200],
  ['/ready/', 200, 200],
  ['/readyz', 401, 404],
  ['/version', 401, 200],
  ['/metrics', 401, 200],
  ['/openapi.json', 401, 200],
  ['/docs/', 401, 200],
  ['/docs/landing.css', 401, 200],
  ['/lab/tools', 401, 200],
  ['/nope', 401, 308],
  ['/', 401, 308],
])('answers %s with %i without a key and %i with one', async (path, without, withOne) => {
  await using server = await withKeys();

  const responses = [await request(server, 'GET', path), await request(server, 'GET', path, { headers: ALICE })];

  expect(responses.map(({ status }) => status)).toEqual([without, withOne]);
});

test('opens `openPaths` and the paths below them, but no others', async () => {
  await using server = await withKeys({ openPaths: ['/metrics', 'docs/'] });
  const ask = async (path: string) => (await request(server, 'GET', path)).status;

  expect(await Promise.all(['/metrics', '/docs/', '/docs/landing.css'].map(ask))).toEqual([200, 200, 200]);
  expect(await Promise.all(['/docs2', '/metrics2', '/openapi.json', '/docs/../version'].map(ask))).not.toContain(200);
});

test.each(['/', '', '//'])('opens only the landing page with %j', async (path) => {
  await using server = await withKeys({ openPaths: [path] });
  const ask = async (path: string) => (await request(server, 'GET', path, { headers: { Accept: 'text/html' } })).status;

  expect(await ask('/')).toBe(200);
  for (const below of ['/list_environments', '/lab/tools', '/docs/', '/metrics', '//', '//lab/tools', '/nope']) {
    expect([below, await ask(below)]).toEqual([below, 401]);
  }
});

test('answers 404 to other keys than the owner of a session, before and after its end', async () => {
  const { environment, events } = lab();
  await using server = await start([environment, lab({ name: 'other' }).environment], { authenticate });
  const as = (headers: Record<string, string>, method: string, path: string, body?: object) =>
    request(server, method, path, { sid: 'a', headers, ...(body && { body }) });
  expect((await as(ALICE, 'POST', '/create', { ...TASK, env_name: 'other' })).status).toBe(200);
  const steps: [string, string, object?][] = [
    ['POST', '/ping'],
    ['GET', '/other/prompt'],
    ['GET', '/other/task_tools'],
    ['POST', '/other/call', { name: 'count', input: {} }],
    ['POST', '/delete'],
  ];

  for (const [method, path, body] of steps) {
    const { status, body: response } = await as(BOB, method, path, body);
    expect([path, status, response.detail]).toEqual([path, 404, expect.stringContaining('Session not found')]);
  }
  // Paths without an environment use the environment of the session, but only for its owner.
  expect((await as(BOB, 'POST', '/tasks', { split: 'train' })).body.env_name).toBe('lab');
  expect((await as(ALICE, 'POST', '/tasks', { split: 'train' })).body.env_name).toBe('other');
  expect((await as({ 'X-API-Key': 'alice-new-key' }, 'POST', '/ping')).status).toBe(200);
  expect((await as(ALICE, 'POST', '/delete')).status).toBe(200);
  expect((await as(ALICE, 'POST', '/ping')).status).toBe(410);
  expect((await as(BOB, 'POST', '/ping')).status).toBe(404);
  expect(events).not.toContain('setup');
});

test('isolates two keys that use the same session id', async () => {
  const { environment } = lab();
  const play = async (server: { url: string }, headers: Record<string, string>, between: () => Promise<unknown>) => {
    const responses: unknown[] = [];
    const ask = async (method: string, path: string, body?: object) => {
      const { status, body: response } = await request(server, method, path, {
        sid: 'a',
        headers,
        ...(body && { body }),
      });
      responses.push([path, status, `${JSON.stringify(response)}`.replaceAll(/[0-9a-f]{32}/g, '<task id>')]);
      await between();
    };
    await ask('POST', '/ping');
    await ask('POST', '/create', TASK);
    await ask('POST', '/create', TASK);
    await ask('GET', '/lab/prompt');
    await ask('POST', '/lab/call', { name: 'count', input: {}, task_id: 'mine' });
    await ask('POST', '/lab/call', { name: 'count', input: {}, task_id: 'mine' });
    await ask('POST', '/lab/call', { name: 'count', input: {} });
    await ask('POST', '/delete');
    await ask('POST', '/ping');
    await ask('POST', '/delete');
    return responses;
  };
  await using alone = await start(environment, { authenticate });
  await using shared = await start(environment, { authenticate });
  const steps: [string, string, object?][] = [
    ['POST', '/create', TASK],
    ['POST', '/lab/call', { name: 'count', input: {}, task_id: 'mine' }],
    ['POST', '/delete'],
  ];
  let step = 0;
  const bob = async () => {
    const [method, path, body] = steps[step++ % steps.length] ?? ['GET', '/health'];
    await request(shared, method, path, { sid: 'a', headers: BOB, ...(body && { body }) });
  };

  expect(await play(shared, ALICE, bob)).toEqual(await play(alone, ALICE, async () => {}));
});

test('passes different session ids to the environments of two keys with the same id', async () => {
  const ids: string[] = [];
  const { environment } = lab({ setup: ({ sessionId }) => ids.push(sessionId) });
  await using server = await start(environment, { authenticate });

  for (const headers of [ALICE, BOB]) {
    await request(server, 'POST', '/create', { sid: 'a', headers, body: TASK });
    await request(server, 'GET', '/lab/prompt', { sid: 'a', headers });
  }

  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^a-[0-9a-f]{16}$/);
});

test('keeps answering 410 to the first owner of an id that another key uses', async () => {
  await using server = await withKeys();
  const ask = async (path: string, headers: Record<string, string>) =>
    (await request(server, 'POST', path, { sid: 'a', headers, body: path === '/create' ? TASK : undefined })).status;

  const before = [await ask('/create', ALICE), await ask('/delete', ALICE), await ask('/create', BOB)];
  const after = [await ask('/ping', ALICE), await ask('/delete', ALICE), await ask('/ping', BOB)];

  expect([before, after]).toEqual([
    [200, 200, 200],
    [410, 200, 200],
  ]);
});

test('expires a session despite requests of other keys', async () => {
  let time = 0;
  await using server = await withKeys({ now: () => time });
  await request(server, 'POST', '/create', { sid: 'a', body: TASK, headers: ALICE });

  time = 899_000;
  await request(server, 'GET', '/lab/tools', { sid: 'a', headers: BOB });
  time = 900_000;
  server.sweep();

  expect(server.sessionCount).toBe(0);
});

test('limits the sessions of each key separately', async () => {
  await using server = await withKeys({ maxSessionsPerKey: 2, capacityWaitMs: 20 });
  const ask = (sid: string, headers: Record<string, string>) =>
    request(server, 'POST', '/create', { sid, body: TASK, headers });

  const alices = [await ask('a1', ALICE), await ask('a2', { 'X-API-Key': 'alice-new-key' }), await ask('a3', ALICE)];
  const bobs = await ask('b1', BOB);
  await request(server, 'POST', '/delete', { sid: 'a1', headers: ALICE });
  const later = await ask('a3', ALICE);

  expect(alices.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(alices[2]?.body).toEqual({
    detail: 'your API key has 2 active sessions, and 2 is the most; delete one, or try again later',
    active: 2,
    max: 2,
  });
  expect(alices[2]?.headers.get('Retry-After')).toBe('5');
  expect([bobs.status, later.status]).toEqual([200, 200]);
});

test.each(HANDLERS)('calls the authenticate hook once per request (%s)', async (_, options) => {
  const asked: unknown[] = [];
  await using server = await start(lab().environment, {
    ...options,
    authenticate: async ({ cookie }) => {
      asked.push(cookie);
      await new Promise(setImmediate);
      if (cookie === 'broken') throw new Error('the directory of users is down');
      return cookie?.startsWith('user=') ? cookie.slice(5) : undefined;
    },
  });
  const ask = (cookie: string, body: object = TASK) =>
    request(server, 'POST', '/create', { sid: cookie, body, headers: { Cookie: cookie } });

  const responses = [await ask('user=ann'), await ask('nobody'), await ask('broken'), await ask('user=', TASK)];

  expect(responses.map(({ status }) => status)).toEqual([200, 401, 500, 401]);
  expect(JSON.stringify(responses[2]?.body)).not.toContain('directory');
  expect(asked).toEqual(['user=ann', 'nobody', 'broken', 'user=']);
});

test('lets pages of allowed origins read a 401', async () => {
  await using server = await withKeys({ corsOrigins: ['http://page.example'] });
  const headers = { Origin: 'http://page.example' };

  const preflight = await request(server, 'OPTIONS', '/create', {
    headers: { ...headers, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-api-key' },
  });
  const rejected = await request(server, 'GET', '/list_environments', { headers });

  expect([preflight.status, preflight.headers.get('Access-Control-Allow-Headers')]).toEqual([204, 'x-api-key']);
  expect([rejected.status, rejected.headers.get('Access-Control-Allow-Origin')]).toEqual([401, 'http://page.example']);
});

test('rejects a large body without a key, without buffering it', async () => {
  await using server = await withKeys();

  const response = await request(server, 'POST', '/create', {
    sid: 'a',
    body: { task_spec: { text: 'x'.repeat(5e6) } },
  });

  expect(response.status).toBe(401);
});

test('accepts all requests without keys', async () => {
  await using server = await start(lab().environment);

  const sid = await create(server);

  expect((await call(server, sid, 'count')).result.ok).toBe(true);
});

test.each([
  ['', 'no API key found; write one per line, as name:key or only a key'],
  ['# nothing\n\n', 'no API key found'],
  ['good-key\na b', 'invalid API key in line 2: expected visible ASCII characters without spaces'],
  ['name:', 'invalid API key in line 1'],
  ['clé', 'invalid API key in line 1'],
  [
    'ann:one\n\nbob:two\nbob:one',
    'line 4 of the API keys has the key of line 1 under another name; use a different key',
  ],
  ['one\nann:one', 'line 2 of the API keys has the key of line 1 under another name'],
])('rejects an invalid list of keys: %j', (text, message) => {
  expect(() => apiKeys(text)).toThrow(message);
});

test('keeps a session alive on pings of its owner, not on those of another key', async () => {
  let time = 0;
  await using server = await withKeys({ now: () => time });
  for (const headers of [ALICE, BOB]) {
    await request(server, 'POST', '/create', { sid: headers['X-API-Key'], body: TASK, headers });
  }

  time += 899_000;
  for (const sid of ['alice-key', 'bob-key']) await request(server, 'POST', '/ping', { sid, headers: ALICE });
  time += 899_000;
  server.sweep();

  expect(server.sessions.map(({ sid }) => sid)).toEqual(['alice-key']);
});

test('rejects a key that is revoked while it is looked up', async () => {
  let isKnown = true;
  let lookups = 0;
  let [revoke, response] = [() => {}, () => {}];
  const answered = new Promise<void>((resolve) => {
    response = resolve;
  });
  const lookUp = async () => {
    const caller = isKnown ? 'ann' : undefined;
    lookups++;
    await answered;
    return caller;
  };
  const onChange = (listener: () => void) => {
    revoke = listener;
  };
  await using server = await start(lab().environment, { authenticate: Object.assign(lookUp, { onChange }) });
  const asked = request(server, 'GET', '/list_environments', { headers: ALICE });
  await until(() => lookups === 1);

  isKnown = false;
  revoke();
  response();

  expect((await asked).status).toBe(401);
});
