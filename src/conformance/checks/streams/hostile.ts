import { equalJson, joinWords, tryParseJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import { type HttpHeader, JSON_TYPE, type Probe, type RawConnection } from '../../probe/index.ts';
import { firstResponse, parseHttpResponses } from '../raw-http.ts';
import { assertStatus, assertSuccess } from '../responses.ts';
import { assumeEpisodes, postCreate } from '../steps.ts';

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
      const announced = { headers: jsonHeaders(2 ** 40), body: '{"split":"' };
      const endless = probe.openRaw(probe.textOf('POST', probe.path('tasks'), announced));
      const body = `{"split":"${'a'.repeat(BODY_BYTES)}"}`;
      const response = await probe.send('POST', probe.path('tasks'), { body, headers: [JSON_TYPE] });
      assertConforms(isNoServerError(response.status), `a body of 34 MiB got ${response.summary}`);
      const status = await optionalStatus(probe, endless);
      assertConforms(isNoServerError(status), `a body that announces a terabyte got ${status}`);
      await assertHealthy(probe, 'a body of 34 MiB');
    },
  },
  {
    id: 'hostile/late-reader',
    title: 'A client that sends a body of 34 MiB before it reads receives the 413',
    requirement: 'ORS-ERR-015',
    exclusive: true,
    async run(probe) {
      const body = `{"split":"${'a'.repeat(BODY_BYTES)}"}`;
      const headers = [...jsonHeaders(body.length), ['Connection', 'close'] as const];
      const first = await probe.send('POST', probe.path('tasks'), { body, headers: [JSON_TYPE] });
      const isLimited = first.status === 413 || first.status === 0;
      assumeApplicable(isLimited, `the limit of the server is above 34 MiB: it returned ${first.status}`);
      const connection = probe.openRaw(probe.textOf('POST', probe.path('tasks'), { headers, body }), false);
      connection.pause();
      await connection.written(probe.timeoutMs);
      connection.resume();
      const { status = 'no response' } = (await firstResponse(connection, probe.timeoutMs)) ?? {};
      assertConforms(status === 413, `a client that sent 34 MiB before it read got ${status}`);
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
      const headers = jsonHeaders(body.length + 100);
      const connection = probe.openRaw(probe.textOf('POST', '/create', { sid, headers, body }));
      connection.finish();
      await connection.waitUntil(() => connection.text !== '', WAIT_MS);
      connection.close();
      const response = await postCreate(probe, sid, json);
      assertSuccess(response, 'after a /create that broke off, /create with the same id');
    },
  },
  {
    id: 'hostile/conflicting-lengths',
    title: 'Bytes that follow a request with two different lengths are not parsed as another request',
    requirement: 'ORS-ERR-010',
    async run(probe) {
      const hidden = probe.textOf('GET', '/health');
      const chunked: HttpHeader = ['Transfer-Encoding', 'chunked'];
      const smuggled = {
        'two Content-Lengths': {
          headers: [...jsonHeaders(2), ['Content-Length', String(2 + hidden.length)] as const],
          body: '{}',
        },
        'Content-Length and chunks': {
          headers: [...jsonHeaders(12 + hidden.length), chunked],
          body: '2\r\n{}\r\n0\r\n\r\n',
        },
      };
      for (const [what, request] of Object.entries(smuggled)) {
        const connection = probe.openRaw(probe.textOf('POST', '/create_session', request) + hidden);
        await connection.waitUntil(() => parseHttpResponses(connection.bytes).length > 1, WAIT_MS);
        const statuses = parseHttpResponses(connection.bytes).map(({ status }) => String(status));
        assertConforms(statuses.length <= 1, `a request with ${what} got the responses ${joinWords(statuses)}`);
      }
    },
  },
  {
    id: 'hostile/pipelined',
    title: 'Pipelined requests get their responses in order, or the connection is closed',
    requirement: 'ORS-ERR-009',
    async run(probe) {
      const paths = ['/health', '/list_environments', '/health'];
      const get = async (path: string) => (await probe.send('GET', path)).requireSuccess(path).json;
      const requested = await Promise.all(paths.map(get));
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
      assertConforms(isOver, `of three requests in one write, only ${received.length} got a response`);
    },
  },
  {
    id: 'hostile/expect-continue',
    title: 'A client that sends Expect: 100-continue gets 100 or 417, and then a response',
    requirement: 'ORS-ERR-009',
    async run(probe) {
      const headers = [...jsonHeaders(2), ['Expect', '100-continue'] as const];
      const connection = probe.openRaw(probe.textOf('POST', '/create_session', { headers }));
      // A client that gets no 100 Continue sends its body after a while.
      await connection.waitUntil(() => connection.text !== '', 1_000);
      connection.write('{}');
      const { status = 'no response' } = (await firstResponse(connection, probe.timeoutMs)) ?? {};
      assertConforms(status === 200 || status === 417, `/create_session with Expect: 100-continue got ${status}`);
    },
  },
  {
    id: 'hostile/slow-senders',
    title: `While ${HALF_OPEN} requests are half sent, /health responds`,
    requirement: 'ORS-DISC-001',
    exclusive: true,
    async run(probe) {
      const health = probe.textOf('GET', '/health');
      const create = probe.textOf('POST', '/create_session', { headers: jsonHeaders(1_000), body: '{' });
      for (let count = 0; count < HALF_OPEN; count++) {
        probe.openRaw(count % 2 === 0 ? health.slice(0, -2) : create, count < 2);
      }
      const { status = 'no response' } = (await firstResponse(probe.openRaw(health), probe.timeoutMs)) ?? {};
      assertConforms(status === 200, `with ${HALF_OPEN} slow senders, /health got ${status}`);
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
    async play(episode, probe) {
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
      assertSuccess(response, '/delete of a session with readers that never read');
    },
  }),
]);

/** Returns the headers of a JSON body that announce this length. */
const jsonHeaders = (length: number): HttpHeader[] => [JSON_TYPE, ['Content-Length', String(length)]];

/** Allows 501 and 505: the server does not support a version, method or coding. */
const isNoServerError = (status: number) => status < 500 || status === 501 || status === 505;

/** Resolves with the status of a request that need not get a response, 0 without one; waits longer for a busy server. */
async function optionalStatus(probe: Probe, connection: RawConnection): Promise<number> {
  const response = await firstResponse(connection, WAIT_MS);
  if (response || connection.isClosed) return response?.status ?? 0;
  await probe.send('GET', '/health');
  return (await firstResponse(connection, WAIT_MS / 3))?.status ?? 0;
}

async function assertSurvives(probe: Probe, requests: HostileRequests): Promise<void> {
  await Promise.all(
    Object.entries(requests).map(async ([what, bytes]) => {
      const connection = probe.openRaw(Buffer.from(bytes(probe.host), 'latin1'));
      const status = await optionalStatus(probe, connection);
      connection.close();
      assertConforms(isNoServerError(status), `${what} got ${status}`);
    }),
  );
  await assertHealthy(probe, 'these requests');
}

async function assertHealthy(probe: Probe, after: string): Promise<void> {
  assertStatus(await probe.send('GET', '/health'), 200, `after ${after} /health`);
}

/** Requests as bytes, mostly invalid HTTP, by description; `host` is the value of the Host header. */
type HostileRequests = Readonly<Record<string, (host: string) => string>>;

const withLine = (line: string) => (host: string) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n\r\n`;

const withTarget = (target: string) => (host: string) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const withFirstLine = (line: string) => (host: string) => `${line}\r\nHost: ${host}\r\n\r\n`;

const withBody = (lines: string, body: string) => (host: string) =>
  `POST /create_session HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n\r\n${body}`;

const MALFORMED_REQUESTS: HostileRequests = {
  'plain text': () => 'hello, server\r\n\r\n',
  'a TLS ClientHello': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'the HTTP/2 preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a request line without a version': withFirstLine('GET /health'),
  'a request line without a target': withFirstLine('GET HTTP/1.1'),
  'the version HTTP/9.9': withFirstLine('GET /health HTTP/9.9'),
  'the version http/1.1': withFirstLine('GET /health http/1.1'),
  'the method G@T': withFirstLine('G@T /health HTTP/1.1'),
  'a method of 5000 letters': withFirstLine(`${'G'.repeat(5_000)} /health HTTP/1.1`),
  CONNECT: withFirstLine('CONNECT 127.0.0.1:1 HTTP/1.1'),
  'OPTIONS *': withFirstLine('OPTIONS * HTTP/1.1'),
  'a target without a slash': withTarget('health'),
  'a target with a control character': withTarget('/hea\x01lth'),
  'a target with a non-ASCII byte': withTarget('/caf\xe9/tools'),
  'no Host': () => 'GET /health HTTP/1.1\r\n\r\n',
  'two Hosts': withLine('Host: elsewhere'),
  'a header without a colon': withLine('Accept'),
  'a header without a name': withLine(': value'),
  'white space before a colon': withLine('Accept : */*'),
  'a NUL in a header': withLine('Accept: a\0b'),
  'a folded header': withLine('Accept: text/html,\r\n  text/plain'),
  'lines that end in LF alone': (host) => `GET /health HTTP/1.1\nHost: ${host}\n\n`,
  'an upgrade to websocket': withLine('Connection: Upgrade\r\nUpgrade: websocket'),
  'Content-Length: -1': withBody('Content-Length: -1', '{}'),
  'Content-Length: two': withBody('Content-Length: two', '{}'),
  'Content-Length: +2': withBody('Content-Length: +2', '{}'),
  'a Content-Length of 30 digits': withBody(`Content-Length: ${'9'.repeat(30)}`, '{}'),
  'Transfer-Encoding: banana': withBody('Transfer-Encoding: banana', '{}'),
  'a chunk of size xyz': withBody('Transfer-Encoding: chunked', 'xyz\r\n{}\r\n0\r\n\r\n'),
  'a chunk of size -2': withBody('Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size of 20 digits': withBody('Transfer-Encoding: chunked', `${'f'.repeat(20)}\r\n{}`),
  'a chunk longer than its size': withBody('Transfer-Encoding: chunked', '2\r\n{}{}{}\r\n0\r\n\r\n'),
  'the expectation 200-ok': withBody('Expect: 200-ok\r\nContent-Length: 2', '{}'),
  'a body that claims to be gzip': withBody('Content-Encoding: gzip\r\nContent-Length: 2', '{}'),
};

const OVERSIZED_REQUESTS: HostileRequests = {
  'a header of 1 MB': withLine(`X-Session-ID: ${'a'.repeat(HEAD)}`),
  '50 000 headers': withLine(Array.from({ length: 50_000 }, (_, index) => `X-${index}: a`).join('\r\n')),
  'a header name of 1 MB': withLine(`${'a'.repeat(HEAD)}: a`),
  'a target of 1 MB': withTarget(`/${'a'.repeat(HEAD)}/tools`),
};
