import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { operations } from '../../../generated/trace-api-operations.ts';
import { addressOf, createNodeServer, endHttp, listen } from '../../../src/http/index.ts';
import { describeFailure } from '../../../src/trace/api/errors.ts';
import { createTraceApi } from '../../../src/trace/api/index.ts';
import { StoreUnavailableError } from '../../../src/trace/model/index.ts';
import type { TraceStore } from '../../../src/trace/store/index.ts';
import { exchange, type Answer as RawAnswer, request } from '../../support/http.ts';
import { traceValidator } from '../../support/validators.ts';

import { message, TRACE } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { closeServers, errorSummary, shareConversation, startConversation, startServer } from './server.ts';

afterEach(closeServers);
const shared = shareConversation();
afterAll(shared.close);

const BLOCKS = `traces/${TRACE}/blocks`;
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Returns code and status of a response from a socket, which must have the error envelope and its header. */
function codeOf({ status, headers, body }: RawAnswer): string {
  const json = JSON.parse(body);
  expect(traceValidator('TraceError')(json) || traceValidator('TraceError').errors).toBe(true);
  expect([json.error.http_status, headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return `${status} ${json.error.code}`;
}

test.each([
  ['GET', '/', '404 NOT_FOUND'],
  ['GET', '/nothing', '404 NOT_FOUND'],
  ['POST', '/v1/organizations/default/nothing', '404 NOT_FOUND'],
  ['GET', '/v1/organizations//traces', '404 NOT_FOUND'],
  ['GET', '/V1/organizations/default/traces', '404 NOT_FOUND'],
  ['GET', 'traces/tr_none', '404 TRACE_NOT_FOUND'],
  ['PATCH', 'traces/tr_none', '404 TRACE_NOT_FOUND'],
  ['DELETE', 'traces/tr_none', '404 TRACE_NOT_FOUND'],
  ['GET', 'traces/tr_none/blocks', '404 TRACE_NOT_FOUND'],
  ['POST', 'traces/tr_none/blocks', '404 TRACE_NOT_FOUND'],
  ['GET', 'traces/tr_none/blocks.stitched', '404 TRACE_NOT_FOUND'],
  ['GET', 'traces/tr_none/blocks.stitched?fields=skeleton', '404 TRACE_NOT_FOUND'],
  ['GET', 'traces/tr_none/stream', '404 TRACE_NOT_FOUND'],
  ['GET', 'traces/tr_none/export', '404 TRACE_NOT_FOUND'],
  ['GET', `${BLOCKS}/tb_none`, '404 BLOCK_NOT_FOUND'],
  ['GET', 'runs/none/stats', '404 NOT_FOUND'],
  ['GET', `blobs/${SHA256}`, '404 NOT_FOUND'],
  ['GET', '/v1/runs/none', '404 NOT_FOUND'],
  ['GET', 'traces/none', '422 parameter'],
  ['GET', `${BLOCKS}/none`, '422 parameter'],
  ['GET', 'blobs/abc', '422 parameter'],
  ['GET', '/v1/organizations/-x/traces', '422 parameter'],
  ['GET', `${BLOCKS}?limit=1&limit=2`, '422 parameter'],
  ['GET', `${BLOCKS}?limit=%00`, '422 parameter'],
  ['GET', 'traces?__proto__=1', '422 unknown_parameter'],
  ['GET', 'traces?run[a]=b', '422 parameter'],
  ['GET', 'traces?run=', '422 parameter'],
  ['GET', 'traces?reward_min=NaN', '422 parameter'],
  ['GET', 'traces?limit=Infinity', '422 parameter'],
  ['GET', 'groups?limit=1e400', '422 parameter'],
  ['GET', `${BLOCKS}?limit=Infinity`, '422 parameter'],
  ['GET', `${BLOCKS}?after=Infinity`, '422 parameter'],
  ['GET', 'traces?has_error=1', '422 parameter'],
  ['GET', 'traces?created_after=yesterday', '422 parameter'],
  ['GET', `traces/${TRACE}/export?format=xml`, '422 parameter'],
  ['GET', 'traces/%zz', '400 BAD_REQUEST'],
  ['GET', 'traces/%ff', '400 BAD_REQUEST'],
  ['GET', '/%', '400 BAD_REQUEST'],
])('responds to %s %s with %s', async (method, path, expected) => {
  const { send } = await shared.start();

  const body = method === 'PATCH' ? { name: 'x' } : method === 'POST' ? message() : undefined;

  expect(errorSummary(await send(method, path, body))).toBe(expected);
});

test('says at / that browsers get a page there', async () => {
  const { send } = await shared.start();

  const response = await send('GET', '/');

  expect(response.json.error.message).toContain('browsers get a page here (Accept: text/html)');
});

test.each([
  ['{', '400 BAD_JSON'],
  ['', '400 BAD_JSON'],
  ['   ', '400 BAD_JSON'],
  ['{"a":1}}', '400 BAD_JSON'],
  ["{'a':1}", '400 BAD_JSON'],
  ['{"a":01}', '400 BAD_JSON'],
  ['NaN', '400 BAD_JSON'],
  ['\ufeff{}', '422 enum type'],
  [Buffer.from('{"a":"\xff"}', 'latin1'), '400 BAD_JSON'],
  [Buffer.from('{"a":"\xc0\x80"}', 'latin1'), '400 BAD_JSON'],
  [Buffer.from('\ufffe{}', 'utf16le'), '400 BAD_JSON'],
])('responds to the body %j with %s, and does not quote it', async (body, expected) => {
  const { url } = await shared.start();
  const target = `/v1/organizations/default/${BLOCKS}`;

  const answer = await request(url, { method: 'POST', target, headers: [['Content-Type', 'application/json']], body });

  expect(codeOf(answer)).toBe(`${expected.split(' ')[0]} ${expected.startsWith('400') ? 'BAD_JSON' : 'VALIDATION'}`);
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'x',
])('rejects JSON with the media type %s', async (mediaType) => {
  const { write, send } = await shared.start();

  expect(errorSummary(await write(message(), { 'Content-Type': mediaType }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  expect(errorSummary(await send('POST', 'traces', {}, { 'Content-Type': mediaType }))).toBe(
    '415 UNSUPPORTED_MEDIA_TYPE',
  );
});

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.trace+json'])(
  'accepts JSON with the media type %s',
  async (mediaType) => {
    const { write } = await startConversation();

    expect((await write(message(), { 'Content-Type': mediaType })).status).toBe(201);
  },
);

/** Methods of each path in the OpenAPI document. */
const METHODS = new Map<string, string[]>();
for (const { method, path } of Object.values(operations)) {
  const ofPath = METHODS.get(path) ?? [];
  METHODS.set(path, [...ofPath, method.toUpperCase(), ...(method === 'get' ? ['HEAD'] : [])]);
}
const example = (path: string) =>
  path
    .replace('{org}', 'default')
    .replace('{traceId}', TRACE)
    .replace('{blockId}', 'tb_msg123')
    .replace('{sha256}', SHA256)
    .replace('{run}', 'run-1')
    .replace('{rolloutId}', 'r1')
    .replace('{scoreId}', 'sc_1')
    .replace('{owner}', 'acme')
    .replace('{name}', 'maze');
const listed = (allow: string | null) => (allow ?? '').split(', ').sort();

test.each([...METHODS])('allows on %s only the methods %j, and lists them', async (path, methods) => {
  const { send } = await shared.start();

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
    (each) => !methods.includes(each),
  )) {
    const answer = await send(method, example(path), method === 'GET' ? undefined : {});
    expect(errorSummary(answer)).toBe('405 METHOD_NOT_ALLOWED');
    const allowed = listed(answer.headers.get('allow')).filter((each) => each !== 'HEAD' && each !== 'OPTIONS');
    expect(allowed).toEqual(methods.filter((each) => each !== 'HEAD').sort());
  }
  const options = await send('OPTIONS', example(path));
  expect([options.status, listed(options.headers.get('allow'))]).toEqual([204, [...methods, 'OPTIONS'].sort()]);
});

const headOnly = (url: string, agent: Agent, method: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(url, { method, agent, signal: AbortSignal.timeout(30_000) }, (response) => {
      response.resume().once('end', () => resolve(response));
    });
    sent.once('error', reject).end();
  });

test.each(['traces', `${BLOCKS}.stitched`, `traces/${TRACE}/stream`, `traces/${TRACE}/export`, 'traces/tr_none'])(
  'responds to HEAD %s with status and type of GET, without a body, and keeps the connection usable',
  async (path) => {
    const { url } = await shared.start();
    const target = `${url}/v1/organizations/default/${path}`;
    const cut = new AbortController();
    const got = await fetch(target, { signal: cut.signal });
    cut.abort();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    const head = await headOnly(target, agent, 'HEAD');
    const next = await headOnly(`${url}/healthz`, agent, 'GET');

    agent.destroy();
    expect([head.statusCode, head.headers['content-type']]).toEqual([got.status, got.headers.get('content-type')]);
    expect(next.statusCode).toBe(200);
  },
);

test.each<[what: string, bytes: string, expected: string]>([
  ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, '431 BAD_REQUEST'],
  ['a target of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, '431 BAD_REQUEST'],
  ['no HTTP', 'hello\r\n\r\n', '400 BAD_REQUEST'],
  ['an unknown version', 'GET / HTTP/9.1\r\n\r\n', '400 BAD_REQUEST'],
  ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', '400 BAD_REQUEST'],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    '400 BAD_REQUEST',
  ],
  [
    'an expectation',
    'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: gold\r\nContent-Length: 0\r\n\r\n',
    '417 BAD_REQUEST',
  ],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '405 METHOD_NOT_ALLOWED'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '405 METHOD_NOT_ALLOWED'],
])('uses the error envelope for malformed HTTP: %s', async (what, bytes, expected) => {
  const { url } = await shared.start();

  const code = codeOf(await exchange(url, Buffer.from(bytes, 'latin1')));

  if (what === 'TRACE') expect(['404 NOT_FOUND', expected]).toContain(code);
  else expect(code).toBe(expected);
});

test('responds with 408, which clients retry, if a request does not arrive in time', async () => {
  await using store = await openTestStore();
  const api = createTraceApi(store);
  const limits = { bodyLimitBytes: 1000, headerLimitBytes: 1000, headersTimeoutMs: 50, requestTimeoutMs: 50 };
  const refusalHeaders = () => ({ 'X-Request-Id': randomUUID() });
  const http = createNodeServer(api.handler, { ...limits, describeFailure, refusalHeaders });
  await listen(http, 0, '127.0.0.1');

  const half = 'POST /v1/organizations/default/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{';

  expect(codeOf(await exchange(addressOf(http).url, Buffer.from(half)))).toBe('408 BAD_REQUEST');
  await endHttp(http, api.close());
});

test('serves a client that sends an absolute URL, as to a proxy', async () => {
  const { url } = await shared.start();

  const { status } = await request(url, { target: `${url}/v1/organizations/default/traces/${TRACE}` });

  expect(status).toBe(200);
});

/** Wraps a store so that a switch makes all methods fail, except some. */
function breakable(store: TraceStore) {
  let thrown: (() => unknown) | undefined;
  let working: readonly (string | symbol)[] = [];
  const fail = async () => {
    throw thrown?.();
  };
  const broken = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return thrown && typeof value === 'function' && !working.includes(name) ? fail : value;
    },
  });
  return {
    store: broken,
    break(what: () => unknown, except: readonly string[] = []) {
      thrown = what;
      working = except;
    },
  };
}

/** Starts a server whose store fails on command, and records the errors that the server logs. */
async function startBreakable() {
  const whole = await openTestStore();
  const reported: unknown[] = [];
  const { store, break: breakStore } = breakable(whole);
  const server = await startServer({ store, onError: (error) => reported.push(error) });
  await server.post('traces', { id: TRACE });
  await server.post(BLOCKS, message({ id: 'tb_1' }));
  return { ...server, reported, breakStore, [Symbol.asyncDispose]: () => whole.close() };
}

const EVENTS = { events: [{ eventType: 'rollout', eventId: 'r1', runName: 'run' }] };
const BODIES: Readonly<Record<string, unknown>> = {
  updateTraces: { trace_ids: [TRACE], add_tags: ['seen'] },
  createTrace: { run: 'one' },
  updateTrace: { name: 'x' },
  appendBlocks: message(),
  importTraces: `${JSON.stringify({ trace: { id: 'tr_i' } })}\n`,
  putBlob: '""',
  logRollouts: EVENTS,
  createScore: { trace_id: TRACE, name: 'quality', value: 1 },
  exportSpans: {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: '0af7651916cd43dd8448eb211c80319c',
                spanId: 'b7ad6b7169203331',
                attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }],
              },
            ],
          },
        ],
      },
    ],
  },
};
/** Required query parameters. */
const QUERIES: Readonly<Record<string, string>> = { search: '?query=text' };
const SHA256_OF_QUOTES = '12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126';
const WITHOUT_STORE = ['getAccess', 'getRequiredSecrets', 'healthz', 'metrics', 'openapi', 'readyz'];
const requested = Object.entries(operations).filter(([id]) => !WITHOUT_STORE.includes(id));

const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('secret of the disk'),
  'a text': () => 'secret of the disk',
  null: () => null,
  nothing: () => undefined,
};

test.each(Object.keys(THROWN))(
  'responds with 500 for every operation if the store throws %s, and logs the reason',
  async (what) => {
    await using server = await startBreakable();
    const thrown = THROWN[what]?.();
    server.breakStore(() => thrown);

    for (const [id, { method, path }] of requested) {
      const target = example(path).replace(SHA256, id === 'putBlob' ? SHA256_OF_QUOTES : SHA256) + (QUERIES[id] ?? '');
      const answer = await server.send(method.toUpperCase(), target, BODIES[id]);
      expect([id, errorSummary(answer)]).toEqual([id, '500 INTERNAL']);
      expect(JSON.stringify(answer.json)).not.toContain('secret');
    }

    expect(server.reported).toEqual(Array(requested.length).fill(thrown));
  },
);

test('responds to writes with 503 and Retry-After if the store has no room', async () => {
  await using server = await startBreakable();
  server.breakStore(() => new StoreUnavailableError('16 MB wait to be written'));

  for (const id of ['createTrace', 'updateTrace', 'appendBlocks', 'putBlob', 'importTraces', 'logRollouts'] as const) {
    const { method, path } = operations[id];
    const target = example(path).replace(SHA256, SHA256_OF_QUOTES);
    const answer = await server.send(method.toUpperCase(), target, BODIES[id]);
    expect([id, errorSummary(answer), answer.headers.get('retry-after')]).toEqual([id, '503 OVERLOADED', '1']);
  }

  expect(server.reported).toEqual([]);
});

test('fails readyz but not healthz if the store cannot write', async () => {
  await using server = await startBreakable();
  server.breakStore(() => new Error('the disk is full'));

  const ready = await server.get('/readyz');

  expect([errorSummary(ready), (await server.get('/healthz')).json]).toEqual(['503 OVERLOADED', { status: 'ok' }]);
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('cuts off a response if the store fails after the first bytes were sent', async () => {
  await using server = await startBreakable();
  await server.post('traces', { id: 'tr_large', metadata: { text: 'a'.repeat(100_000) } });
  await server.post('traces/tr_large/blocks', message());
  server.breakStore(() => new Error('secret'), ['trace']);

  const answer = await fetch(`${server.url}/v1/organizations/default/traces/tr_large/export`);

  await expect(answer.text()).rejects.toThrow('terminated');
  expect(answer.status).toBe(200);
  expect(server.reported).toEqual([expect.objectContaining({ message: 'secret' })]);
});

test('cuts off a stream if the store fails, and logs the reason', async () => {
  await using server = await startBreakable();
  const answer = await fetch(`${server.url}/v1/organizations/default/traces/${TRACE}/stream`);
  server.breakStore(() => new Error('secret'), ['trace', 'append', 'block']);

  await server.post(BLOCKS, message({ id: 'tb_2' }));

  await expect(answer.text()).rejects.toThrow('terminated');
  expect(server.reported).toEqual([expect.objectContaining({ message: 'secret' })]);
});
