import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { operations } from '../../../generated/trace-api-operations.ts';
import { hashKey, issueKey, type ServeTracesOptions, serveTraces } from '../../../src/trace/api/index.ts';
import type { ApiKeyScope } from '../../../src/trace/store/index.ts';
import { request } from '../../support/http.ts';
import { message } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { closeServers, createCaller, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

/** Starts a server that requires keys, and creates keys to call it with. */
async function startLocked(options: Partial<ServeTracesOptions> = {}) {
  const server = await startServer({ needsKeys: true, ...options });
  async function as(org: string, scopes: readonly ApiKeyScope[] = ['read', 'write']) {
    const { key, secret } = await issueKey(server.store, { org, name: `${org}'s`, scopes });
    return { key, secret, ...createCaller(server.url, { 'X-API-Key': secret }, org) };
  }
  return { ...server, as };
}

const example = (path: string, org: string) =>
  path
    .replace('{org}', org)
    .replace('{traceId}', 'tr_a')
    .replace('{blockId}', 'tb_1')
    .replace('{sha256}', '0'.repeat(64))
    .replace('{run}', 'r')
    .replace('{rolloutId}', 'r1')
    .replace('{owner}', 'acme')
    .replace('{name}', 'maze');
const OPEN = ['healthz', 'readyz', 'openapi'];

test('requires a key for every operation, except those about the server itself', async () => {
  const { send } = await startLocked();

  for (const [id, { method, path }] of Object.entries(operations)) {
    const response = await send(method.toUpperCase(), example(path, 'acme'), method === 'get' ? undefined : {});
    expect([id, errorSummary(response)]).toEqual([id, OPEN.includes(id) ? '200' : '401 UNAUTHENTICATED']);
    if (!OPEN.includes(id)) expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  }
  expect(errorSummary(await send('GET', '/nothing'))).toBe('401 UNAUTHENTICATED');
});

test.each([
  ['an unknown key', { 'X-API-Key': 'ork_unknown' }],
  ['an empty key', { 'X-API-Key': '' }],
  ['the hash of a key', 'hash'],
  ['the id of a key', 'id'],
  ['a key and more', 'longer'],
  ['another scheme', 'basic'],
  ['a Bearer without a key', { Authorization: 'Bearer ' }],
] as const)('rejects %s', async (_what, headers) => {
  const { as, send } = await startLocked();
  const { key, secret } = await as('acme');
  const made = {
    hash: { 'X-API-Key': hashKey(secret) },
    id: { 'X-API-Key': key.id },
    longer: { 'X-API-Key': `${secret}x` },
    basic: { Authorization: `Basic ${secret}` },
  };

  const given = typeof headers === 'string' ? made[headers] : headers;

  expect(errorSummary(await send('GET', '/v1/organizations/acme/traces', undefined, given))).toBe(
    '401 UNAUTHENTICATED',
  );
});

test('accepts a key as X-API-Key and as Bearer, and stores only its id on blocks', async () => {
  const { as, url, get } = await startLocked();
  const { key, secret, post } = await as('acme');
  const bearer = createCaller(url, { Authorization: `bearer  ${secret}` }, 'acme');

  await post('traces', { id: 'tr_a' });
  const { json } = await bearer.post('traces/tr_a/blocks', message({ id: 'tb_1' }));

  expect(json.metadata).toEqual({ key_id: key.id });
  expect(errorSummary(await get('/v1/organizations/acme/traces'))).toBe('401 UNAUTHENTICATED');
});

test('does not return a key in any response', async () => {
  const { as, store, url } = await startLocked();
  const { secret, post } = await as('acme');
  await post('traces', { id: 'tr_a', run: 'r' });
  await post('traces/tr_a/blocks', message({ id: 'tb_1' }));

  const reported: string[] = [JSON.stringify(await store.keys())];
  // A stream does not end, and sends only blocks.
  const requested = Object.entries(operations).filter(([id]) => id !== 'streamTrace' && id !== 'deleteTrace');
  for (const [, { method, path }] of requested) {
    for (const org of ['acme', 'other']) {
      const body = method === 'get' ? {} : { body: '{}' };
      const headers = { 'X-API-Key': secret, 'Content-Type': 'application/json' };
      const response = await fetch(url + example(path, org), { method: method.toUpperCase(), headers, ...body });
      reported.push(JSON.stringify([...response.headers]) + (await response.text()));
    }
  }

  for (const text of reported) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hashKey(secret));
  }
});

test('restricts a key to its organization, with the same response whether or not others exist', async () => {
  const { as } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  await other.post('traces', { id: 'tr_b' });

  const refusals = [];
  for (const org of ['other', 'nowhere', 'Acme', 'acme2', '%61cme2', 'acme%2f', '%zz']) {
    for (const path of ['traces', 'traces/tr_b', 'runs', 'traces/tr_b/stream']) {
      const response = await acme.get(`/v1/organizations/${org}/${path}`);
      refusals.push(`${errorSummary(response)}: ${response.json.error.message}`);
    }
  }

  expect([...new Set(refusals)]).toEqual([
    '403 FORBIDDEN: this API key belongs to another organization than the one in the path',
  ]);
  expect((await acme.get('/v1/organizations/%61cme/traces')).status).toBe(200);
});

test.each([
  '/V1/organizations/other/traces',
  '/v1/Organizations/other/traces',
  '//v1/organizations/other/traces',
  '/v1//organizations/other/traces',
  '/v1/organizations//other/traces',
  '/./v1/organizations/other/traces',
  '/v1/organizations/acme/../other/traces',
  '/v1/organizations/acme/..%2fother/traces',
  '/v1/organizations%2fother/traces',
  '/v1/organizations/other/traces/',
  '/v1/organizations/other/traces#/v1/organizations/acme/traces',
  'http://127.0.0.1/v1/organizations/other/traces',
  'HTTP://x//v1/organizations/other/traces',
  'http://x?/v1/organizations/acme/traces',
  '\\v1\\organizations\\other\\traces',
])('does not let a key reach another organization through the path %s', async (target) => {
  const { as, url } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  await other.post('traces', { id: 'tr_secret' });

  const response = await request(url, { target, headers: [['X-API-Key', acme.secret]] });

  expect([400, 403, 404]).toContain(response.status);
  expect(response.body).not.toContain('tr_secret');
});

test('returns the same response for a trace of another organization and a missing one', async () => {
  const { as } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  await other.post('traces', { id: 'tr_a', run: 'r' });
  await other.post('traces/tr_a/blocks', message({ id: 'tb_1' }));

  const { send } = acme;
  const reported = async (trace: string) => {
    const path = `traces/${trace}`;
    const responses = [
      await send('GET', path),
      await send('PATCH', path, { name: 'x' }),
      await send('DELETE', path),
      await send('GET', `${path}/blocks`),
      await send('POST', `${path}/blocks`, message()),
      await send('GET', `${path}/blocks/tb_1`),
      await send('GET', `${path}/blocks.stitched`),
      await send('GET', `${path}/stream`),
      await send('GET', `${path}/export`),
    ];
    return responses.map(({ status, json }) => [status, JSON.stringify(json).replaceAll(trace, 'tr_x')]);
  };

  expect(await reported('tr_a')).toEqual(await reported('tr_z'));
  expect((await acme.get('traces')).json.traces).toEqual([]);
  expect((await acme.get('runs')).json.runs).toEqual([]);
  expect(errorSummary(await acme.get('runs/r/stats'))).toBe('404 NOT_FOUND');
  expect((await other.get('traces/tr_a')).json.block_count).toBe(1);
});

test('accepts an id that another organization uses', async () => {
  const { as } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  for (const [{ post }, id] of [[acme, 'tr_a'] as const, [other, 'tr_b'] as const]) await post('traces', { id });
  await other.post('traces/tr_b/blocks', message({ id: 'tb_1' }));

  expect(errorSummary(await acme.get('traces/tr_b'))).toBe('404 TRACE_NOT_FOUND');
  expect(errorSummary(await acme.post('traces/tr_a/blocks', message({ id: 'tb_1' })))).toBe('201');
  await other.remove('traces/tr_b');
  expect(errorSummary(await acme.get('traces/tr_b'))).toBe('404 TRACE_NOT_FOUND');
  expect(errorSummary(await acme.post('traces', { id: 'tr_b', name: 'own' }))).toBe('201');
  expect(errorSummary(await other.get('traces/tr_b'))).toBe('410 TRACE_DELETED');
  expect((await acme.get('traces/tr_a/blocks/tb_1')).json.trace_id).toBe('tr_a');
});

test('derives different ids from the same Idempotency-Key in different organizations', async () => {
  const { as } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  const key = 'run-1-episode-0';
  const id = `tr_${createHash('sha256')
    .update(JSON.stringify(['acme', key]))
    .digest('hex')
    .slice(0, 32)}`;

  const squatted = await other.post('traces', { id });
  const own = await acme.post('traces', { run: 'x' }, { 'Idempotency-Key': key });

  expect([squatted.status, own.status, own.json.id, own.json.run]).toEqual([201, 201, id, 'x']);
});

test('accepts an Idempotency-Key that another organization uses', async () => {
  const { as } = await startLocked();
  const [acme, other] = [await as('acme'), await as('other')];
  const key = { 'Idempotency-Key': 'k' };

  const [first, second] = [await acme.post('traces', { run: 'a' }, key), await other.post('traces', { run: 'b' }, key)];

  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.json.id).not.toBe(second.json.id);
});

test.each([[['read']], [['write']], [[]]] as const)('restricts a key to its scopes %j', async (scopes) => {
  const { as, url } = await startLocked();
  const { secret } = await as('acme', [...scopes]);

  for (const [id, { method, path }] of Object.entries(operations)) {
    if (OPEN.includes(id)) continue;
    const body = method === 'get' ? {} : { body: '{}' };
    const cut = new AbortController();
    const { status } = await fetch(url + example(path, 'acme'), {
      method: method.toUpperCase(),
      headers: { 'X-API-Key': secret, 'Content-Type': 'application/json' },
      signal: cut.signal,
      ...body,
    });
    cut.abort();
    const isAllowed = scopes.some((scope: ApiKeyScope) => (scope === 'read') === (method === 'get'));
    expect([id, status === 403]).toEqual([id, !isAllowed]);
  }
});

test('requires the write scope for a dry run, which writes nothing', async () => {
  const { as } = await startLocked();
  const [writer, reader] = [await as('acme'), await as('acme', ['read'])];
  await writer.post('traces', { id: 'tr_a' });

  expect(errorSummary(await reader.post('traces/tr_a/blocks?dry_run=true', message()))).toBe('403 FORBIDDEN');
  expect((await reader.send('HEAD', 'traces')).status).toBe(200);
});

test('rejects a key once it is revoked, and still accepts the others', async () => {
  const { as, store } = await startLocked();
  const [lost, kept] = [await as('acme'), await as('acme')];
  await lost.post('traces', { id: 'tr_a' });

  expect(await store.revokeKey(lost.key.id)).toBe(true);

  expect(errorSummary(await lost.get('traces'))).toBe('401 UNAUTHENTICATED');
  expect((await kept.get('traces')).json.traces).toHaveLength(1);
  expect(await store.revokeKey(lost.key.id)).toBe(false);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])('does not listen on %s without keys', async (host) => {
  const store = await openTestStore();

  const starting = serveTraces({ store, host, port: 0 });

  await expect(starting).rejects.toThrow(/can be reached from other machines.*API keys.*127\.0\.0\.1/s);
  await store.close();
});

const raw = (url: string, headers: readonly (readonly [string, string])[]) =>
  request(url, { target: '/v1/organizations/default/traces', headers });

test.each(['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example.'])(
  'rejects a page that uses the host name %s',
  async (host) => {
    const { url } = await startServer();

    const response = await raw(url, [['Host', host]]);

    expect([response.status, JSON.parse(response.body).error.code]).toEqual([403, 'FORBIDDEN']);
    expect(response.headers['x-request-id']).toBeDefined();
  },
);

test.each(['localhost', 'LOCALHOST:8090', '127.0.0.1', '[::1]:8090', 'a.localhost'])(
  'serves a request with the host name %s',
  async (host) => {
    const { url } = await startServer();

    expect((await raw(url, [['Host', host]])).status).toBe(200);
  },
);

test('rejects pages of other origins, and allows every method for allowed origins', async () => {
  const origin = 'https://viewer.example';
  const [closed, open] = [await startServer(), await startServer({ corsOrigins: [origin] })];

  const refused = await raw(closed.url, [['Origin', origin]]);
  const other = await raw(open.url, [['Origin', 'https://evil.example']]);
  const allowed = await raw(open.url, [['Origin', origin]]);
  const preflight = await request(open.url, {
    method: 'OPTIONS',
    target: '/v1/organizations/default/traces/tr_a',
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'DELETE'],
      ['Access-Control-Request-Headers', 'x-api-key, content-type, idempotency-key'],
    ],
  });

  expect([refused.status, other.status, allowed.status, preflight.status]).toEqual([403, 403, 200, 204]);
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': origin,
    vary: expect.stringContaining('Origin'),
  });
  expect(allowed.headers['access-control-expose-headers']).toContain('X-Request-Id');
  expect(preflight.headers['access-control-allow-methods']?.split(', ')).toEqual([
    'DELETE',
    'GET',
    'PATCH',
    'POST',
    'PUT',
  ]);
  expect(preflight.headers['access-control-allow-headers']).toBe('x-api-key, content-type, idempotency-key');
});
