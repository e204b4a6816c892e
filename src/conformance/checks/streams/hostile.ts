import { equalJson, joinWords, tryParseJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Probe, RawConnection } from '../../probe/index.ts';
import { ensure } from '../../verdict.ts';
import { givenEpisodes } from '../sessions/steps.ts';
import { MALFORMED, type Malformed, OVERSIZED } from './hostile-requests.ts';
import { answerOn, type HttpAnswer, readAnswers } from './http-answers.ts';

/** How long a server may wait for the rest of something that has none. */
const WAIT_MS = 3_000;
/** More than servers usually take. */
const BODY_BYTES = 34 * 1024 * 1024;

/** Requests of broken or ill-meaning clients. */
export const hostileChecks: readonly Check[] = [
  {
    id: 'hostile/malformed-http',
    title: 'Malformed HTTP requests are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    profile: 'hostile',
    run: (probe) => survives(probe, MALFORMED),
  },
  {
    id: 'hostile/oversized-head',
    title: 'Headers and targets of 1 MB are rejected without a server error, and the server continues',
    requirement: 'ORS-ERR-005',
    profile: 'hostile',
    run: (probe) => survives(probe, OVERSIZED),
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
      const answer = await probe.send('POST', probe.path('tasks'), { body, headers });
      ensure(isNoServerError(answer.status), `a body of 34 MiB got ${answer.summary}`);
      const status = (await answerIfAny(probe, endless))?.status ?? 0;
      ensure(isNoServerError(status), `a body that announces a terabyte got ${status}`);
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
      await givenEpisodes(probe);
      const sid = await probe.newSid();
      const json = await probe.createBody();
      const body = JSON.stringify(json);
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', String(body.length + 100)],
      ] as const;
      const connection = probe.openRaw(probe.textOf('POST', '/create', { sid, headers, body }));
      connection.finish();
      await connection.sees(() => connection.text !== '', WAIT_MS);
      connection.close();
      const answer = await probe.send('POST', '/create', { sid, json });
      ensure(answer.isSuccess, `after a /create that broke off, /create with the same id gave ${answer.summary}`);
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
        await connection.sees(() => readAnswers(connection.bytes).length > 1, WAIT_MS);
        const statuses = readAnswers(connection.bytes).map(({ status }) => status);
        ensure(statuses.length <= 1, `a request with ${what} got the answers ${joinWords(statuses.map(String))}`);
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
      const wanted = await Promise.all(
        paths.map(async (path) => (await probe.send('GET', path)).successful(path).json),
      );
      const connection = probe.openRaw(paths.map((path) => probe.textOf('GET', path)).join(''));
      const answers = () => readAnswers(connection.bytes).filter(({ isWhole }) => isWhole);
      const isClosing = () => answers().some(({ headers }) => headers.get('connection')?.toLowerCase() === 'close');
      await connection.sees(() => answers().length === paths.length || isClosing(), probe.timeoutMs);
      const came = answers();
      ensure(came.length > 0, 'three requests in one write got no answer');
      for (const [index, { status, body }] of came.entries()) {
        const isRight = status === 200 && equalJson(tryParseJson(body) ?? body, wanted[index]);
        ensure(isRight, `of three requests in one write, ${paths[index]} got ${status} ${body}`);
      }
      const isOver = came.length === paths.length || isClosing() || connection.isOver;
      ensure(isOver, `of three requests in one write only ${came.length} were answered`);
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
      await connection.sees(() => connection.text !== '', 1_000);
      connection.write('{}');
      const answer = await answerOn(connection, probe.timeoutMs);
      const isRight = answer?.status === 200 || answer?.status === 417;
      ensure(isRight, `/create_session with Expect: 100-continue got ${answer?.status ?? 'no answer'}`);
    },
  },
];

const request = (probe: Probe, headers: readonly (readonly [string, string])[], body: string) =>
  probe.textOf('POST', '/create_session', { headers, body });

/** A server may say that it does not know a version, a method or a coding. */
const isNoServerError = (status: number) => status < 500 || status === 501 || status === 505;

/** An answer to what need not get one. A busy server is waited for, as long as it takes to answer something else. */
async function answerIfAny(probe: Probe, connection: RawConnection): Promise<HttpAnswer | undefined> {
  const answer = await answerOn(connection, WAIT_MS);
  if (answer || connection.isOver) return answer;
  await probe.send('GET', '/health');
  return await answerOn(connection, WAIT_MS / 3);
}

async function survives(probe: Probe, requests: readonly Malformed[]): Promise<void> {
  const { host } = probe;
  await Promise.all(
    requests.map(async ({ what, bytes }) => {
      const connection = probe.openRaw(Buffer.from(bytes(host), 'latin1'));
      const status = (await answerIfAny(probe, connection))?.status ?? 0;
      connection.close();
      ensure(isNoServerError(status), `${what} got ${status}`);
    }),
  );
  await isThere(probe, 'such requests');
}

async function isThere(probe: Probe, after: string): Promise<void> {
  const answer = await probe.send('GET', '/health');
  ensure(answer.status === 200, `after ${after} /health gave ${answer.summary}`);
}
