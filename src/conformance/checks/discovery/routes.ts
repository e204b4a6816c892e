import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms } from '../../verdict.ts';
import { isListable, NO_SPLIT } from './requests.ts';

interface RouteCase {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

const NO_ROUTE = 'conformance-no-such-route';

export const routeChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/routes',
    title: 'Every documented route exists under its method and path',
    requirement: 'ORS-DISC-033',
    profile: 'discovery',
    async run(probe) {
      for (const route of documentedRoutes(probe)) {
        const response = await ask(probe, route);
        const { status } = response;
        assertConforms(status !== 405 && status !== 501, `${route.method} ${route.path} gave ${response.summary}`);
        if (status === 404)
          assertConforms(await isThere(probe, route, response), `${route.method} ${route.path} is no route: 404`);
      }
    },
  },
  {
    id: 'discovery/steps',
    title: 'Environments, tools, splits and tasks can be requested in this order, with nothing before them',
    requirement: 'ORS-DISC-039',
    profile: 'discovery',
    async run(probe) {
      const { name, split } = probe.environment;
      const steps: RouteCase[] = [
        { method: 'GET', path: '/list_environments' },
        { method: 'GET', path: probe.path('tools', name) },
        { method: 'GET', path: probe.path('splits', name) },
        ...(split && isListable(split)
          ? [{ method: 'POST', path: probe.path('tasks', name), json: { split: split.name } }]
          : []),
      ];
      for (const step of steps) {
        const response = await ask(probe, step);
        assertConforms(response.isSuccess, `${step.method} ${step.path} gave ${response.summary}`);
      }
    },
  },
];

const ask = (probe: Probe, { method, path, json }: RouteCase): Promise<ProbeResponse> =>
  probe.send(method, path, { json, follow: true });

/** The routes of the documents, as nothing comes of them: without a session, and for a split that there is not. */
function documentedRoutes(probe: Probe): RouteCase[] {
  const own = (method: string, action: string, json?: unknown) => ({ method, path: probe.path(action), json });
  return [
    { method: 'GET', path: '/health' },
    { method: 'GET', path: '/list_environments' },
    own('GET', 'tools'),
    own('GET', 'splits'),
    ...['tasks', 'num_tasks', 'task', 'task_range'].map((action) => own('POST', action, { split: NO_SPLIT })),
    { method: 'POST', path: '/create_session' },
    { method: 'POST', path: '/create', json: {} },
    ...['/ping', '/delete', '/delete_session'].map((path) => ({ method: 'POST', path })),
    own('GET', 'task_tools'),
    own('GET', 'prompt'),
    own('POST', 'call', { name: NO_ROUTE, input: {} }),
  ];
}

/** Whether a 404 is about something in the request, and not the one that every path gets. */
async function isThere(probe: Probe, route: RouteCase, response: ProbeResponse): Promise<boolean> {
  const last = route.path.slice(route.path.lastIndexOf('/') + 1);
  const nowhere = await ask(probe, { ...route, path: route.path.slice(0, -last.length) + NO_ROUTE });
  return nowhere.status !== 404 || nowhere.text.replaceAll(NO_ROUTE, '*') !== response.text.replaceAll(last, '*');
}
