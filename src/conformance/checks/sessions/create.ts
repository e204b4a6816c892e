import { equalJson, previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { toolFacts } from '../../target.ts';
import { ensure, given } from '../../verdict.ts';
import { create, givenEpisodes, open, promptOf, sidIn, someTask, taskAt } from './steps.ts';

/** The prompt of an episode with this body of `/create`. */
const promptWith = async (probe: Probe, body: object): Promise<unknown> => promptOf(await open(probe, body));

export const createChecks: readonly Check[] = [
  {
    id: 'session/create-inline',
    title: 'POST /create with an inline task_spec answers 200 and the sid of the request',
    requirement: 'ORS-SESS-007',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      await givenEpisodes(probe);
      const task_spec = await taskAt(probe, someTask(probe));
      const sid = await probe.newSid();
      const answer = await create(probe, sid, await probe.createBody({ task: task_spec }));
      ensure(answer.status === 200, `/create with task_spec ${previewJson(task_spec)} gave ${answer.summary}`);
      ensure(sidIn(answer) === sid, `/create for the session '${sid}' gave ${answer.summary}`);
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
      const place = someTask(probe);
      const body = { ...(await probe.createBody()), ...place };
      const sid = await probe.newSid();
      const answer = await create(probe, sid, body);
      ensure(answer.isSuccess, `/create with ${previewJson(place)} gave ${answer.summary}`);
      const prompt = await promptOf(probe.episodeOf(sid));

      const expected = await promptWith(probe, await probe.createBody({ task: await taskAt(probe, place) }));
      if (equalJson(prompt, expected)) return;
      const isStable = equalJson(prompt, await promptWith(probe, body));
      given(isStable, 'two episodes of one task have different prompts, so prompts do not tell tasks');
      ensure(
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
      given(first?.split, 'the first environment has no split with a task');
      const sid = await probe.newSid();
      const { env_name, ...body } = await probe.createBody({ environment: first.name });
      const answer = await create(probe, sid, body);
      // It may want what the suite does not have, such as secrets.
      if (!answer.isSuccess) (await create(probe, await probe.newSid(), { env_name, ...body })).successful('/create');
      ensure(answer.isSuccess, `/create without env_name gave ${answer.summary}`);

      const tools = toolFacts(
        (await probe.send('GET', probe.path('task_tools', first.name), { sid })).successful('/task_tools').json,
      ).map(({ name }) => name);
      given(tools.length > 0, '/task_tools listed no tools');
      const missing = first.tools.filter(({ name }) => !tools.includes(name));
      const what = `/create without env_name opened an episode with the tools ${tools.join(', ')}`;
      ensure(missing.length === 0, `${what}; the first environment, '${first.name}', has ${missing[0]?.name} too`);
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
      const sid = await probe.newSid();
      const body = await probe.createBody();
      const atOnce = await Promise.all([create(probe, sid, body), create(probe, sid, body)]);
      given(
        atOnce.some(({ isSuccess }) => isSuccess),
        `/create gave ${atOnce[0].summary}`,
      );
      ensure(
        !atOnce.every(({ isSuccess }) => isSuccess),
        'of two /create with one id at the same moment both succeeded',
      );
      for (const answer of [...atOnce.filter(({ isSuccess }) => !isSuccess), await create(probe, sid, body)]) {
        ensure(answer.status === 400, `another /create with the id of a live session gave ${answer.summary}`);
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
      const without = await create(probe, await probe.newSid(), body);
      const empty = await create(probe, await probe.newSid(), { ...body, secrets: {} });
      ensure(without.isSuccess || !empty.isSuccess, `/create without secrets gave ${without.summary}`);
      ensure(empty.isSuccess || !without.isSuccess, `/create with the secrets {} gave ${empty.summary}`);
      given(empty.isSuccess, `/create gave ${empty.summary}`);
    },
  },
];
