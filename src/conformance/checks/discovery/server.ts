import { equalJson, fieldsOf, previewJson, truncate } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import { STANDARD_LOADS } from '../../options.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { sendText } from '../raw-http.ts';
import { assertStatus, assertSuccess } from '../responses.ts';
import { postCreate } from '../steps.ts';
import { discoveryRequests, NO_ENVIRONMENT, NO_SPLIT } from './requests.ts';

const MAX_RUNNING_TOOLS = STANDARD_LOADS.runningTools;
const TOOL_MS = 10_000;
const BEGIN_MS = 5_000;
const ATTEMPTS = 3;
const MAX_NAMES = 50;
const NO_ROUTE = 'conformance-no-such-route';

export const serverInfoChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/health',
    title: 'GET /health returns 200 with the status "ok"',
    requirement: 'ORS-DISC-001',
    async run(probe) {
      const response = await probe.send('GET', '/health');
      assertStatus(response, 200, 'GET /health');
      assertConforms(fieldsOf(response.json).status === 'ok', `the body of GET /health was ${response.text}`);
    },
  },
  fixtureCheck({
    id: 'discovery/health-under-load',
    title: 'GET /health responds within a second while 32 tools run',
    requirement: 'ORS-DISC-002',
    tools: ['sleep'],
    sessions: MAX_RUNNING_TOOLS,
    calls: MAX_RUNNING_TOOLS,
    exclusive: true,
    async run(probe) {
      const running = await startTools(probe, Math.min(probe.loads.runningTools, MAX_RUNNING_TOOLS));
      try {
        const failures: string[] = [];
        // Retries, because this machine may be slow.
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const response = await probe.send('GET', '/health', { timeoutMs: 1_000 });
          const ended = running.filter(({ hasEnded }) => hasEnded).length;
          assume(ended === 0, `${ended} of ${running.length} calls of 'sleep' ended before their ${TOOL_MS} ms`);
          if (response.status === 200) return;
          failures.push(response.summary);
        }
        assertConforms(false, `while ${running.length} tools ran, GET /health returned ${failures.join(', then ')}`);
      } finally {
        for (const transfer of running) transfer.abort();
      }
    },
  }),
  {
    id: 'discovery/health-head',
    title: 'HEAD /health returns 200 without a body',
    requirement: 'ORS-DISC-028',
    async run(probe) {
      const response = await sendText(probe, 'HEAD', '/health');
      assertStatus(response, 200, 'HEAD /health');
      assertConforms(response.body === '', `HEAD /health returned a body: ${truncate(response.body, 100)}`);
    },
  },
  {
    id: 'discovery/environments',
    title: '/list_environments is a non-empty array of distinct strings',
    requirement: 'ORS-DISC-003',
    async run(probe) {
      const response = await probe.send('GET', '/list_environments', { follow: true });
      const { json } = response.requireSuccess('/list_environments');
      assertConforms(Array.isArray(json) && json.length > 0, `/list_environments returned ${previewJson(json)}`);
      for (const [index, name] of json.entries()) {
        const entry = `entry ${index} of /list_environments`;
        assertConforms(typeof name === 'string', `${entry} is ${previewJson(name)} instead of a string`);
        assertConforms(json.indexOf(name) === index, `/list_environments names '${name}' twice`);
      }
    },
  },
  {
    id: 'discovery/environment-names',
    title: 'Every listed environment name works as the path segment of /tools and /splits',
    requirement: 'ORS-DISC-004',
    async run(probe) {
      const names = probe.target.names.slice(0, MAX_NAMES);
      for (const action of ['tools', 'splits']) {
        const get = async (name: string) => ({ name, response: await probe.discover(action, undefined, name) });
        const responses = await Promise.all(names.map(get));
        const works = responses.some(({ response }) => response.isSuccess);
        assume(works, `GET /{env_name}/${action} fails for every environment`);
        for (const { name, response } of responses) {
          assertSuccess(response, `'${name}' is listed, and GET ${probe.path(action, name)}`);
        }
      }
    },
  },
  {
    id: 'discovery/unknown-environment',
    title: 'All six discovery routes reject an unknown environment with 404, after redirects',
    requirement: 'ORS-DISC-024',
    async run(probe) {
      for (const { request, response } of await requestUnknownEnvironment(probe, true)) {
        assertStatus(response, 404, request);
      }
    },
  },
  {
    id: 'discovery/unknown-environment-at-once',
    title: 'An unknown environment is rejected without a redirect',
    requirement: 'ORS-DISC-025',
    async run(probe) {
      for (const { request, response } of await requestUnknownEnvironment(probe, false)) {
        const isRedirect = response.status >= 300 && response.status < 400;
        assertConforms(!isRedirect, `${request} returned ${response.status} to ${response.header('location')}`);
      }
    },
  },
  {
    id: 'discovery/environment-case',
    title: "An environment's name is case-insensitive, in a path and in the body of /create",
    requirement: 'ORS-DISC-026',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 2 },
    async run(probe) {
      const name = swapCase(probe.environment.name);
      const isOther = !probe.target.names.includes(name);
      assumeApplicable(isOther, `'${name}' has no other case that is not an environment too`);
      (await probe.discover('tools')).requireSuccess('/tools');
      assertSuccess(await probe.discover('tools', undefined, name), `GET ${probe.path('tools', name)}`);
      const json = { ...(await probe.createBody()), env_name: name };
      const created = await postCreate(probe, await probe.createSessionId(), json);
      // Not testable if /create fails with the listed name too.
      if (!created.isSuccess) await probe.episode();
      assertSuccess(created, `/create with env_name '${name}'`);
    },
  },
  {
    id: 'discovery/only-environment',
    title: 'On a server with a single environment, /tools and /num_tasks work without its name',
    requirement: 'ORS-DISC-027',
    async run(probe) {
      assumeApplicable(probe.target.names.length === 1, `the server has ${probe.target.names.length} environments`);
      for (const { method, action, json } of discoveryRequests(probe.environment.split)) {
        if (action !== 'tools' && action !== 'num_tasks') continue;
        const named = await probe.discover(action, json);
        const bare = await probe.send(method, `/${action}`, { json, follow: true });
        named.requireSuccess(`${method} ${probe.path(action)}`);
        const isSame = bare.isSuccess && equalJson(bare.json, named.json);
        assertConforms(isSame, `${method} /${action} returned ${bare.summary}`);
      }
    },
  },
  {
    id: 'discovery/routes',
    title: 'Every documented route exists under its method and path',
    requirement: 'ORS-DISC-033',
    async run(probe) {
      for (const route of documentedRoutes(probe)) {
        const response = await request(probe, route);
        const { status, summary } = response;
        const what = `${route.method} ${route.path}`;
        assertConforms(status !== 405 && status !== 501, `${what} returned ${summary}`);
        const exists = status !== 404 || (await routeExists(probe, route, response));
        assertConforms(exists, `${what} does not exist: 404`);
      }
    },
  },
  {
    id: 'discovery/steps',
    title: 'Environments, tools, splits and tasks can be requested in this order, without further requests',
    requirement: 'ORS-DISC-039',
    async run(probe) {
      const environments = await probe.send('GET', '/list_environments', { follow: true });
      assertSuccess(environments, 'GET /list_environments');
      for (const { method, action, json } of discoveryRequests(probe.environment.split)) {
        if (!['tools', 'splits', 'tasks'].includes(action)) continue;
        assertSuccess(await probe.discover(action, json), `${method} ${probe.path(action)}`);
      }
    },
  },
]);

/** Starts one call in each of `count` sessions, and resolves when all of them run. */
async function startTools(probe: Probe, count: number) {
  const episodes = await Promise.all(Array.from({ length: count }, () => probe.episode()));
  const calls = episodes.map((episode) => episode.start('sleep', { ms: TOOL_MS }));
  const started = Promise.all(calls.map((call) => call.event('task_id')));
  // The server need not send anything before the result.
  await probe.within(BEGIN_MS, started);
  return calls;
}

/** Returns the name in upper case, or in lower case if it is in upper case. */
export function swapCase(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
}

/** Requests the discovery routes that work, with the name of an unknown environment. */
async function requestUnknownEnvironment(probe: Probe, follow: boolean) {
  const requested = await Promise.all(
    discoveryRequests(probe.environment.split).map(async ({ method, action, json }) => {
      const known = await probe.discover(action, json);
      const path = probe.path(action, NO_ENVIRONMENT);
      const response = await probe.send(method, path, { json, follow });
      return { request: `${method} ${path}`, response, works: known.isSuccess };
    }),
  );
  const found = requested.filter(({ works }) => works);
  assume(found.length > 0, `no discovery route works in '${probe.environment.name}'`);
  return found;
}

interface RouteCase {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

const request = (probe: Probe, { method, path, json }: RouteCase): Promise<ProbeResponse> =>
  probe.send(method, path, { json, follow: true });

/** Returns a request of each documented route without effect: without a session id, and with an unknown split. */
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

/** Returns whether a 404 is about the content of the request, and differs from the 404 of an unknown path. */
async function routeExists(probe: Probe, route: RouteCase, response: ProbeResponse): Promise<boolean> {
  const last = route.path.slice(route.path.lastIndexOf('/') + 1);
  const nowhere = await request(probe, { ...route, path: route.path.slice(0, -last.length) + NO_ROUTE });
  return nowhere.status !== 404 || nowhere.text.replaceAll(NO_ROUTE, '*') !== response.text.replaceAll(last, '*');
}
