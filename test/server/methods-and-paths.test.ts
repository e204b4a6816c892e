import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { createServer, type RunningServer, serve } from 'ors-kit/server';
import { operations } from '../../generated/ors-operations.ts';
import { MemoryJournal } from '../../src/trial/index.ts';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { playEpisode, readResult, request, send } from '../support/http.ts';
import { OPERATION_IDS, validRequest } from '../support/operations.ts';

const options = { port: 0, validateResponses: true } as const;

const serveBoth = async () => {
  const { math, other } = fixture();
  return serve(await hosted([math, other]), options);
};

/** Shared by read-only requests. */
let shared: RunningServer;
beforeAll(async () => {
  shared = await serveBoth();
});
afterAll(() => shared.close());

const serveMath = async () => serve(await hosted([fixture().math]), options);

const GETS = OPERATION_IDS.filter((id) => operations[id].method === 'get');
const POSTS = OPERATION_IDS.filter((id) => operations[id].method === 'post');

test.each(GETS)('answers HEAD as GET without a body: %s', async (id) => {
  await using server = await serveBoth();
  await request(server.url, validRequest('createEpisode', 'live'));

  const head = await request(server.url, validRequest(id, 'live', { method: 'HEAD' }));
  const get = await request(server.url, validRequest(id, 'live'));

  expect(head).toMatchObject({ status: 200, body: '' });
  // Metrics change between the two requests.
  if (id === 'metrics') expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000);
  else expect(head.headers['content-length']).toBe(get.headers['content-length']);
});

test.each(OPERATION_IDS)('lists the methods of a path on OPTIONS: %s', async (id) => {
  const { target = '' } = validRequest(id, 'live');
  const response = await request(shared.url, { method: 'OPTIONS', target });

  const allowed = operations[id].method === 'get' ? ['GET', 'HEAD', 'OPTIONS'] : ['OPTIONS', 'POST'];
  expect(response).toMatchObject({ status: 204, body: '' });
  expect(response.headers.allow?.split(', ').sort()).toEqual(allowed);
});

test.each([
  ...GETS.flatMap((id) => ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'].map((method) => [method, id, 'GET'] as const)),
  ...POSTS.flatMap((id) => ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'].map((method) => [method, id, 'POST'] as const)),
])('rejects %s %s with 405 and Allow: %s', async (method, id, allowed) => {
  const response = await request(shared.url, validRequest(id, 'live', { method }));

  expect(response.status).toBe(405);
  expect(response.headers.allow?.split(', ')).toContain(allowed);
  if (method !== 'HEAD') expect(JSON.parse(response.body)).toEqual({ detail: expect.stringContaining(method) });
});

test.each(OPERATION_IDS)('ignores a slash at the end of the path: %s', async (id) => {
  // Without a journal, the server refuses forks.
  const durable = await hosted([{ ...fixture().math, durability: 'replay' }]);
  await using server = await serve(durable, { ...options, journal: new MemoryJournal() });
  for (const sid of ['live', 'slash']) await request(server.url, validRequest('createEpisode', sid));
  const sid = id === 'createEpisode' ? 'fresh' : 'slash';
  const { target } = validRequest(id, sid);

  const response = await request(server.url, validRequest(id, sid, { target: `${target}/` }));

  expect(response.status).toBe(200);
});

test.each([
  ['/nowhere', '/math/nowhere'],
  ['/nowhere?a=1&b=%20', '/math/nowhere?a=1&b=%20'],
  ['/a/b/c', '/math/a/b/c'],
  ['/with%20space', '/math/with%20space'],
])('redirects %s to the only environment', async (target, location) => {
  await using server = await serveMath();

  for (const method of ['GET', 'POST']) {
    const response = await request(server.url, { method, target });

    expect(response).toMatchObject({ status: 308, headers: { location } });
  }
});

test.each(['/nowhere', '/math/nowhere', '/MATH/nowhere', '/math', '/math/tools/more', '/math//tools'])(
  'answers 404 to a path that no redirect can fix: %s',
  async (target) => {
    const response = await request(shared.url, { target });

    expect(response.status).toBe(404);
    expect(JSON.parse(response.body)).toEqual({ detail: expect.stringContaining(target) });
  },
);

test.each(['/math/nowhere', '/math', '/math/tools/more'])('does not redirect %s again', async (target) => {
  await using server = await serveMath();

  expect(await request(server.url, { target })).toMatchObject({ status: 404 });
});

test.each(['/mathe/tools', '/__proto__/tools', '/constructor/splits'])(
  'answers 404 to a known action of an unknown environment: %s',
  async (target) => {
    await using server = await serveMath();

    const response = await request(server.url, { target });

    expect(response.status).toBe(404);
    expect(JSON.parse(response.body).detail).toContain('math');
  },
);

test.each(['/HEALTH', '/Create_Session', '/math/TOOLS', '/math/Tools'])(
  'respects case in paths outside of the environment name: %s',
  async (target) => {
    expect(await request(shared.url, { target })).toMatchObject({ status: 404 });
  },
);

test.each(['Math', 'MATH', 'm%61th'])('accepts the environment name written as %s', async (name) => {
  await using server = await serveBoth();

  const created = await send(server.url, {
    method: 'POST',
    target: '/create',
    headers: { 'X-Session-ID': 'case' },
    body: { env_name: decodeURIComponent(name), split: 'train', index: 0 },
  });
  const task = await send(server.url, { method: 'POST', target: `/${name}/task`, body: { split: 'train', index: 0 } });
  const call = await request(server.url, validRequest('callTool', 'case', { target: `/${name}/call` }));

  expect(created.status).toBe(200);
  expect(JSON.parse(task.body)).toMatchObject({ env_name: 'math' });
  expect(readResult(call.body)).toMatchObject({ ok: true });
});

/** Returns the environment that answered a request for splits; only `math` has a split train. */
const environmentOf = (body: string) => (body.includes('"train"') ? 'math' : 'other');

test.each([
  ['neither session nor X-Deployment', {}, 'math'],
  ['X-Deployment', { 'X-Deployment': 'other' }, 'other'],
  ['X-Deployment with an owner', { 'X-Deployment': 'someone/Other' }, 'other'],
  ['an unknown X-Deployment', { 'X-Deployment': 'someone/else' }, 'math'],
  ['an empty X-Deployment', { 'X-Deployment': '' }, 'math'],
  ['a session of other', { 'X-Session-ID': 'of-other' }, 'other'],
  ['a session of math and X-Deployment of other', { 'X-Session-ID': 'of-math', 'X-Deployment': 'other' }, 'math'],
  ['an unknown session', { 'X-Session-ID': 'unknown' }, 'math'],
] as [string, Record<string, string>, string][])(
  'selects the environment of a path without one, with %s',
  async (_name, headers, expected) => {
    await using server = await serveBoth();
    for (const [env_name, split] of [
      ['math', 'train'],
      ['other', 'validation'],
    ]) {
      const body = { env_name, split, index: 0 };
      await send(server.url, {
        method: 'POST',
        target: '/create',
        headers: { 'X-Session-ID': `of-${env_name}` },
        body,
      });
    }

    const response = await send(server.url, { method: 'GET', target: '/splits', headers });

    expect(response.status).toBe(200);
    expect(environmentOf(response.body)).toBe(expected);
  },
);

test.each(OPERATION_IDS.filter((id) => operations[id].path.startsWith('/{')))(
  'routes %s without an environment',
  async (id) => {
    await using server = await serveBoth();
    await request(server.url, validRequest('createEpisode', 'live'));
    const { target = '' } = validRequest(id, 'live');

    const bare = await request(server.url, validRequest(id, 'live', { target: target.replace('/math', '') }));

    expect(bare.status).toBe(200);
  },
);

test('sends no CORS headers without corsOrigins', async () => {
  await using server = await serveBoth();

  const headers = { Origin: 'http://page.example', 'Access-Control-Request-Method': 'POST' };
  const responses = await Promise.all(
    ['GET', 'OPTIONS'].map((method) => send(server.url, { method, target: '/health', headers })),
  );

  for (const response of responses)
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each([
  [['http://page.example'], 'http://page.example', true],
  [['http://page.example'], 'http://evil.example', false],
  [['http://page.example'], 'http://page.example.evil', false],
  [['*'], 'http://any.example', true],
])('decides with corsOrigins %j about a page of %s: %s', async (corsOrigins, origin, isAllowed) => {
  const { math } = fixture();
  await using server = await serve(await hosted([math]), { ...options, corsOrigins });

  const preflight = await send(server.url, {
    method: 'OPTIONS',
    target: '/create',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-session-id, content-type',
    },
  });
  const response = await send(server.url, { method: 'POST', target: '/create_session', headers: { Origin: origin } });
  const rejection = await send(server.url, { method: 'POST', target: '/ping', headers: { Origin: origin } });

  const allowed = isAllowed ? origin : undefined;
  expect(preflight.headers['access-control-allow-origin']).toBe(allowed);
  expect(preflight.headers['access-control-allow-headers']).toBe(isAllowed ? 'x-session-id, content-type' : undefined);
  expect(response.headers['access-control-allow-origin']).toBe(allowed);
  expect(response.headers.vary).toContain('Origin');
  expect(rejection).toMatchObject({ status: isAllowed ? 400 : 403 });
  expect(rejection.headers['access-control-allow-origin']).toBe(allowed);
});

/** Listens with a handler until the end of the block. */
async function listen(handler: RequestListener) {
  const http = createHttpServer(handler);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

test('handles requests of a plain node:http server', async () => {
  const ors = createServer([fixture().math], { validateResponses: true });
  await using host = await listen(ors.handler);

  await playEpisode(host.url, 'bare');

  await ors.close();
});

test.each(['under a prefix', 'under a prefix, behind express.json()', 'in a router of a router'])(
  'handles requests %s',
  async (how) => {
    const ors = createServer([fixture().math], { validateResponses: true });
    const app = express();
    if (how.includes('json')) app.use(express.json());
    app.get('/health', (_request, response) => {
      response.json({ host: true });
    });
    if (how.includes('router')) app.use('/ors', express.Router().use('/inner', ors.handler));
    else app.use('/ors', ors.handler);
    await using host = await listen(app);
    const url = `${host.url}/ors${how.includes('router') ? '/inner' : ''}`;

    await playEpisode(url, 'mounted');
    const own = await send(host.url, { method: 'GET', target: '/health' });
    const redirect = await send(url, { method: 'GET', target: '/nowhere' });
    const rejection = await send(url, { method: 'POST', target: '/math/task', body: { split: 'train', index: 99 } });

    expect(JSON.parse(own.body)).toEqual({ host: true });
    expect(redirect).toMatchObject({ status: 308, headers: { location: `${new URL(url).pathname}/math/nowhere` } });
    expect(rejection.status).toBe(400);
    await ors.close();
  },
);

test('validates a body that the host application has parsed', async () => {
  const ors = createServer([fixture().math], { validateResponses: true });
  await using host = await listen(express().use(express.json()).use('/ors', ors.handler));

  const wrong = await send(host.url, { method: 'POST', target: '/ors/math/tasks', body: { split: 1 } });
  const strange = await send(host.url, {
    method: 'POST',
    target: '/ors/create',
    headers: { 'X-Session-ID': 'a' },
    body: '{"split":"train","index":0,"\\ud800":1}',
  });

  expect(wrong.status).toBe(400);
  expect(strange.status).toBeLessThan(500);
  await ors.close();
});

test.each(['/ors', '/ors/'])('links from the landing page at %s into the server', async (path) => {
  const ors = createServer([fixture().math]);
  await using host = await listen(express().use('/ors', ors.handler));

  const page = await fetch(host.url + path, { headers: { accept: 'text/html' } });
  const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, link = '']) => new URL(link, page.url));
  const targets = await Promise.all(links.map((link) => fetch(link)));

  expect(page.status).toBe(200);
  expect(links.map(({ pathname }) => pathname)).toContain('/ors/docs/');
  expect(targets.map(({ status, url }) => `${status} ${url}`)).toEqual(links.map((link) => `200 ${link}`));
  await ors.close();
});

test('returns a page at / to browsers only', async () => {
  await using server = await serveBoth();

  const page = await send(server.url, {
    method: 'GET',
    target: '/',
    headers: { accept: 'text/html,application/xhtml+xml' },
  });
  const json = await send(server.url, { method: 'GET', target: '/', headers: { accept: 'application/json' } });

  expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/^text\/html/) } });
  expect(page.body).toContain('math');
  expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  expect(json.status).toBe(404);
  expect(json.body).toContain('browsers get a page here (Accept: text/html)');
});

test('loads nothing from other origins in the reference at /docs/', async () => {
  await using server = await serveBoth();

  const page = await send(server.url, { method: 'GET', target: '/docs/', headers: { accept: 'text/html' } });
  const references = [...page.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, reference = '']) => reference);
  const parts = await Promise.all(
    references.map((reference) => send(server.url, { method: 'GET', target: `/docs/${reference}` })),
  );

  expect(page.status).toBe(200);
  expect(references.length).toBeGreaterThan(2);
  expect(references.filter((reference) => /^([a-z]+:|\/)/.test(reference))).toEqual([]);
  expect(parts.map(({ status }) => status)).toEqual(references.map(() => 200));
  expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  expect(page.body).not.toMatch(/<script>|<style|\son\w+=/);
});

test.each(['/docs/nothing', '/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/%2e%2e/package.json'])(
  'answers 404 to %s',
  async (target) => {
    await using server = await serveMath();

    expect(await request(server.url, { target })).toMatchObject({ status: 404 });
  },
);
