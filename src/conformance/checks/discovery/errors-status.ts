import type { Check } from '../../check.ts';
import { ensure } from '../../verdict.ts';
import { discoveryRequests } from './requests.ts';

export const errorStatusChecks: readonly Check[] = [
  {
    id: 'error/success-status',
    title: 'Health and discovery succeed with the status 200 and no other',
    requirement: 'ORS-ERR-009',
    profile: 'discovery',
    async run(probe) {
      const own = discoveryRequests(probe.environment.split).map(({ method, action, json }) => {
        return { method, path: probe.path(action), json };
      });
      const fixed = ['/health', '/list_environments'].map((path) => ({ method: 'GET', path, json: undefined }));
      for (const { method, path, json } of [...fixed, ...own]) {
        const answer = await probe.send(method, path, { json, follow: true });
        ensure(!answer.isSuccess || answer.status === 200, `${method} ${path} succeeded with ${answer.status}`);
      }
    },
  },
  {
    id: 'error/method',
    title: 'A wrong method is answered with 405 and an Allow header',
    requirement: 'ORS-ERR-007',
    profile: 'discovery',
    async run(probe) {
      for (const [method, path] of [
        ['POST', '/health'],
        ['GET', probe.path('num_tasks')],
      ] as const) {
        const answer = await probe.send(method, path, { follow: true });
        ensure(answer.status === 405, `${method} ${path} gave ${answer.summary}`);
        ensure(answer.header('allow'), `${method} ${path} gave 405 without Allow`);
      }
    },
  },
];
