import { isRecord } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { postCreate, unknownSid } from './steps.ts';

/** Far longer than a ping takes. */
const SETUP_MS = 3_000;

const isOk = ({ status, json }: ProbeResponse) => status === 200 && isRecord(json) && json.status === 'ok';

/** Milliseconds from the sending of one request to the answer of another. */
const passed = (from: ProbeResponse, to: ProbeResponse) => (to.exchange.endedAt ?? Infinity) - from.exchange.sentAt;

export const pingChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/ping',
    title: 'POST /ping of a live session answers 200 and the status "ok"',
    requirement: 'ORS-SESS-023',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const response = await (await probe.sharedEpisode()).ping();
      assertConforms(isOk(response), `/ping of a live session gave ${response.summary}`);
    },
  },
  {
    id: 'session/ping-during-setup',
    title: 'POST /ping answers the same while setup runs',
    requirement: 'ORS-SESS-023',
    profile: 'full',
    needs: ['fixture'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody({ task: { setup_ms: SETUP_MS } });
      const created = (await postCreate(probe, sid, body)).requireSuccess('/create');
      assume(passed(created, created) < SETUP_MS, '/create was answered only when setup was over');
      const response = await probe.send('POST', '/ping', { sid });
      assertConforms(isOk(response), `/ping during setup gave ${response.summary}`);
      assertConforms(passed(created, response) < SETUP_MS, '/ping was answered only when setup was over');
    },
  },
  {
    id: 'session/ping-unknown',
    title: 'POST /ping with an id without a session answers 404',
    requirement: 'ORS-SESS-024',
    profile: 'core',
    async run(probe) {
      const response = await probe.send('POST', '/ping', { sid: unknownSid() });
      assertConforms(response.status === 404, `/ping with an unknown id gave ${response.summary}`);
    },
  },
];
