import type { ConformanceCheck } from '../../check.ts';
import type { HttpHeader, Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { sessionIdIn, unknownSid } from './steps.ts';

/** A request of each route that needs a session. */
function sessionRequests(probe: Probe) {
  const [tool] = probe.environment.tools;
  return [
    { method: 'POST', path: '/create', json: { env_name: probe.environment.name, task_spec: {} } },
    { method: 'POST', path: '/ping' },
    { method: 'POST', path: '/delete' },
    { method: 'POST', path: '/delete_session' },
    { method: 'POST', path: probe.path('call'), json: { name: tool?.name ?? 'any', input: {} } },
    { method: 'GET', path: probe.path('prompt') },
    { method: 'GET', path: probe.path('task_tools') },
  ];
}

/** Sends a request without a usable id; what it may have opened all the same is deleted. */
async function sendWithout(probe: Probe, { method, path, json }: ReturnType<typeof sessionRequests>[number]) {
  const response = await probe.send(method, path, json ? { json } : {});
  const sid = sessionIdIn(response);
  if (path === '/create' && typeof sid === 'string') await probe.send('POST', '/delete', { sid });
  return response;
}

/** The status of a ping whose header line is written as these bytes; 0 if no answer came. */
async function statusOfPing(probe: Probe, sid: Buffer): Promise<number> {
  const head = probe.textOf('POST', '/ping', {
    headers: [
      ['Connection', 'close'],
      ['Content-Length', '0'],
      ['X-Session-ID', sid.toString('latin1')],
    ],
  });
  const connection = probe.openRaw(Buffer.from(head, 'latin1'));
  await connection.waitUntil(() => /^HTTP\/\d\.\d \d{3}/.test(connection.text), probe.timeoutMs);
  return Number(/^HTTP\/\d\.\d (\d{3})/.exec(connection.text)?.[1] ?? 0);
}

export const headerChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/header-missing',
    title: 'The seven routes of sessions answer 400 without X-Session-ID',
    requirement: 'ORS-SESS-010',
    profile: 'core',
    async run(probe) {
      const wrong: string[] = [];
      for (const request of sessionRequests(probe)) {
        const response = await sendWithout(probe, request);
        if (response.status !== 400) wrong.push(`${request.path} gave ${response.summary}`);
      }
      assertConforms(wrong.length === 0, `without X-Session-ID ${wrong.join('; ')}`);
    },
  },
  {
    id: 'session/header-blank',
    title: 'A blank X-Session-ID is answered with 400 as a missing one is',
    requirement: 'ORS-SESS-011',
    profile: 'core',
    async run(probe) {
      for (const [method, path] of [
        ['POST', '/ping'],
        ['POST', '/delete'],
        ['GET', probe.path('prompt')],
      ] as const) {
        const response = await probe.send(method, path, { sid: '  ' });
        assertConforms(response.status === 400, `${path} with a blank X-Session-ID gave ${response.summary}`);
      }
    },
  },
  {
    id: 'session/header-bytes',
    title: 'A session id with bytes outside of ASCII, UTF-8 or not, is answered with 4xx',
    requirement: 'ORS-SESS-042',
    profile: 'core',
    async run(probe) {
      const ids = { 'the bytes C3 A9 of UTF-8': [0x61, 0xc3, 0xa9], 'the byte FF': [0x61, 0xff] };
      for (const [what, bytes] of Object.entries(ids)) {
        const status = await statusOfPing(probe, Buffer.from(bytes));
        assertConforms(status >= 400 && status < 500, `a session id with ${what} gave ${status || 'no answer'}`);
      }
    },
  },
  {
    id: 'session/header-twice',
    title: 'A request with two different X-Session-ID headers is answered with 400',
    requirement: 'ORS-SESS-043',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const { sid } = await probe.sharedEpisode();
      const twice = (first: string, second: string): Promise<ProbeResponse> => {
        const headers: HttpHeader[] = [
          ['X-Session-ID', first],
          ['X-Session-ID', second],
        ];
        return probe.send('POST', '/ping', { headers });
      };
      for (const response of [await twice(sid, unknownSid()), await twice(unknownSid(), sid)]) {
        assertConforms(
          response.status === 400,
          `/ping with two different X-Session-ID headers gave ${response.summary}`,
        );
      }
    },
  },
];
