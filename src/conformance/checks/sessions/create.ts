import { equalJson, previewJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { parseDiscoveredTools } from '../../target.ts';
import { NO_ENVIRONMENT, NO_SPLIT } from '../discovery/requests.ts';
import { assertClientError, assertStatus, assertSuccess, isClientError } from '../responses.ts';
import { assumeEpisodes, fetchTask, openEpisode, pickTask, postCreate, requirePrompt, sessionIdIn } from '../steps.ts';

export const createChecks = defineChecks({ profile: 'core', needs: ['task'], cost: { sessions: 1 } }, [
  {
    id: 'session/create-inline',
    title: 'POST /create with an inline task_spec returns 200 and the sid of the request',
    requirement: 'ORS-SESS-007',
    async run(probe) {
      await assumeEpisodes(probe);
      const task_spec = await fetchTask(probe, pickTask(probe));
      const sid = await probe.createSessionId();
      const response = await postCreate(probe, sid, await probe.createBody({ task: task_spec }));
      assertStatus(response, 200, `/create with task_spec ${previewJson(task_spec)}`);
      assertConforms(sessionIdIn(response) === sid, `/create for the session '${sid}' returned ${response.summary}`);
    },
  },
  {
    id: 'session/create-by-index',
    title: 'POST /create with split and index opens an episode of exactly that task',
    requirement: 'ORS-SESS-008',
    cost: { sessions: 3 },
    async run(probe) {
      const place = pickTask(probe);
      const body = { ...(await probe.createBody()), ...place };
      const sid = await probe.createSessionId();
      const response = await postCreate(probe, sid, body);
      assertSuccess(response, `/create with ${previewJson(place)}`);
      const prompt = await requirePrompt(probe.episodeOf(sid));

      const expected = await promptWith(probe, await probe.createBody({ task: await fetchTask(probe, place) }));
      if (equalJson(prompt, expected)) return;
      const isStable = equalJson(prompt, await promptWith(probe, body));
      assume(isStable, 'two episodes of one task have different prompts, so prompts do not identify tasks');
      const inline = `with that task inline it is ${previewJson(expected)}`;
      assertConforms(false, `the prompt with ${previewJson(place)} was ${previewJson(prompt)}; ${inline}`);
    },
  },
  {
    id: 'session/create-default-environment',
    title: 'POST /create without env_name opens the first environment',
    requirement: 'ORS-SESS-009',
    needs: [],
    cost: { sessions: 2 },
    async run(probe) {
      const first = probe.target.environments.find(({ name }) => name === probe.target.names[0]);
      assume(first?.split, 'the first environment has no split with a task');
      const sid = await probe.createSessionId();
      const { env_name, ...body } = await probe.createBody({ environment: first.name });
      const response = await postCreate(probe, sid, body);
      // Not testable if /create fails with env_name too, for example because it needs secrets.
      if (!response.isSuccess)
        (await postCreate(probe, await probe.createSessionId(), { env_name, ...body })).requireSuccess('/create');
      assertSuccess(response, '/create without env_name');

      const { json } = (await probe.episodeOf(sid, first.name).taskTools()).requireSuccess('/task_tools');
      const tools = parseDiscoveredTools(json).map(({ name }) => name);
      assume(tools.length > 0, '/task_tools listed no tools');
      const missing = first.tools.filter(({ name }) => !tools.includes(name));
      const what = `/create without env_name opened an episode with the tools ${tools.join(', ')}`;
      const more = `the first environment, '${first.name}', has ${missing[0]?.name} too`;
      assertConforms(missing.length === 0, `${what}; ${more}`);
    },
  },
  {
    id: 'session/create-twice',
    title: 'Of several POST /create with one id, even concurrent ones, one succeeds and the others get 400',
    requirement: 'ORS-SESS-012',
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      const atOnce = await Promise.all([postCreate(probe, sid, body), postCreate(probe, sid, body)]);
      const rejected = atOnce.filter(({ isSuccess }) => !isSuccess);
      assume(rejected.length < atOnce.length, `/create returned ${atOnce[0].summary}`);
      assertConforms(rejected.length > 0, 'two concurrent /create with one id both succeeded');
      for (const response of [...rejected, await postCreate(probe, sid, body)]) {
        assertStatus(response, 400, 'another /create with the id of a live session');
      }
    },
  },
  {
    id: 'session/secrets-left-out',
    title: 'POST /create accepts missing secrets and an empty object, and treats them alike',
    requirement: 'ORS-SESS-046',
    cost: { sessions: 2 },
    async run(probe) {
      const { secrets: _, ...body } = await probe.createBody();
      const without = await postCreate(probe, await probe.createSessionId(), body);
      const empty = await postCreate(probe, await probe.createSessionId(), { ...body, secrets: {} });
      assertConforms(without.isSuccess || !empty.isSuccess, `/create without secrets returned ${without.summary}`);
      assertConforms(empty.isSuccess || !without.isSuccess, `/create with the secrets {} returned ${empty.summary}`);
      assume(empty.isSuccess, `/create returned ${empty.summary}`);
    },
  },
  {
    id: 'session/create-unknown-environment',
    title: 'POST /create with an unknown env_name returns 404',
    requirement: 'ORS-SESS-013',
    async run(probe) {
      const body = { ...(await probe.createBody()), env_name: NO_ENVIRONMENT };
      const response = await postCreate(probe, await probe.createSessionId(), body);
      assertStatus(response, 404, `/create with the env_name '${NO_ENVIRONMENT}'`);
    },
  },
  {
    id: 'session/create-empty-environment',
    title: 'POST /create with an empty env_name returns 404',
    requirement: 'ORS-SESS-058',
    async run(probe) {
      const body = { ...(await probe.createBody()), env_name: '' };
      const response = await postCreate(probe, await probe.createSessionId(), body);
      assertStatus(response, 404, '/create with an empty env_name');
    },
  },
  {
    id: 'session/create-two-sources',
    title: 'POST /create with task_spec, split and index is rejected with 4xx and opens nothing',
    requirement: 'ORS-SESS-014',
    async run(probe) {
      const sid = await probe.createSessionId();
      const place = { split: probe.environment.split?.name ?? '', index: 0 };
      // A task may have no fields.
      for (const task_spec of [{}, await fetchTask(probe, place)]) {
        const response = await postCreate(probe, sid, { ...(await probe.createBody()), ...place, task_spec });
        assertClientError(response, `/create with split, index and task_spec ${previewJson(task_spec)}`);
      }
      const prompt = await probe.episodeOf(sid).prompt();
      assertConforms(!prompt.isSuccess, `/create was rejected, and still the session has a prompt: ${prompt.summary}`);
    },
  },
  {
    id: 'session/create-bad-source-400',
    title: 'POST /create with both task sources, none, only split or only index returns exactly 400',
    requirement: 'ORS-SESS-015',
    async run(probe) {
      const sid = await probe.createSessionId();
      const { env_name } = await probe.createBody();
      const split = probe.environment.split?.name ?? '';
      const task_spec = await fetchTask(probe, { split, index: 0 });
      for (const source of [{}, { split }, { index: 0 }, { task_spec, split, index: 0 }]) {
        const response = await postCreate(probe, sid, { env_name, ...source });
        // Rejecting both sources at all has its own check.
        if ('task_spec' in source && !isClientError(response)) continue;
        assertStatus(response, 400, `/create with the task source ${previewJson(source)}`);
      }
    },
  },
  {
    id: 'session/create-unknown-task',
    title: 'POST /create with an unknown split or an index out of range returns 400',
    requirement: 'ORS-SESS-016',
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      const { name: split, count: index = 2 ** 31 } = probe.environment.split ?? {};
      const places = [
        { split: NO_SPLIT, index: 0 },
        { split, index },
      ];
      for (const wrong of places) {
        const response = await postCreate(probe, sid, { ...body, ...wrong });
        assertStatus(response, 400, `/create with ${previewJson(wrong)}`);
      }
    },
  },
  {
    id: 'session/create-after-refusal',
    title: 'The id of a rejected POST /create can be reused immediately',
    requirement: 'ORS-SESS-017',
    async run(probe) {
      await assumeEpisodes(probe);
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      for (const wrong of [{ split: NO_SPLIT }, { env_name: NO_ENVIRONMENT }]) {
        const rejected = await postCreate(probe, sid, { ...body, ...wrong });
        assume(!rejected.isSuccess, `/create with ${previewJson(wrong)} was not rejected`);
      }
      const response = await postCreate(probe, sid, body);
      assertSuccess(response, 'after two rejected /create, a valid one with the same id');
    },
  },
  {
    id: 'session/create-unknown-field',
    title: 'POST /create ignores an unknown field, or returns 400',
    requirement: 'ORS-SESS-018',
    async run(probe) {
      const body = { ...(await probe.createBody()), conformance_note: 1 };
      const response = await postCreate(probe, await probe.createSessionId(), body);
      const isRight = response.isSuccess || response.status === 400;
      assertConforms(isRight, `/create with an unknown field returned ${response.summary}`);
    },
  },
]);

/** Returns the prompt of an episode with this body of `/create`. */
const promptWith = async (probe: Probe, body: object): Promise<unknown> =>
  requirePrompt(await openEpisode(probe, body));
