import { previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeEpisodes, fetchTask, postCreate } from './steps.ts';

const NO_SUCH = 'conformance-no-such';

const isClientError = ({ status }: ProbeResponse) => status >= 400 && status < 500;

export const refusedCreateChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/create-unknown-environment',
    title: 'POST /create with an unknown env_name answers 404',
    requirement: 'ORS-SESS-013',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const body = { ...(await probe.createBody()), env_name: `${NO_SUCH}-environment` };
      const response = await postCreate(probe, await probe.createSessionId(), body);
      assertConforms(response.status === 404, `/create with the env_name '${body.env_name}' gave ${response.summary}`);
    },
  },
  {
    id: 'session/create-two-sources',
    title: 'POST /create with task_spec and also split and index is rejected with 4xx, and opens nothing',
    requirement: 'ORS-SESS-014',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const place = { split: probe.environment.split?.name ?? '', index: 0 };
      // A task without fields is a task too.
      for (const task_spec of [{}, await fetchTask(probe, place)]) {
        const response = await postCreate(probe, sid, { ...(await probe.createBody()), ...place, task_spec });
        assertConforms(
          isClientError(response),
          `/create with split, index and task_spec ${previewJson(task_spec)} gave ${response.summary}`,
        );
      }
      const prompt = await probe.episodeOf(sid).prompt();
      assertConforms(!prompt.isSuccess, `/create was rejected, and still the session has a prompt: ${prompt.summary}`);
    },
  },
  {
    id: 'session/create-bad-source-400',
    title: 'POST /create with both task sources, none, only split or only index answers 400 exactly',
    requirement: 'ORS-SESS-015',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const { env_name } = await probe.createBody();
      const split = probe.environment.split?.name ?? '';
      const task_spec = await fetchTask(probe, { split, index: 0 });
      for (const source of [{}, { split }, { index: 0 }, { task_spec, split, index: 0 }]) {
        const response = await postCreate(probe, sid, { env_name, ...source });
        // That both sources are rejected at all is a check of its own.
        if ('task_spec' in source && !isClientError(response)) continue;
        assertConforms(
          response.status === 400,
          `/create with the task source ${previewJson(source)} gave ${response.summary}`,
        );
      }
    },
  },
  {
    id: 'session/create-unknown-task',
    title: 'POST /create with an unknown split, or an index out of range, answers 400',
    requirement: 'ORS-SESS-016',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      const split = probe.environment.split?.name;
      const index = probe.environment.split?.count ?? 2 ** 31;
      for (const wrong of [
        { split: `${NO_SUCH}-split`, index: 0 },
        { split, index },
      ]) {
        const response = await postCreate(probe, sid, { ...body, ...wrong });
        assertConforms(response.status === 400, `/create with ${previewJson(wrong)} gave ${response.summary}`);
      }
    },
  },
  {
    id: 'session/create-after-refusal',
    title: 'The id of a rejected POST /create can be used again at once',
    requirement: 'ORS-SESS-017',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      await assumeEpisodes(probe);
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      for (const wrong of [{ split: `${NO_SUCH}-split` }, { env_name: `${NO_SUCH}-environment` }]) {
        const rejected = await postCreate(probe, sid, { ...body, ...wrong });
        assume(!rejected.isSuccess, `/create with ${previewJson(wrong)} was not rejected`);
      }
      const response = await postCreate(probe, sid, body);
      assertConforms(
        response.isSuccess,
        `after two rejected /create, a right one with the same id gave ${response.summary}`,
      );
    },
  },
  {
    id: 'session/create-unknown-field',
    title: 'POST /create ignores an unknown field, or answers 400',
    requirement: 'ORS-SESS-018',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const body = { ...(await probe.createBody()), conformance_note: 1 };
      const response = await postCreate(probe, await probe.createSessionId(), body);
      assertConforms(
        response.isSuccess || response.status === 400,
        `/create with an unknown field gave ${response.summary}`,
      );
    },
  },
];
