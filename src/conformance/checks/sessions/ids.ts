import { isRecord } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { HttpHeader, Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { sessionIdIn } from './steps.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AT_ONCE = 16;

const issue = (probe: Probe, accept?: string): Promise<ProbeResponse> =>
  probe.send('POST', '/create_session', { headers: accept === undefined ? [] : [['Accept', accept]] });

const isJsonId = (response: ProbeResponse) =>
  response.status === 200 && response.contentType === 'application/json' && typeof sessionIdIn(response) === 'string';

const seen = (response: ProbeResponse) => `gave ${response.contentType || 'no content type'}: ${response.summary}`;

export const idChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/id-as-json',
    title: 'POST /create_session with Accept: application/json answers 200 and JSON with a sid',
    requirement: 'ORS-SESS-001',
    profile: 'core',
    async run(probe) {
      const response = await issue(probe, 'application/json');
      assertConforms(isJsonId(response), `/create_session with Accept: application/json ${seen(response)}`);
      assertConforms(sessionIdIn(response) !== '', '/create_session gave an empty sid');
    },
  },
  {
    id: 'session/id-for-any-accept',
    title: 'POST /create_session answers that JSON too when Accept is */* or missing',
    requirement: 'ORS-SESS-002',
    profile: 'core',
    async run(probe) {
      const any = await issue(probe, '*/*');
      assertConforms(isJsonId(any), `/create_session with Accept: */* ${seen(any)}`);
      const none = await issue(probe);
      assertConforms(isJsonId(none), `/create_session without Accept ${seen(none)}`);
    },
  },
  {
    id: 'session/id-as-events',
    title: 'POST /create_session with Accept: text/event-stream answers task_id with the sid, then end',
    requirement: 'ORS-SESS-003',
    profile: 'core',
    async run(probe) {
      const response = await issue(probe, 'text/event-stream');
      assertConforms(
        response.stream.events.length > 0,
        `/create_session with Accept: text/event-stream ${seen(response)}`,
      );
      const names = response.events.map(({ event }) => event);
      assertConforms(names.join() === 'task_id,end', `the events were ${names.join(', ')}, not task_id and end`);
      const sid = isRecord(response.result) ? response.result.sid : response.taskId;
      assertConforms(
        response.taskId && sid === response.taskId,
        `task_id held '${response.taskId}', end the sid '${sid}'`,
      );
    },
  },
  {
    id: 'session/ids-differ',
    title: 'A thousand ids of /create_session are all different',
    requirement: 'ORS-SESS-004',
    profile: 'full',
    async run(probe) {
      const sids = new Set<unknown>();
      for (let count = 0; count < probe.loads.sids; ) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => issue(probe, 'application/json')));
        for (const response of answers) {
          const sid = sessionIdIn(response) ?? response.taskId;
          assume(sid, `/create_session ${seen(response)}`);
          assertConforms(!sids.has(sid), `the sid '${sid}' was issued twice within ${count + 1} ids`);
          sids.add(sid);
          count++;
        }
      }
    },
  },
  {
    id: 'session/id-is-uuid',
    title: 'A session id has the form of a UUID',
    requirement: 'ORS-SESS-005',
    profile: 'core',
    async run(probe) {
      const sid = await probe.createSessionId();
      assertConforms(UUID.test(sid), `the sid '${sid}' is no UUID`);
    },
  },
  {
    id: 'session/id-without-body',
    title: 'POST /create_session accepts an empty body, an empty object, and a request without Content-Type',
    requirement: 'ORS-SESS-006',
    profile: 'core',
    async run(probe) {
      const json: HttpHeader[] = [['Content-Type', 'application/json']];
      const requests = {
        'an empty body and Content-Type: application/json': { headers: json },
        'an empty object': { headers: json, body: '{}' },
        'neither body nor Content-Type': {},
      };
      for (const [what, request] of Object.entries(requests)) {
        const response = await probe.send('POST', '/create_session', request);
        assertConforms(response.isSuccess, `/create_session with ${what} gave ${response.summary}`);
      }
    },
  },
];
