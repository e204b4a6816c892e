import { isRecord, truncate } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import { STANDARD_LOADS } from '../../options.ts';
import type { Probe } from '../../probe/index.ts';
import { ensure, given } from '../../verdict.ts';
import { sendText } from './send-text.ts';

const MOST_RUNNING = STANDARD_LOADS.runningTools;
const TOOL_MS = 10_000;
const BEGIN_MS = 5_000;
const ATTEMPTS = 3;

export const healthChecks: readonly Check[] = [
  {
    id: 'discovery/health',
    title: 'GET /health answers 200 with the status "ok"',
    requirement: 'ORS-DISC-001',
    profile: 'discovery',
    async run(probe) {
      const answer = await probe.send('GET', '/health');
      const { json } = answer;
      ensure(answer.status === 200, `GET /health gave ${answer.summary}`);
      ensure(isRecord(json) && json.status === 'ok', `the body of GET /health was ${answer.text}`);
    },
  },
  {
    id: 'discovery/health-under-load',
    title: 'GET /health answers within a second while 32 tools run',
    requirement: 'ORS-DISC-002',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: MOST_RUNNING, calls: MOST_RUNNING },
    alone: true,
    async run(probe) {
      const running = await runTools(probe, Math.min(probe.loads.runningTools, MOST_RUNNING));
      try {
        const seen: string[] = [];
        // This machine may be the slow one.
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const answer = await probe.send('GET', '/health', { timeoutMs: 1_000 });
          const ended = running.filter(({ isOver }) => isOver).length;
          given(ended === 0, `${ended} of ${running.length} calls of 'sleep' ended before their ${TOOL_MS} ms`);
          if (answer.status === 200) return;
          seen.push(answer.summary);
        }
        ensure(false, `while ${running.length} tools ran, GET /health gave ${seen.join(', then ')}`);
      } finally {
        for (const transfer of running) transfer.abort();
      }
    },
  },
  {
    id: 'discovery/health-head',
    title: 'HEAD /health answers 200 without a body',
    requirement: 'ORS-DISC-028',
    profile: 'discovery',
    async run(probe) {
      const { status, body, summary } = await sendText(probe, 'HEAD', '/health');
      ensure(status === 200, `HEAD /health gave ${summary}`);
      ensure(body === '', `HEAD /health gave a body: ${truncate(body, 100)}`);
    },
  },
];

/** Calls in sessions of their own, as soon as all of them run. */
async function runTools(probe: Probe, count: number) {
  const episodes = await Promise.all(Array.from({ length: count }, () => probe.episode()));
  const calls = episodes.map((episode) => episode.start('sleep', { ms: TOOL_MS }));
  const begun = Promise.all(calls.map((call) => call.event('task_id')));
  // A server need not send anything before the end.
  await probe.within(BEGIN_MS, begun);
  return calls;
}
