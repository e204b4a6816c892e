import { equalJson, joinWords, tryParseJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, RawConnection } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { assumeEpisodes } from '../sessions/steps.ts';
import { type HostileRequest, MALFORMED_REQUESTS, OVERSIZED_REQUESTS } from './hostile-requests.ts';
import { firstResponse, parseHttpResponses, type RawHttpResponse } from './http-answers.ts';

/** How long a server may wait for the rest of something that has none. */
const WAIT_MS = 3_000;
/** More than servers usually take. */
const BODY_BYTES = 34 * 1024 * 1024;

/** Requests of broken or ill-meaning clients. */
export const hostileChecks: readonly ConformanceCheck[] = [
  {
    id: 'hostile/malformed-http',
    title: 'Malformed HTTP requests are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    profile: 'hostile',
    run: (probe) => survives(probe, MALFORMED_REQUESTS),
  },
  {
    id: 'hostile/oversized-head',
    title: 'Headers and targets of 1 MB are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    profile: 'hostile',
    run: (probe) => survives(probe, OVERSIZED_REQUESTS),
  },
  {
    id: 'hostile/oversized-body',
    title: 'A body of 34 MiB, and one that announces a terabyte, get no server error, and the server continues',
    requirement: 'ORS-ERR-005',
    profile: 'hostile',
    async run(probe) {
      const headers = [['Content-Type', 'application/json'] as const];
      const announced = [...headers, ['Content-Length', String(2 ** 40)] as const];
      const endless = probe.openRaw(
        probe.textOf('POST', probe.path('tasks'), { headers: announced, body: '{"split":"' }),
      );
      const body = `{"split":"${'a'.repeat(BODY_BYTES)}"}`;
      const response = await probe.send('POST', probe.path('tasks'), { body, headers });
      assertConforms(isNoServerError(response.status), `a body of 34 MiB got ${response.summary}`);
      const status = (await answerIfAny(probe, endless))?.status ?? 0;
      assertConforms(isNoServerError(status), `a body that announces a terabyte got ${status}`);
      await isThere(probe, 'a body of 34 MiB');
    },
  },
  {
    id: 'hostile/broken-body',
    title: 'A /create that breaks off before its announced length opens nothing, and its id can be used',
    requirement: 'ORS-SESS-017',
    profile: 'hostile',
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
        `after a /create that broke off, /create with the same id gave ${response.summary}`,
      );
    },
  },
  {
    id: 'hostile/conflicting-lengths',
    title: 'Bytes that follow a request with two different lengths are not parsed as another request',
    requirement: 'ORS-ERR-010',
    profile: 'hostile',
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
          `a request with ${what} got the answers ${joinWords(statuses.map(String))}`,
        );
      }
    },
  },
  {
    id: 'hostile/pipelined',
    title: 'Requests that are sent without waiting for answers are answered in order, or the connection is closed',
    requirement: 'ORS-ERR-009',
    profile: 'hostile',
    async run(probe) {
      const paths = ['/health', '/list_environments', '/health'];
      const requested = await Promise.all(
        paths.map(async (path) => (await probe.send('GET', path)).requireSuccess(path).json),
      );
      const connection = probe.openRaw(paths.map((path) => probe.textOf('GET', path)).join(''));
      const answers = () => parseHttpResponses(connection.bytes).filter(({ isComplete }) => isComplete);
      const isClosing = () => answers().some(({ headers }) => headers.get('connection')?.toLowerCase() === 'close');
      await connection.waitUntil(() => answers().length === paths.length || isClosing(), probe.timeoutMs);
      const came = answers();
      assertConforms(came.length > 0, 'three requests in one write got no answer');
      for (const [index, { status, body }] of came.entries()) {
        const isRight = status === 200 && equalJson(tryParseJson(body) ?? body, requested[index]);
        assertConforms(isRight, `of three requests in one write, ${paths[index]} got ${status} ${body}`);
      }
      const isOver = came.length === paths.length || isClosing() || connection.isClosed;
      assertConforms(isOver, `of three requests in one write only ${came.length} were answered`);
    },
  },
  {
    id: 'hostile/expect-continue',
    title: 'A client that sends Expect: 100-continue gets 100 or 417, and then a response',
    requirement: 'ORS-ERR-009',
    profile: 'hostile',
    async run(probe) {
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', '2'],
        ['Expect', '100-continue'],
      ] as const;
      const connection = probe.openRaw(probe.textOf('POST', '/create_session', { headers }));
      // A client that is told nothing sends its body after a while.
      await connection.waitUntil(() => connection.text !== '', 1_000);
      connection.write('{}');
      const response = await firstResponse(connection, probe.timeoutMs);
      const isRight = response?.status === 200 || response?.status === 417;
      assertConforms(isRight, `/create_session with Expect: 100-continue got ${response?.status ?? 'no answer'}`);
    },
  },
];

const request = (probe: Probe, headers: readonly (readonly [string, string])[], body: string) =>
  probe.textOf('POST', '/create_session', { headers, body });

/** A server may say that it does not know a version, a method or a coding. */
const isNoServerError = (status: number) => status < 500 || status === 501 || status === 505;

/** An answer to what need not get one. A busy server is waited for, as long as it takes to answer something else. */
async function answerIfAny(probe: Probe, connection: RawConnection): Promise<RawHttpResponse | undefined> {
  const response = await firstResponse(connection, WAIT_MS);
  if (response || connection.isClosed) return response;
  await probe.send('GET', '/health');
  return await firstResponse(connection, WAIT_MS / 3);
}

async function survives(probe: Probe, requests: readonly HostileRequest[]): Promise<void> {
  const { host } = probe;
  await Promise.all(
    requests.map(async ({ what, bytes }) => {
      const connection = probe.openRaw(Buffer.from(bytes(host), 'latin1'));
      const status = (await answerIfAny(probe, connection))?.status ?? 0;
      connection.close();
      assertConforms(isNoServerError(status), `${what} got ${status}`);
    }),
  );
  await isThere(probe, 'such requests');
}

async function isThere(probe: Probe, after: string): Promise<void> {
  const response = await probe.send('GET', '/health');
  assertConforms(response.status === 200, `after ${after} /health gave ${response.summary}`);
}
