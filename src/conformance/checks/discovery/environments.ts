import { equalJson, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { discoveryRequests, NO_ENVIRONMENT } from './requests.ts';

const MAX_NAMES = 50;

export const environmentChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/environments',
    title: '/list_environments is an array of at least one string, none of them twice',
    requirement: 'ORS-DISC-003',
    profile: 'discovery',
    async run(probe) {
      const { json } = (await probe.send('GET', '/list_environments', { follow: true })).requireSuccess(
        '/list_environments',
      );
      assertConforms(Array.isArray(json) && json.length > 0, `/list_environments gave ${previewJson(json)}`);
      for (const [index, name] of json.entries()) {
        assertConforms(
          typeof name === 'string',
          `entry ${index} of /list_environments is no string but ${previewJson(name)}`,
        );
        assertConforms(json.indexOf(name) === index, `/list_environments names '${name}' twice`);
      }
    },
  },
  {
    id: 'discovery/environment-names',
    title: 'Every listed environment name works as the path segment of /tools and /splits',
    requirement: 'ORS-DISC-004',
    profile: 'discovery',
    async run(probe) {
      const names = probe.target.names.slice(0, MAX_NAMES);
      for (const action of ['tools', 'splits']) {
        const get = async (name: string) => {
          const path = probe.path(action, name);
          return { name, path, answer: await probe.send('GET', path, { follow: true }) };
        };
        const answers = await Promise.all(names.map(get));
        assume(
          answers.some(({ answer: response }) => response.isSuccess),
          `GET /{env_name}/${action} fails for every environment`,
        );
        for (const { name, path, answer: response } of answers) {
          assertConforms(response.isSuccess, `'${name}' is listed, and GET ${path} gave ${response.summary}`);
        }
      }
    },
  },
  {
    id: 'discovery/unknown-environment',
    title: 'An unknown environment is answered with 404 by all six discovery routes, after redirects',
    requirement: 'ORS-DISC-024',
    profile: 'discovery',
    async run(probe) {
      for (const { request, answer: response } of await askUnknown(probe, true)) {
        assertConforms(response.status === 404, `${request} gave ${response.summary}`);
      }
    },
  },
  {
    id: 'discovery/unknown-environment-at-once',
    title: 'An unknown environment is answered without a redirect',
    requirement: 'ORS-DISC-025',
    profile: 'discovery',
    async run(probe) {
      for (const { request, answer: response } of await askUnknown(probe, false)) {
        const leads = response.status >= 300 && response.status < 400;
        assertConforms(!leads, `${request} gave ${response.status} to ${response.header('location')}`);
      }
    },
  },
  {
    id: 'discovery/environment-case',
    title: "An environment's name in other case reaches it, in a path and in the body of /create",
    requirement: 'ORS-DISC-026',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 2 },
    async run(probe) {
      const name = swapCase(probe.environment.name);
      assumeApplicable(!probe.target.names.includes(name), `there is no other spelling of '${name}'`);
      (await probe.send('GET', probe.path('tools'), { follow: true })).requireSuccess('/tools');
      const path = probe.path('tools', name);
      const response = await probe.send('GET', path, { follow: true });
      assertConforms(response.isSuccess, `GET ${path} gave ${response.summary}`);
      const json = { ...(await probe.createBody()), env_name: name };
      const created = await probe.send('POST', '/create', { sid: await probe.createSessionId(), json });
      if (created.isSuccess) return;
      // It may be for another reason.
      await probe.episode();
      assertConforms(false, `/create with env_name '${name}' gave ${created.summary}`);
    },
  },
  {
    id: 'discovery/only-environment',
    title: 'Where a single environment is served, /tools and /num_tasks without its name reach it',
    requirement: 'ORS-DISC-027',
    profile: 'discovery',
    async run(probe) {
      assumeApplicable(probe.target.names.length === 1, `the server has ${probe.target.names.length} environments`);
      for (const { method, action, json } of discoveryRequests(probe.environment.split)) {
        if (action !== 'tools' && action !== 'num_tasks') continue;
        const named = await probe.send(method, probe.path(action), { json, follow: true });
        const bare = await probe.send(method, `/${action}`, { json, follow: true });
        named.requireSuccess(`${method} ${probe.path(action)}`);
        assertConforms(bare.isSuccess, `${method} /${action} gave ${bare.summary}`);
        assertConforms(equalJson(bare.json, named.json), `${method} /${action} gave ${bare.summary}`);
      }
    },
  },
];

/** The same name in other case, where it has letters. */
export function swapCase(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
}

/** The discovery routes under the name of no environment; those that do not work under a name either are left out. */
async function askUnknown(probe: Probe, follow: boolean): Promise<{ request: string; answer: ProbeResponse }[]> {
  const asked = await Promise.all(
    discoveryRequests(probe.environment.split).map(async ({ method, action, json }) => {
      const known = await probe.send(method, probe.path(action), { json, follow: true });
      const path = probe.path(action, NO_ENVIRONMENT);
      const response = await probe.send(method, path, { json, follow });
      return { request: `${method} ${path}`, answer: response, works: known.isSuccess };
    }),
  );
  const found = asked.filter(({ works }) => works);
  assume(found.length > 0, `no discovery route works in '${probe.environment.name}'`);
  return found;
}
