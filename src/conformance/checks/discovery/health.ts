import type { Check } from '../../check.ts';
import { ensure } from '../../verdict.ts';

export const healthChecks: readonly Check[] = [
  {
    id: 'discovery/health',
    title: 'GET /health answers 200 and {"status":"ok"}',
    requirement: 'ORS-DISC-001',
    profile: 'discovery',
    async run(probe) {
      const answer = await probe.send('GET', '/health');
      ensure(answer.status === 200, `GET /health gave ${answer.summary}`);
      ensure(JSON.stringify(answer.json) === '{"status":"ok"}', `the body of GET /health was ${answer.text}`);
    },
  },
];
