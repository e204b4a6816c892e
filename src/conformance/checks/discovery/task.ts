import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { collectSplitListings } from './listings.ts';
import { isListable, jsonText } from './requests.ts';

/** As text, since they are no numbers of JavaScript. */
const BEYOND_EVERY_SPLIT = `1${'0'.repeat(20)}`;
const BEYOND_EVERY_NUMBER = '1e400';

export const taskChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/task',
    title: '/task returns the first, the middle and the last task of a split as /tasks lists them',
    requirement: 'ORS-DISC-014',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split, tasks } of await collectSplitListings(probe)) {
        for (const index of new Set([0, tasks.length >> 1, tasks.length - 1])) {
          const json = { split, index };
          const response = await probe.send('POST', probe.path('task', environment), { json, follow: true });
          const task = isRecord(response.json) ? response.json.task : undefined;
          const isSame = response.isSuccess && equalJson(task, tasks[index]);
          const what = `/task of '${environment}' with ${previewJson(json)} gave ${response.summary}`;
          assertConforms(isSame, `${what}, and /tasks lists ${previewJson(tasks[index])} there`);
        }
      }
    },
  },
  {
    id: 'discovery/index-beyond',
    title: 'The number of tasks as an index is answered with 400',
    requirement: 'ORS-DISC-015',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split, count } of await sizes(probe)) {
        const json = { split, index: count };
        const response = await probe.send('POST', probe.path('task', environment), { json, follow: true });
        const what = `/task of '${environment}', whose split has ${count} tasks, with ${previewJson(json)}`;
        assertConforms(response.status === 400, `${what} gave ${response.summary}`);
      }
    },
  },
  {
    id: 'discovery/index-negative',
    title: 'The index -1 is answered with 400',
    requirement: 'ORS-DISC-016',
    profile: 'discovery',
    needs: ['task'],
    async run(probe) {
      const response = await askIndex(probe, '-1');
      assertConforms(response.status === 400, `the index -1 gave ${response.summary}`);
    },
  },
  {
    id: 'discovery/index-type',
    title: 'An index that is 1.5, "1", true or null is answered with 400',
    requirement: 'ORS-DISC-017',
    profile: 'discovery',
    needs: ['task'],
    async run(probe) {
      for (const index of ['1.5', '"1"', 'true', 'null']) {
        const response = await askIndex(probe, index);
        assertConforms(response.status === 400, `the index ${index} gave ${response.summary}`);
      }
    },
  },
  {
    id: 'discovery/index-huge',
    title: 'The index 10^20 is answered with 400',
    requirement: 'ORS-DISC-018',
    profile: 'discovery',
    needs: ['task'],
    async run(probe) {
      const response = await askIndex(probe, BEYOND_EVERY_SPLIT);
      assertConforms(response.status === 400, `the index ${BEYOND_EVERY_SPLIT} gave ${response.summary}`);
    },
  },
  {
    id: 'discovery/index-infinite',
    title: 'The index 1e400 is answered with a 4xx status',
    requirement: 'ORS-DISC-019',
    profile: 'discovery',
    needs: ['task'],
    async run(probe) {
      const { status, summary } = await askIndex(probe, BEYOND_EVERY_NUMBER);
      assertConforms(status >= 400 && status < 500, `the index ${BEYOND_EVERY_NUMBER} gave ${summary}`);
    },
  },
];

/** `/task` with an index that is written as it is. */
async function askIndex(probe: Probe, index: string): Promise<ProbeResponse> {
  const { split } = probe.environment;
  assumeApplicable(split, 'there is no task');
  const text = `{"split":${JSON.stringify(split.name)},"index":${index}}`;
  return await probe.send('POST', probe.path('task'), { ...jsonText(text), follow: true });
}

/** Splits and how many tasks they have: by their list, or by their number where the list would be too long. */
async function sizes(probe: Probe): Promise<{ environment: string; split: string; count: number }[]> {
  const large = probe.target.environments.flatMap(({ name, split }) =>
    split?.count === undefined || isListable(split)
      ? []
      : [{ environment: name, split: split.name, count: split.count }],
  );
  if (large.length > 0 && !probe.target.environments.some(({ split }) => isListable(split))) return large;
  const listed = await collectSplitListings(probe);
  return [...large, ...listed.map(({ tasks, ...listing }) => ({ ...listing, count: tasks.length }))];
}
