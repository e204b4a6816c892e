import { isRecord } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import { JSON_TYPE, type Probe, type ProbeResponse } from '../../probe/index.ts';
import { firstResponse } from '../raw-http.ts';
import { assertStatus, assertSuccess } from '../responses.ts';
import { sessionIdIn, unknownSid } from '../steps.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AT_ONCE = 16;

export const idChecks = defineChecks({ profile: 'core' }, [
  {
    id: 'session/id-as-json',
    title: 'POST /create_session with Accept: application/json returns 200 and JSON with a sid',
    requirement: 'ORS-SESS-001',
    async run(probe) {
      const response = await issue(probe, 'application/json');
      assertConforms(isJsonId(response), `/create_session with Accept: application/json ${returned(response)}`);
      assertConforms(sessionIdIn(response) !== '', '/create_session returned an empty sid');
    },
  },
  {
    id: 'session/id-for-any-accept',
    title: 'POST /create_session returns the same JSON if Accept is */* or missing',
    requirement: 'ORS-SESS-002',
    async run(probe) {
      const any = await issue(probe, '*/*');
      assertConforms(isJsonId(any), `/create_session with Accept: */* ${returned(any)}`);
      const none = await issue(probe);
      assertConforms(isJsonId(none), `/create_session without Accept ${returned(none)}`);
    },
  },
  {
    id: 'session/id-as-events',
    title: 'POST /create_session with Accept: text/event-stream sends task_id with the sid, then end',
    requirement: 'ORS-SESS-003',
    async run(probe) {
      const response = await issue(probe, 'text/event-stream');
      const what = '/create_session with Accept: text/event-stream';
      assertConforms(response.events.length > 0, `${what} ${returned(response)}`);
      const names = response.events.map(({ event }) => event);
      assertConforms(names.join() === 'task_id,end', `the events were ${names.join(', ')}, not task_id and end`);
      const { taskId, result } = response;
      const sid = isRecord(result) ? result.sid : taskId;
      assertConforms(taskId && sid === taskId, `task_id has '${taskId}', end has the sid '${sid}'`);
    },
  },
  {
    id: 'session/id-as-preferred',
    title: 'POST /create_session sends what Accept prefers by q-value, or names first',
    requirement: 'ORS-SESS-003',
    async run(probe) {
      for (const [accept, isStream] of [
        ['text/event-stream;q=0.5, application/json', false],
        ['application/json;q=0.1, text/event-stream;q=0.9', true],
        ['application/json, text/event-stream', false],
        ['text/event-stream, application/json', true],
        ['text/event-stream;q=0, */*', false],
      ] as const) {
        const response = await issue(probe, accept);
        const isRight = isStream ? response.events.length > 0 : isJsonId(response);
        assertConforms(isRight, `/create_session with Accept: ${accept} ${returned(response)}`);
      }
    },
  },
  {
    id: 'session/ids-differ',
    title: 'A thousand ids of /create_session are distinct',
    requirement: 'ORS-SESS-004',
    profile: 'full',
    async run(probe) {
      const sids = new Set<unknown>();
      for (let count = 0; count < probe.loads.sids; ) {
        const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => issue(probe, 'application/json')));
        for (const response of responses) {
          const sid = sessionIdIn(response) ?? response.taskId;
          assume(sid, `/create_session ${returned(response)}`);
          assertConforms(!sids.has(sid), `the sid '${sid}' was issued twice within ${count + 1} ids`);
          sids.add(sid);
          count++;
        }
      }
    },
  },
  {
    id: 'session/id-is-uuid',
    title: 'A session id is a UUID',
    requirement: 'ORS-SESS-005',
    async run(probe) {
      const sid = await probe.createSessionId();
      assertConforms(UUID.test(sid), `the sid '${sid}' is not a UUID`);
    },
  },
  {
    id: 'session/id-without-body',
    title: 'POST /create_session accepts an empty body, an empty object, and a request without Content-Type',
    requirement: 'ORS-SESS-006',
    async run(probe) {
      const requests = {
        'an empty body and Content-Type: application/json': { headers: [JSON_TYPE] },
        'an empty object': { headers: [JSON_TYPE], body: '{}' },
        'neither body nor Content-Type': {},
      };
      for (const [what, request] of Object.entries(requests)) {
        assertSuccess(await probe.send('POST', '/create_session', request), `/create_session with ${what}`);
      }
    },
  },
  {
    id: 'session/header-missing',
    title: 'The seven session routes reject a request without X-Session-ID with 400',
    requirement: 'ORS-SESS-010',
    async run(probe) {
      const wrong: string[] = [];
      for (const request of sessionRequests(probe)) {
        const response = await sendWithout(probe, request);
        if (response.status !== 400) wrong.push(`${request.path} returned ${response.summary}`);
      }
      assertConforms(wrong.length === 0, `without X-Session-ID ${wrong.join('; ')}`);
    },
  },
  {
    id: 'session/header-blank',
    title: 'A blank X-Session-ID is rejected with 400, like a missing one',
    requirement: 'ORS-SESS-011',
    async run(probe) {
      for (const [method, path] of [
        ['POST', '/ping'],
        ['POST', '/delete'],
        ['GET', probe.path('prompt')],
      ] as const) {
        assertStatus(await probe.send(method, path, { sid: '  ' }), 400, `${path} with a blank X-Session-ID`);
      }
    },
  },
  {
    id: 'session/header-bytes',
    title: 'A session id with bytes outside ASCII, UTF-8 or not, is rejected with 4xx',
    requirement: 'ORS-SESS-042',
    async run(probe) {
      const ids = { 'the bytes C3 A9 of UTF-8': [0x61, 0xc3, 0xa9], 'the byte FF': [0x61, 0xff] };
      for (const [what, bytes] of Object.entries(ids)) {
        const status = await statusOfPing(probe, Buffer.from(bytes));
        assertConforms(status >= 400 && status < 500, `a session id with ${what} returned ${status || 'no response'}`);
      }
    },
  },
  {
    id: 'session/header-twice',
    title: 'A request with two different X-Session-ID headers is rejected with 400',
    requirement: 'ORS-SESS-043',
    needs: ['task'],
    async run(probe) {
      const { sid } = await probe.sharedEpisode();
      for (const sids of [
        [sid, unknownSid()],
        [unknownSid(), sid],
      ]) {
        const headers = sids.map((each) => ['X-Session-ID', each] as const);
        const response = await probe.send('POST', '/ping', { headers });
        assertStatus(response, 400, '/ping with two different X-Session-ID headers');
      }
    },
  },
]);

const issue = (probe: Probe, accept?: string): Promise<ProbeResponse> =>
  probe.send('POST', '/create_session', { headers: accept === undefined ? [] : [['Accept', accept]] });

const isJsonId = (response: ProbeResponse) =>
  response.status === 200 && response.contentType === 'application/json' && typeof sessionIdIn(response) === 'string';

const returned = (response: ProbeResponse) =>
  `returned ${response.contentType || 'no content type'}: ${response.summary}`;

/** Returns a request of each route that needs a session. */
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

/** Sends a request without a valid session id, and deletes the episode that it may have opened. */
async function sendWithout(probe: Probe, { method, path, json }: ReturnType<typeof sessionRequests>[number]) {
  const response = await probe.send(method, path, json ? { json } : {});
  const sid = sessionIdIn(response);
  if (path === '/create' && typeof sid === 'string') await probe.send('POST', '/delete', { sid });
  return response;
}

/** Returns the status of a ping whose X-Session-ID has these bytes; 0 without a response. */
async function statusOfPing(probe: Probe, sid: Buffer): Promise<number> {
  const headers = [
    ['Connection', 'close'],
    ['Content-Length', '0'],
    ['X-Session-ID', sid.toString('latin1')],
  ] as const;
  const connection = probe.openRaw(Buffer.from(probe.textOf('POST', '/ping', { headers }), 'latin1'));
  return (await firstResponse(connection, probe.timeoutMs))?.status ?? 0;
}
