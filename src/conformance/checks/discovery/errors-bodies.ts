import { previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';

const MEGABYTE = 1_048_576;

export const errorBodyChecks: readonly ConformanceCheck[] = [
  {
    id: 'error/no-json',
    title: 'A body that is not JSON is answered with 400 by all six routes with a body',
    requirement: 'ORS-ERR-003',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    run: (probe) => refuses(probe, ['{"split": ', 'split=train']),
  },
  {
    id: 'error/no-object',
    title: 'A body that is an array, null or empty is answered with 400 by all six routes that require an object',
    requirement: 'ORS-ERR-004',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    run: (probe) => refuses(probe, ['[]', 'null', '']),
  },
  {
    id: 'error/text-plain',
    title: 'A JSON body sent as text/plain is accepted, or answered with 400 or 415',
    requirement: 'ORS-ERR-006',
    profile: 'discovery',
    needs: ['task'],
    async run(probe) {
      const body = JSON.stringify({ split: probe.environment.split?.name });
      const headers = [['Content-Type', 'text/plain']] as const;
      const response = await probe.send('POST', probe.path('num_tasks'), { body, headers, follow: true });
      const isRight = response.isSuccess || [400, 415, 422].includes(response.status);
      assertConforms(isRight, `POST ${probe.path('num_tasks')} as text/plain gave ${response.summary}`);
    },
  },
  {
    id: 'error/large-task',
    title: 'A task_spec of 1 MB is accepted',
    requirement: 'ORS-ERR-008',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: 2 },
    async run(probe) {
      const { name: split } = probe.environment.split ?? {};
      const { json } = await probe.send('POST', probe.path('task'), { json: { split, index: 0 }, follow: true });
      const { task } = (json ?? {}) as { task?: object };
      assume(task, '/task gave no task');
      const small = await create(probe, { ...task, conformance_padding: 'x' });
      small.requireSuccess('/create with a task_spec that has a field more');
      const response = await create(probe, { ...task, conformance_padding: 'x'.repeat(MEGABYTE) });
      assertConforms(response.isSuccess, `/create with a task_spec of 1 MB gave ${response.summary}`);
    },
  },
];

async function create(probe: Probe, task: Readonly<Record<string, unknown>>): Promise<ProbeResponse> {
  return await probe.send('POST', '/create', {
    sid: await probe.createSessionId(),
    json: await probe.createBody({ task }),
  });
}

/** Sends bodies to every route that takes one, in a session where one is needed. */
async function refuses(probe: Probe, bodies: readonly string[]): Promise<void> {
  const { sid } = await probe.sharedEpisode();
  const routes = [
    ...['tasks', 'num_tasks', 'task', 'task_range'].map((action) => ({ path: probe.path(action), options: {} })),
    { path: '/create', options: { sid: await probe.createSessionId() } },
    { path: probe.path('call'), options: { sid } },
  ];
  for (const { path, options } of routes) {
    for (const body of bodies) {
      const headers = [['Content-Type', 'application/json']] as const;
      const response = await probe.send('POST', path, { ...options, body, headers, follow: true });
      assertConforms(
        response.status === 400,
        `POST ${path} with the body ${previewJson(body)} gave ${response.summary}`,
      );
    }
  }
}
