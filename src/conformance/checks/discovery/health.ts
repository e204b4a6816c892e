import { isRecord, truncate } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { STANDARD_LOADS } from '../../options.ts';
import type { Probe } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { sendText } from './send-text.ts';

const MAX_RUNNING_TOOLS = STANDARD_LOADS.runningTools;
const TOOL_MS = 10_000;
const BEGIN_MS = 5_000;
const ATTEMPTS = 3;

export const healthChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/health',
    title: 'GET /health answers 200 with the status "ok"',
    requirement: 'ORS-DISC-001',
    profile: 'discovery',
    async run(probe) {
      const response = await probe.send('GET', '/health');
      const { json } = response;
      assertConforms(response.status === 200, `GET /health gave ${response.summary}`);
      assertConforms(isRecord(json) && json.status === 'ok', `the body of GET /health was ${response.text}`);
    },
  },
  {
    id: 'discovery/health-under-load',
    title: 'GET /health answers within a second while 32 tools run',
    requirement: 'ORS-DISC-002',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: MAX_RUNNING_TOOLS, calls: MAX_RUNNING_TOOLS },
    exclusive: true,
    async run(probe) {
      const running = await runTools(probe, Math.min(probe.loads.runningTools, MAX_RUNNING_TOOLS));
      try {
        const seen: string[] = [];
        // This machine may be the slow one.
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const response = await probe.send('GET', '/health', { timeoutMs: 1_000 });
          const ended = running.filter(({ hasEnded }) => hasEnded).length;
          assume(ended === 0, `${ended} of ${running.length} calls of 'sleep' ended before their ${TOOL_MS} ms`);
          if (response.status === 200) return;
          seen.push(response.summary);
        }
        assertConforms(false, `while ${running.length} tools ran, GET /health gave ${seen.join(', then ')}`);
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
      assertConforms(status === 200, `HEAD /health gave ${summary}`);
      assertConforms(body === '', `HEAD /health gave a body: ${truncate(body, 100)}`);
    },
  },
];

/** Calls in sessions of their own, as soon as all of them run. */
async function runTools(probe: Probe, count: number) {
  const episodes = await Promise.all(Array.from({ length: count }, () => probe.episode()));
  const calls = episodes.map((episode) => episode.start('sleep', { ms: TOOL_MS }));
  const started = Promise.all(calls.map((call) => call.event('task_id')));
  // A server need not send anything before the end.
  await probe.within(BEGIN_MS, started);
  return calls;
}
