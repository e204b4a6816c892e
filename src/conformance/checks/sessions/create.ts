import { equalJson, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { parseDiscoveredTools } from '../../target.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeEpisodes, fetchTask, openEpisode, pickTask, postCreate, requirePrompt, sessionIdIn } from './steps.ts';

/** The prompt of an episode with this body of `/create`. */
const promptWith = async (probe: Probe, body: object): Promise<unknown> =>
  requirePrompt(await openEpisode(probe, body));

export const createChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/create-inline',
    title: 'POST /create with an inline task_spec answers 200 and the sid of the request',
    requirement: 'ORS-SESS-007',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      await assumeEpisodes(probe);
      const task_spec = await fetchTask(probe, pickTask(probe));
      const sid = await probe.createSessionId();
      const response = await postCreate(probe, sid, await probe.createBody({ task: task_spec }));
      assertConforms(
        response.status === 200,
        `/create with task_spec ${previewJson(task_spec)} gave ${response.summary}`,
      );
      assertConforms(sessionIdIn(response) === sid, `/create for the session '${sid}' gave ${response.summary}`);
    },
  },
  {
    id: 'session/create-by-index',
    title: 'POST /create with split and index opens an episode of exactly that task',
    requirement: 'ORS-SESS-008',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 3 },
    async run(probe) {
      const place = pickTask(probe);
      const body = { ...(await probe.createBody()), ...place };
      const sid = await probe.createSessionId();
      const response = await postCreate(probe, sid, body);
      assertConforms(response.isSuccess, `/create with ${previewJson(place)} gave ${response.summary}`);
      const prompt = await requirePrompt(probe.episodeOf(sid));

      const expected = await promptWith(probe, await probe.createBody({ task: await fetchTask(probe, place) }));
      if (equalJson(prompt, expected)) return;
      const isStable = equalJson(prompt, await promptWith(probe, body));
      assume(isStable, 'two episodes of one task have different prompts, so prompts do not tell tasks');
      assertConforms(
        false,
        `the prompt with ${previewJson(place)} was ${previewJson(prompt)}; with that task inline it is ${previewJson(expected)}`,
      );
    },
  },
  {
    id: 'session/create-default-environment',
    title: 'POST /create without env_name opens the first environment',
    requirement: 'ORS-SESS-009',
    profile: 'core',
    cost: { sessions: 2 },
    async run(probe) {
      const first = probe.target.environments.find(({ name }) => name === probe.target.names[0]);
      assume(first?.split, 'the first environment has no split with a task');
      const sid = await probe.createSessionId();
      const { env_name, ...body } = await probe.createBody({ environment: first.name });
      const response = await postCreate(probe, sid, body);
      // It may want what the suite does not have, such as secrets.
      if (!response.isSuccess)
        (await postCreate(probe, await probe.createSessionId(), { env_name, ...body })).requireSuccess('/create');
      assertConforms(response.isSuccess, `/create without env_name gave ${response.summary}`);

      const tools = parseDiscoveredTools(
        (await probe.send('GET', probe.path('task_tools', first.name), { sid })).requireSuccess('/task_tools').json,
      ).map(({ name }) => name);
      assume(tools.length > 0, '/task_tools listed no tools');
      const missing = first.tools.filter(({ name }) => !tools.includes(name));
      const what = `/create without env_name opened an episode with the tools ${tools.join(', ')}`;
      assertConforms(
        missing.length === 0,
        `${what}; the first environment, '${first.name}', has ${missing[0]?.name} too`,
      );
    },
  },
  {
    id: 'session/create-twice',
    title: 'Of several POST /create with one id, even at once, one succeeds and the others answer 400',
    requirement: 'ORS-SESS-012',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      const atOnce = await Promise.all([postCreate(probe, sid, body), postCreate(probe, sid, body)]);
      assume(
        atOnce.some(({ isSuccess }) => isSuccess),
        `/create gave ${atOnce[0].summary}`,
      );
      assertConforms(
        !atOnce.every(({ isSuccess }) => isSuccess),
        'of two /create with one id at the same moment both succeeded',
      );
      for (const response of [...atOnce.filter(({ isSuccess }) => !isSuccess), await postCreate(probe, sid, body)]) {
        assertConforms(
          response.status === 400,
          `another /create with the id of a live session gave ${response.summary}`,
        );
      }
    },
  },
  {
    id: 'session/secrets-left-out',
    title: 'POST /create accepts missing secrets and an empty object, and treats them alike',
    requirement: 'ORS-SESS-046',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 2 },
    async run(probe) {
      const { secrets: _, ...body } = await probe.createBody();
      const without = await postCreate(probe, await probe.createSessionId(), body);
      const empty = await postCreate(probe, await probe.createSessionId(), { ...body, secrets: {} });
      assertConforms(without.isSuccess || !empty.isSuccess, `/create without secrets gave ${without.summary}`);
      assertConforms(empty.isSuccess || !without.isSuccess, `/create with the secrets {} gave ${empty.summary}`);
      assume(empty.isSuccess, `/create gave ${empty.summary}`);
    },
  },
];
