import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { start } from '../support/client.ts';
import fc, { runs } from '../support/fast-check.ts';
import { chunked, requestBytes } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { withDeadline } from '../support/until.ts';

type Header = readonly [name: string, value: string | Buffer];

/** Usually the valid value, sometimes another one. */
const mostly = <T>(usual: T, ...odd: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const typed = (value: string): Header[] => [['Content-Type', value]];

const PAGE = 'http://page.example';
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const LIVE: Header = ['X-Session-ID', 'live'];

/** Returns the bytes of the responses on a connection, with variable parts replaced. */
function answersTo(port: number, bytes: Buffer): Promise<string> {
  const responses = new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.on('end', () => {
      const text = Buffer.concat(parts)
        .toString('latin1')
        .replaceAll(/^Date: .*$/gm, 'Date');
      resolve(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/g, '<id>'));
    });
  });
  return withDeadline(responses, `the end of the connection after ${JSON.stringify(bytes.toString('latin1', 0, 80))}`);
}

const ODD_TARGETS = [
  ...[
    '/health/',
    '/health?x',
    '/HEALTH',
    '/./health',
    '/lab/tools?',
    '/lab/./tools',
    '/lab/../lab/tools',
    '/lab//tools',
  ],
  ...['/lab%2Ftools', '/l%61b/call', '/lab/tool%73', '/lab/%', '/lab/tools;a', '/lab/too%00ls', '/constructor/tools'],
  ...['http://evil.example/lab/tools', 'HTTP://x/lab/call', '/lab/call?stream=1', `/${'a'.repeat(300)}/tools`],
];
const ODD_BODIES = [
  ...[
    '',
    '{}',
    '[]',
    '{bad',
    '{"split":"train","split":"test"}',
    '{"__proto__":{"split":"train"}}',
    '\ufeff{"split":"train"}',
  ],
  ...['{"name":"count","input":{}}\0', '{"name":"echo","input":{"text":"\\ud800"}}'],
].map((text) => Buffer.from(text));
const NO_UTF_8 = Buffer.from('{"name":"echo","input":{"text":"é"}}', 'latin1');

const line = fc
  .constantFrom(
    ['GET', '/health', ''] as const,
    ['GET', '/lab/prompt', ''] as const,
    ['POST', '/ping', ''] as const,
    ['POST', '/create', '{"task_spec":{}}'] as const,
    ['POST', '/lab/tasks', '{"split":"train"}'] as const,
    ['POST', '/lab/call', '{"name":"count","input":{}}'] as const,
    ['POST', '/lab/call', '{"name":"echo","input":{"text":"é"}}'] as const,
  )
  .chain(([method, target, content]) =>
    fc.record({
      method: mostly<string>(method, 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE'),
      target: mostly<string>(target, ...ODD_TARGETS),
      content: mostly<Buffer>(Buffer.from(content), NO_UTF_8, ...ODD_BODIES),
    }),
  );
const session = mostly<Header[]>(
  [LIVE],
  [],
  [LIVE, LIVE],
  [LIVE, ['x-session-id', 'other']],
  [['X-Session-ID', 'live  ']],
  [['X-Session-ID', 's'.repeat(400)]],
  [['X-Session-ID', Buffer.from([0xe9])]],
);
const mediaType = mostly<Header[]>(
  [JSON_TYPE],
  [],
  [JSON_TYPE, ['Content-Type', 'text/plain']],
  [['Content-Type', 'text/plain'], JSON_TYPE],
  ...['', 'APPLICATION/JSON', 'application/json;', 'application/json; charset=utf-16', 'text/json'].map(typed),
  ...['application/problem+json', 'application/json, text/plain', 'text/plain', 'multipart/form-data'].map(typed),
);
const other = mostly<Header[]>(
  [],
  [['Accept', 'application/json']],
  [['Accept-Encoding', 'gzip']],
  [['If-None-Match', '*']],
  [['Range', 'bytes=0-3']],
  [['Expect', '100-continue']],
  [['Expect', 'a miracle']],
  [['Upgrade', 'websocket']],
  [['X-HTTP-Method-Override', 'DELETE']],
  [['Origin', PAGE]],
  [['Origin', 'http://elsewhere.example']],
  [
    ['Origin', PAGE],
    ['Access-Control-Request-Method', 'POST'],
  ],
);

/** Transfer of a body. */
type Framing = (body: Buffer) => { headers: Header[]; body?: Buffer };
const framing = mostly<Framing>(
  (body) => ({ headers: [], body }),
  () => ({ headers: [] }),
  (body) => ({ headers: [['Transfer-Encoding', 'chunked']], body: chunked(body, 7) }),
  (body) => ({ headers: [['Content-Encoding', 'gzip']], body: gzipSync(body) }),
  // The header is wrong: the body is not compressed.
  (body) => ({ headers: [['Content-Encoding', 'gzip']], body }),
  (body) => ({ headers: [['Content-Encoding', 'identity']], body }),
);

test('answers any form of a request on the wire with the same bytes as Express', async () => {
  const options = { validateResponses: false, corsOrigins: [PAGE] };
  await using direct = await start(lab().environment, { ...options, fastPath: true });
  await using express = await start(lab().environment, { ...options, fastPath: false });
  const create = { method: 'POST', target: '/create', headers: [LIVE, JSON_TYPE], body: '{"task_spec":{}}' };
  // Loads Express in both: while it loads, the bodies of early responses arrive, and their headers get another order.
  const odd = { method: 'GET', target: '/HEALTH' };
  for (const { port, url } of [direct, express]) {
    await answersTo(port, requestBytes(url, create));
    await answersTo(port, requestBytes(url, odd));
  }

  await fc.assert(
    fc.asyncProperty(line, session, mediaType, other, framing, async ({ method, target, content }, ...drawn) => {
      const [ids, types, others, frame] = drawn;
      const { headers, body } = frame(content);
      const asked = { method, target, headers: [...ids, ...types, ...others, ...headers], ...(body && { body }) };
      const request = requestBytes('http://127.0.0.1', asked);

      expect(await answersTo(direct.port, request)).toBe(await answersTo(express.port, request));
    }),
    { numRuns: runs(200) },
  );
});
