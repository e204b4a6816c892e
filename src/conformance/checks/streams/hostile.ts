import { equalJson, joinWords, tryParseJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, RawConnection } from '../../probe/index.ts';
import { firstResponse, parseHttpResponses, type RawHttpResponse } from '../raw-http.ts';
import { assumeEpisodes } from '../sessions/steps.ts';

/** Time for a response to an incomplete request. */
const WAIT_MS = 3_000;
/** Larger than the usual limits of servers. */
const BODY_BYTES = 34 * 1024 * 1024;
const HALF_OPEN = 200;
const HEAD = 1_000_000;

export const hostileChecks = defineChecks({ profile: 'hostile' }, [
  {
    id: 'hostile/malformed-http',
    title: 'Malformed HTTP requests are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    run: (probe) => assertSurvives(probe, MALFORMED_REQUESTS),
  },
  {
    id: 'hostile/oversized-head',
    title: 'Headers and targets of 1 MB are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    run: (probe) => assertSurvives(probe, OVERSIZED_REQUESTS),
  },
  {
    id: 'hostile/oversized-body',
    title: 'A body of 34 MiB, and one that announces a terabyte, cause no server error, and the server continues',
    requirement: 'ORS-ERR-005',
    async run(probe) {
      const headers = [['Content-Type', 'application/json'] as const];
      const announced = [...headers, ['Content-Length', String(2 ** 40)] as const];
      const endless = probe.openRaw(
        probe.textOf('POST', probe.path('tasks'), { headers: announced, body: '{"split":"' }),
      );
      const body = `{"split":"${'a'.repeat(BODY_BYTES)}"}`;
      const response = await probe.send('POST', probe.path('tasks'), { body, headers });
      assertConforms(isNoServerError(response.status), `a body of 34 MiB got ${response.summary}`);
      const status = (await optionalResponse(probe, endless))?.status ?? 0;
      assertConforms(isNoServerError(status), `a body that announces a terabyte got ${status}`);
      await assertHealthy(probe, 'a body of 34 MiB');
    },
  },
  {
    id: 'hostile/broken-body',
    title: 'A /create that breaks off before its announced length opens nothing, and its id can be reused',
    requirement: 'ORS-SESS-017',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      await assumeEpisodes(probe);
      const sid = await probe.createSessionId();
      const json = await probe.createBody();
      const body = JSON.stringify(json);
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(body.length + 100)],
      ] as const;
      const connection = probe.openRaw(probe.textOf('POST', '/create', { sid, headers, body }));
      connection.finish();
      await connection.waitUntil(() => connection.text !== '', WAIT_MS);
      connection.close();
      const response = await probe.send('POST', '/create', { sid, json });
      assertConforms(
        response.isSuccess,
        `after a /create that broke off, /create with the same id returned ${response.summary}`,
      );
    },
  },
  {
    id: 'hostile/conflicting-lengths',
    title: 'Bytes that follow a request with two different lengths are not parsed as another request',
    requirement: 'ORS-ERR-010',
    async run(probe) {
      const hidden = probe.textOf('GET', '/health');
      const json = ['Content-Type', 'application/json'] as const;
      const smuggled: [string, string][] = [
        [
          'two Content-Lengths',
          request(probe, [json, ['Content-Length', '2'], ['Content-Length', String(2 + hidden.length)]], '{}'),
        ],
        [
          'Content-Length and chunks',
          request(
            probe,
            [json, ['Content-Length', String(12 + hidden.length)], ['Transfer-Encoding', 'chunked']],
            '2\r\n{}\r\n0\r\n\r\n',
          ),
        ],
      ];
      for (const [what, first] of smuggled) {
        const connection = probe.openRaw(first + hidden);
        await connection.waitUntil(() => parseHttpResponses(connection.bytes).length > 1, WAIT_MS);
        const statuses = parseHttpResponses(connection.bytes).map(({ status }) => status);
        assertConforms(
          statuses.length <= 1,
          `a request with ${what} got the responses ${joinWords(statuses.map(String))}`,
        );
      }
    },
  },
  {
    id: 'hostile/pipelined',
    title: 'Pipelined requests get their responses in order, or the connection is closed',
    requirement: 'ORS-ERR-009',
    async run(probe) {
      const paths = ['/health', '/list_environments', '/health'];
      const requested = await Promise.all(
        paths.map(async (path) => (await probe.send('GET', path)).requireSuccess(path).json),
      );
      const connection = probe.openRaw(paths.map((path) => probe.textOf('GET', path)).join(''));
      const responses = () => parseHttpResponses(connection.bytes).filter(({ isComplete }) => isComplete);
      const isClosing = () => responses().some(({ headers }) => headers.get('connection')?.toLowerCase() === 'close');
      await connection.waitUntil(() => responses().length === paths.length || isClosing(), probe.timeoutMs);
      const received = responses();
      assertConforms(received.length > 0, 'three requests in one write got no response');
      for (const [index, { status, body }] of received.entries()) {
        const isRight = status === 200 && equalJson(tryParseJson(body) ?? body, requested[index]);
        assertConforms(isRight, `of three requests in one write, ${paths[index]} got ${status} ${body}`);
      }
      const isOver = received.length === paths.length || isClosing() || connection.isClosed;
      assertConforms(isOver, `of three requests in one write only ${received.length} were answered`);
    },
  },
  {
    id: 'hostile/expect-continue',
    title: 'A client that sends Expect: 100-continue gets 100 or 417, and then a response',
    requirement: 'ORS-ERR-009',
    async run(probe) {
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', '2'],
        ['Expect', '100-continue'],
      ] as const;
      const connection = probe.openRaw(probe.textOf('POST', '/create_session', { headers }));
      // A client that gets no 100 Continue sends its body after a while.
      await connection.waitUntil(() => connection.text !== '', 1_000);
      connection.write('{}');
      const response = await firstResponse(connection, probe.timeoutMs);
      const isRight = response?.status === 200 || response?.status === 417;
      assertConforms(isRight, `/create_session with Expect: 100-continue got ${response?.status ?? 'no response'}`);
    },
  },
  {
    id: 'hostile/slow-senders',
    title: `While ${HALF_OPEN} requests are half sent, /health responds`,
    requirement: 'ORS-DISC-001',
    exclusive: true,
    async run(probe) {
      const health = probe.textOf('GET', '/health');
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', '1000'],
      ] as const;
      const create = probe.textOf('POST', '/create_session', { headers, body: '{' });
      for (let count = 0; count < HALF_OPEN; count++) {
        probe.openRaw(count % 2 === 0 ? health.slice(0, -2) : create, count < 2);
      }
      const response = await firstResponse(probe.openRaw(health), probe.timeoutMs);
      assertConforms(
        response?.status === 200,
        `with ${HALF_OPEN} slow senders, /health got ${response?.status ?? 'no response'}`,
      );
    },
  },
  fixtureCheck({
    id: 'hostile/stuck-readers',
    title: 'A session whose three readers never read their 6 MB can be deleted',
    requirement: 'ORS-SESS-025',
    profile: 'hostile',
    tools: ['big'],
    calls: 3,
    exclusive: true,
    async run(probe) {
      const episode = await probe.episode();
      const input = { characters: 6_000_000, pattern: 'ascii' };
      // Longer than the time limit of /delete.
      const timeoutMs = 3 * probe.timeoutMs;
      const calls = Array.from({ length: 3 }, () => episode.start('big', input, { timeoutMs }));
      for (const call of calls) call.pause();
      for (const call of calls) await call.head();
      const areStreams = calls.every(({ exchange }) => exchange.status === 200);
      const response = await episode.delete();
      for (const call of calls) call.abort();
      assume(areStreams, 'not all three calls returned streams');
      assertConforms(
        response.isSuccess,
        `/delete of a session with readers that never read returned ${response.summary}`,
      );
    },
  }),
]);

const request = (probe: Probe, headers: readonly (readonly [string, string])[], body: string) =>
  probe.textOf('POST', '/create_session', { headers, body });

/** Allows 501 and 505: the server does not support a version, method or coding. */
const isNoServerError = (status: number) => status < 500 || status === 501 || status === 505;

/** Resolves with the response to a request that need not get one; waits longer if the server is busy. */
async function optionalResponse(probe: Probe, connection: RawConnection): Promise<RawHttpResponse | undefined> {
  const response = await firstResponse(connection, WAIT_MS);
  if (response || connection.isClosed) return response;
  await probe.send('GET', '/health');
  return await firstResponse(connection, WAIT_MS / 3);
}

async function assertSurvives(probe: Probe, requests: readonly HostileRequest[]): Promise<void> {
  const { host } = probe;
  await Promise.all(
    requests.map(async ({ what, bytes }) => {
      const connection = probe.openRaw(Buffer.from(bytes(host), 'latin1'));
      const status = (await optionalResponse(probe, connection))?.status ?? 0;
      connection.close();
      assertConforms(isNoServerError(status), `${what} got ${status}`);
    }),
  );
  await assertHealthy(probe, 'these requests');
}

async function assertHealthy(probe: Probe, after: string): Promise<void> {
  const response = await probe.send('GET', '/health');
  assertConforms(response.status === 200, `after ${after} /health returned ${response.summary}`);
}

/** A request as bytes, mostly invalid HTTP; `host` is the value of its Host header. */
export interface HostileRequest {
  readonly what: string;
  readonly bytes: (host: string) => string;
}

const withLine = (line: string) => (host: string) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n\r\n`;

const withTarget = (target: string) => (host: string) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const withFirstLine = (line: string) => (host: string) => `${line}\r\nHost: ${host}\r\n\r\n`;

const withBody = (lines: string, body: string) => (host: string) =>
  `POST /create_session HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n\r\n${body}`;

export const MALFORMED_REQUESTS: readonly HostileRequest[] = [
  { what: 'plain text', bytes: () => 'hello, server\r\n\r\n' },
  { what: 'a TLS ClientHello', bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
  { what: 'the HTTP/2 preface', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'a request line without a version', bytes: withFirstLine('GET /health') },
  { what: 'a request line without a target', bytes: withFirstLine('GET HTTP/1.1') },
  { what: 'the version HTTP/9.9', bytes: withFirstLine('GET /health HTTP/9.9') },
  { what: 'the version http/1.1', bytes: withFirstLine('GET /health http/1.1') },
  { what: 'the method G@T', bytes: withFirstLine('G@T /health HTTP/1.1') },
  { what: 'a method of 5000 letters', bytes: withFirstLine(`${'G'.repeat(5_000)} /health HTTP/1.1`) },
  { what: 'CONNECT', bytes: withFirstLine('CONNECT 127.0.0.1:1 HTTP/1.1') },
  { what: 'OPTIONS *', bytes: withFirstLine('OPTIONS * HTTP/1.1') },
  { what: 'a target without a slash', bytes: withTarget('health') },
  { what: 'a target with a control character', bytes: withTarget('/hea\x01lth') },
  { what: 'a target with a non-ASCII byte', bytes: withTarget('/caf\xe9/tools') },
  { what: 'no Host', bytes: () => 'GET /health HTTP/1.1\r\n\r\n' },
  { what: 'two Hosts', bytes: withLine('Host: elsewhere') },
  { what: 'a header without a colon', bytes: withLine('Accept') },
  { what: 'a header without a name', bytes: withLine(': value') },
  { what: 'white space before a colon', bytes: withLine('Accept : */*') },
  { what: 'a NUL in a header', bytes: withLine('Accept: a\0b') },
  { what: 'a folded header', bytes: withLine('Accept: text/html,\r\n  text/plain') },
  { what: 'lines that end in LF alone', bytes: (host) => `GET /health HTTP/1.1\nHost: ${host}\n\n` },
  { what: 'an upgrade to websocket', bytes: withLine('Connection: Upgrade\r\nUpgrade: websocket') },
  { what: 'Content-Length: -1', bytes: withBody('Content-Length: -1', '{}') },
  { what: 'Content-Length: two', bytes: withBody('Content-Length: two', '{}') },
  { what: 'Content-Length: +2', bytes: withBody('Content-Length: +2', '{}') },
  { what: 'a Content-Length of 30 digits', bytes: withBody(`Content-Length: ${'9'.repeat(30)}`, '{}') },
  { what: 'Transfer-Encoding: banana', bytes: withBody('Transfer-Encoding: banana', '{}') },
  { what: 'a chunk of size xyz', bytes: withBody('Transfer-Encoding: chunked', 'xyz\r\n{}\r\n0\r\n\r\n') },
  { what: 'a chunk of size -2', bytes: withBody('Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n') },
  { what: 'a chunk size of 20 digits', bytes: withBody('Transfer-Encoding: chunked', `${'f'.repeat(20)}\r\n{}`) },
  { what: 'a chunk longer than its size', bytes: withBody('Transfer-Encoding: chunked', '2\r\n{}{}{}\r\n0\r\n\r\n') },
  { what: 'the expectation 200-ok', bytes: withBody('Expect: 200-ok\r\nContent-Length: 2', '{}') },
  { what: 'a body that claims to be gzip', bytes: withBody('Content-Encoding: gzip\r\nContent-Length: 2', '{}') },
];

export const OVERSIZED_REQUESTS: readonly HostileRequest[] = [
  { what: 'a header of 1 MB', bytes: withLine(`X-Session-ID: ${'a'.repeat(HEAD)}`) },
  {
    what: '50 000 headers',
    bytes: withLine(Array.from({ length: 50_000 }, (_, index) => `X-${index}: a`).join('\r\n')),
  },
  { what: 'a header name of 1 MB', bytes: withLine(`${'a'.repeat(HEAD)}: a`) },
  { what: 'a target of 1 MB', bytes: withTarget(`/${'a'.repeat(HEAD)}/tools`) },
];
