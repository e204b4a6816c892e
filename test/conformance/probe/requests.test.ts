import { expect, test } from '@jest/globals';
import { UntestableError } from '../../../src/conformance/assertions.ts';
import { ProbeRequests } from '../../../src/conformance/probe/requests.ts';
import { connect, serveHttp } from './listening.ts';

test('sends the type and length of JSON, the session header, and the headers of the run', async () => {
  await using server = await serveHttp((_seen, response) => response.end('ok'));
  using connection = connect(server.url, [['X-API-Key', 'key']]);

  await new ProbeRequests(connection).send('POST', '/create', { json: { a: 'é' }, sid: 'abc' });

  expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/create', body: '{"a":"é"}' });
  expect(server.seen[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': '10',
    'x-session-id': 'abc',
    'x-api-key': 'key',
  });
});

test('sends Content-Length: 0 with a POST without a body, and not with a GET', async () => {
  await using server = await serveHttp((_seen, response) => response.end());
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  await requests.send('POST', '/ping');
  await requests.send('GET', '/health');

  expect(server.seen.map(({ headers }) => headers['content-length'])).toEqual(['0', undefined]);
  expect(server.seen.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined]);
});

test('sends a body unchanged', async () => {
  await using server = await serveHttp((seen, response) => response.end(Buffer.from(seen.body).toString('hex')));
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  const bytes = await requests.send('POST', '/a', { body: new Uint8Array([0x7b, 0x00, 0x7d]) });
  const text = await requests.send('POST', '/a', { body: '{é' });

  expect([bytes.text, text.text]).toEqual(['7b007d', '7bc3a9']);
});

test('sends repeated headers as separate lines', async () => {
  await using server = await serveHttp((_seen, response) => response.end());
  using connection = connect(server.url);

  await new ProbeRequests(connection).send('GET', '/', {
    headers: [
      ['X-Session-ID', 'a'],
      ['X-Session-ID', 'b'],
    ],
  });

  const values = server.seen[0]?.rawHeaders.filter((_value, index, all) => all[index - 1] === 'X-Session-ID');
  expect(values).toEqual(['a', 'b']);
});

test('records every exchange in order, with headers and bytes of the response', async () => {
  await using server = await serveHttp(({ path }, response) =>
    response.writeHead(path === '/b' ? 404 : 200, { 'X-It': path }).end(path),
  );
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  await requests.send('GET', '/a');
  await requests.send('GET', '/b');

  const [a, b] = requests.exchanges;
  expect([a?.number, b?.number, a?.status, b?.status]).toEqual([1, 2, 200, 404]);
  expect(b?.responseHeaders).toContainEqual(['X-It', '/b']);
  expect(Buffer.concat(b?.chunks.map(({ bytes }) => bytes) ?? []).toString()).toBe('/b');
  expect(b?.endedAt).toBeGreaterThanOrEqual(b?.headAt ?? Number.NaN);
});

test('prefixes every path with the path of the base URL', async () => {
  await using server = await serveHttp((_seen, response) => response.end());
  using connection = connect(new URL('/base/', server.url));
  const requests = new ProbeRequests(connection);

  await requests.send('GET', '/health');

  expect(server.seen[0]?.path).toBe('/base/health');
  expect(requests.formatRequest('GET', '/health')).toBe(
    `GET /base/health HTTP/1.1\r\nHost: ${server.url.host}\r\n\r\n`,
  );
});

test('formats a request with only the headers of the run, the session and the request', async () => {
  using connection = connect(new URL('http://127.0.0.1:9'), [['X-API-Key', 'key']]);

  const text = new ProbeRequests(connection).formatRequest('POST', '/a', {
    sid: 's',
    headers: [['A', 'b']],
    body: '{}',
  });

  expect(text).toBe('POST /a HTTP/1.1\r\nHost: 127.0.0.1:9\r\nX-API-Key: key\r\nX-Session-ID: s\r\nA: b\r\n\r\n{}');
});

test.each([307, 308])('follows a %i within the server with method and body on request', async (status) => {
  await using server = await serveHttp(({ path }, response) =>
    path === '/tasks' ? response.writeHead(status, { Location: '/math/tasks' }).end() : response.end('tasks'),
  );
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);
  const options = { json: { split: 'train' }, sid: 's' };

  const followed = await requests.send('POST', '/tasks', { ...options, follow: true });
  const plain = await requests.send('POST', '/tasks', options);

  expect([followed.text, plain.status]).toEqual(['tasks', status]);
  expect(server.seen[1]).toMatchObject({ method: 'POST', path: '/math/tasks', body: '{"split":"train"}' });
  expect(server.seen[1]?.headers['x-session-id']).toBe('s');
  expect(requests.exchanges).toHaveLength(3);
});

test.each<[string, number, Record<string, string>]>([
  ['301, which may change the method', 301, { Location: '/elsewhere' }],
  ['308 without Location', 308, {}],
  ['308 with a Location that is none', 308, { Location: 'http://[' }],
])('does not follow %s', async (_what, status, headers) => {
  await using server = await serveHttp((_seen, response) => response.writeHead(status, headers).end());
  using connection = connect(server.url);

  const answer = await new ProbeRequests(connection).send('GET', '/a', { follow: true });

  expect([answer.status, server.seen.length]).toEqual([status, 1]);
});

test('gives up on circular redirects', async () => {
  await using server = await serveHttp((_seen, response) => response.writeHead(308, { Location: '/a' }).end());
  using connection = connect(server.url);

  const answer = await new ProbeRequests(connection).send('GET', '/a', { follow: true });

  expect([answer.status, server.seen.length]).toEqual([308, 6]);
});

test('does not follow a redirect to another server, which would leak the session id', async () => {
  await using other = await serveHttp((_seen, response) => response.end());
  await using server = await serveHttp((_seen, response) =>
    response.writeHead(308, { Location: `${other.url}a` }).end(),
  );
  using connection = connect(server.url);

  const sending = new ProbeRequests(connection).send('POST', '/a', { sid: 's', follow: true });

  await expect(sending).rejects.toThrow(
    new UntestableError(`the server redirects to another origin, ${other.url.origin}`),
  );
  expect(other.seen).toEqual([]);
});
