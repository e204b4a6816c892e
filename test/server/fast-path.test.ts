import { request as httpRequest } from 'node:http';
import { expect, test } from '@jest/globals';
import { apiKeys } from 'ors-kit/server';
import { start } from '../support/client.ts';
import fc, { runs } from '../support/fast-check.ts';
import { lab } from '../support/lab.ts';
import { withDeadline } from '../support/until.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns a response without its variable parts. */
function send(port: number, { method, path, headers, body }: Request): Promise<string> {
  const answer = new Promise<string>((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const head = response.rawHeaders.map((text, index) => (response.rawHeaders[index - 1] === 'Date' ? '' : text));
        const answer = `${response.statusCode} ${head.join('|')}\n${Buffer.concat(parts)}`;
        resolve(answer.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g, '<id>'));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
  return withDeadline(answer, `the answer to ${method} ${path}`);
}

const sid = fc.constantFrom('live', 'gone', 'never', '', 'a b', 'é');
const actions = ['tools', 'splits', 'tasks', 'num_tasks', 'task', 'task_range', 'task_tools', 'prompt', 'call', 'nope'];
const fixed = [
  '/health',
  '/ready',
  '/version',
  '/list_environments',
  '/create_session',
  '/create',
  '/ping',
  '/delete_session',
];
const path = fc.oneof(
  fc.constantFrom(...fixed),
  fc
    .tuple(fc.constantFrom('lab', 'LAB', 'nope', '%6Cab', '__proto__'), fc.constantFrom(...actions))
    .map((names) => `/${names.join('/')}`),
  fc.constantFrom('/', '//ping', '/lab/', '/lab/tools/', '/tools?x=1', '/lab/tools?x=1', '/%E0%A4%A/tools'),
);
const plausible = fc.record(
  {
    split: fc.constantFrom('train', 'nope', 5),
    index: fc.constantFrom(0, 1, 99, -1, '0', 1.5),
    start: fc.constantFrom(null, -1, 0, 1, 'x'),
    name: fc.constantFrom('count', 'echo', 'fail', 'nothing', 5),
    input: fc.oneof(fc.constant({}), fc.constant({ text: 'é\u2028' }), fc.jsonValue()),
    task_id: fc.constantFrom(null, 'mine', ''),
    task_spec: fc.constantFrom(null, {}, { n: 1 }),
    secrets: fc.constantFrom({}, { a: 'b' }, { a: 5 }),
  },
  { requiredKeys: [] },
);
const call = fc.record({ name: fc.constantFrom('count', 'echo', 'fail'), input: fc.constantFrom({}, { text: 'a' }) });
const body = fc.oneof(
  plausible.map((value) => JSON.stringify(value)),
  call.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '',
    '{}',
    '[]',
    'null',
    '{bad',
    '{"split":"train","index":1e400}',
    '{"name":"count","input":{"x":1e400}}',
  ),
);
const mediaType = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
);

const request: fc.Arbitrary<Request> = fc
  .record({ method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT'), path, sid, body, mediaType })
  .map(({ method, path, sid, body, mediaType }) => ({
    method,
    path,
    headers: {
      'X-Session-ID': Buffer.from(sid).toString('latin1'),
      'Content-Type': mediaType,
      ...(method === 'GET' || method === 'HEAD' ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }),
    },
    body: method === 'GET' || method === 'HEAD' ? '' : body,
  }));

test('returns the same status, headers and bytes as Express', async () => {
  await using direct = await start(lab().environment, { fastPath: true, validateResponses: false });
  await using express = await start(lab().environment, { fastPath: false, validateResponses: false });
  const create = (id: string) => ({
    method: 'POST',
    path: '/create',
    headers: { 'X-Session-ID': id, 'Content-Type': 'application/json' },
    body: '{"task_spec":{}}',
  });
  for (const { port } of [direct, express]) {
    await send(port, create('live'));
    await send(port, create('gone'));
    await send(port, { ...create('gone'), path: '/delete', body: '' });
  }

  await fc.assert(
    fc.asyncProperty(request, async (each) => {
      expect(await send(direct.port, each)).toBe(await send(express.port, each));
    }),
    { numRuns: runs(400) },
  );
});

test('checks keys and hosts as Express does', async () => {
  const authenticate = apiKeys(['alice:a', 'bob:b']);
  const options = { validateResponses: false, authenticate, allowedHosts: ['ors.example'] };
  await using direct = await start(lab().environment, { ...options, fastPath: true });
  await using express = await start(lab().environment, { ...options, fastPath: false });
  const headers = { 'X-Session-ID': 'live', 'Content-Type': 'application/json', 'X-API-Key': 'a' };
  for (const { port } of [direct, express]) {
    await send(port, { method: 'POST', path: '/create', headers, body: '{"task_spec":{}}' });
  }
  const key = fc.constantFrom<Record<string, string>>(
    {},
    { 'X-API-Key': 'a' },
    { 'X-API-Key': 'b' },
    { 'X-API-Key': 'c' },
    { Authorization: 'Bearer a' },
  );
  const host = fc.constantFrom('127.0.0.1', 'ors.example:1', 'evil.example');
  const origin = fc.constantFrom<Record<string, string>>({}, { Origin: 'http://evil.example' });

  await fc.assert(
    fc.asyncProperty(request, key, host, origin, async (each, keys, Host, origins) => {
      const asked = { ...each, headers: { ...each.headers, ...keys, ...origins, Host } };
      expect(await send(direct.port, asked)).toBe(await send(express.port, asked));
    }),
    { numRuns: runs(200) },
  );
});

test.each([[true], [false]])('answers 413 to a valid body over the limit (fast path: %p)', async (isDirect) => {
  await using server = await start(lab().environment, {
    fastPath: isDirect,
    validateResponses: false,
    bodyLimitBytes: 1_000,
  });
  const body = JSON.stringify({ task_spec: { text: 'x'.repeat(2_000) } });
  const headers = { 'X-Session-ID': 's', 'Content-Type': 'application/json', 'Content-Length': `${body.length}` };

  const response = await send(server.port, { method: 'POST', path: '/create', headers, body });

  expect(response).toMatch(/^413 .*{"detail":"the body is larger than the limit of 1000 bytes"}$/s);
});
