import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { discoveryRequests } from './requests.ts';

export const errorStatusChecks: readonly ConformanceCheck[] = [
  {
    id: 'error/success-status',
    title: 'Health and discovery succeed with the status 200 and no other',
    requirement: 'ORS-ERR-009',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer: response } of await answers(probe)) {
        assertConforms(!response.isSuccess || response.status === 200, `${what} succeeded with ${response.status}`);
      }
    },
  },
  {
    id: 'discovery/json-type',
    title: 'Health and discovery are answered as application/json',
    requirement: 'ORS-DISC-043',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer: response } of await answers(probe)) {
        const isNamed = /^application\/([\w.-]+\+)?json$/.test(response.contentType);
        assertConforms(!response.isSuccess || isNamed, `${what} gave JSON as ${response.contentType || 'nothing'}`);
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
        const response = await probe.send(method, path, { follow: true });
        assertConforms(response.status === 405, `${method} ${path} gave ${response.summary}`);
        assertConforms(response.header('allow'), `${method} ${path} gave 405 without Allow`);
      }
    },
  },
];

async function answers(probe: Probe): Promise<{ what: string; answer: ProbeResponse }[]> {
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
