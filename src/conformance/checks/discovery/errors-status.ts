import type { Check } from '../../check.ts';
import type { Answer, Probe } from '../../probe/index.ts';
import { ensure } from '../../verdict.ts';
import { discoveryRequests } from './requests.ts';

export const errorStatusChecks: readonly Check[] = [
  {
    id: 'error/success-status',
    title: 'Health and discovery succeed with the status 200 and no other',
    requirement: 'ORS-ERR-009',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer } of await answers(probe)) {
        ensure(!answer.isSuccess || answer.status === 200, `${what} succeeded with ${answer.status}`);
      }
    },
  },
  {
    id: 'discovery/json-type',
    title: 'Health and discovery are answered as application/json',
    requirement: 'ORS-DISC-043',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer } of await answers(probe)) {
        const isNamed = /^application\/([\w.-]+\+)?json$/.test(answer.contentType);
        ensure(!answer.isSuccess || isNamed, `${what} gave JSON as ${answer.contentType || 'nothing'}`);
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

async function answers(probe: Probe): Promise<{ what: string; answer: Answer }[]> {
  const own = discoveryRequests(probe.environment.split).map(({ method, action, json }) => {
    return { method, path: probe.path(action), json };
  });
  const fixed = ['/health', '/list_environments'].map((path) => ({ method: 'GET', path, json: undefined }));
  return await Promise.all(
    [...fixed, ...own].map(async ({ method, path, json }) => {
      return { what: `${method} ${path}`, answer: await probe.send(method, path, { json, follow: true }) };
    }),
  );
}
