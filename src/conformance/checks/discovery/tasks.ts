import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { collectSplitListings, isListable, jsonText, MAX_LISTED, NO_SPLIT } from './requests.ts';
import { swapCase } from './server.ts';

const TYPES: readonly unknown[] = ['train', 'validation', 'test'];
/** A split of the fixture without a declared type. */
const CUSTOM_SPLIT = 'hard';
const MAX_SPLITS = 3;
const NO_STRING_SPLIT = [{}, { split: 5 }, { split: null }, { split: ['train'] }];
/** Texts, because they are not exact as JavaScript numbers. */
const BEYOND_EVERY_SPLIT = `1${'0'.repeat(20)}`;
const BEYOND_EVERY_NUMBER = '1e400';

export const taskChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/splits',
    title: '/splits is an array of objects with a name and a type of train, validation or test',
    requirement: 'ORS-DISC-009',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        const path = probe.path('splits', name);
        const { json } = (await probe.send('GET', path, { follow: true })).requireSuccess(`GET ${path}`);
        assertConforms(Array.isArray(json), `GET ${path} returned ${previewJson(json)} instead of an array`);
        for (const [index, split] of json.entries()) {
          assertConforms(isRecord(split), `split ${index} of '${name}' is ${previewJson(split)} instead of an object`);
          assertConforms(
            typeof split.name === 'string',
            `split ${index} of '${name}' has the name ${previewJson(split.name)}`,
          );
          assertConforms(
            TYPES.includes(split.type),
            `split '${split.name}' of '${name}' has the type ${previewJson(split.type)}`,
          );
        }
      }
    },
  },
  fixtureCheck({
    id: 'discovery/custom-split',
    title: 'A split with a custom name and no declared type has the type validation',
    requirement: 'ORS-DISC-010',
    tools: [],
    sessions: 0,
    calls: 0,
    async run(probe) {
      const { json } = (await probe.send('GET', probe.path('splits'), { follow: true })).requireSuccess('/splits');
      const split = Array.isArray(json) ? json.filter(isRecord).find(({ name }) => name === CUSTOM_SPLIT) : undefined;
      assume(split, `the fixture on this server has no split '${CUSTOM_SPLIT}'`);
      assertConforms(split.type === 'validation', `split '${CUSTOM_SPLIT}' has the type ${previewJson(split.type)}`);
    },
  }),
  {
    id: 'discovery/unknown-split',
    title: '/tasks, /num_tasks, /task and /task_range reject an unknown split with 400',
    requirement: 'ORS-DISC-023',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        for (const action of ['tasks', 'num_tasks', 'task', 'task_range']) {
          const json = { split: NO_SPLIT, ...(action === 'task' && { index: 0 }) };
          const response = await probe.send('POST', probe.path(action, name), { json, follow: true });
          assertConforms(
            response.status === 400,
            `POST ${probe.path(action, name)} with ${previewJson(json)} returned ${response.summary}`,
          );
        }
      }
    },
  },
  {
    id: 'discovery/tasks',
    title: "/tasks is an object with an array of task objects and the environment's name",
    requirement: 'ORS-DISC-011',
    async run(probe) {
      for (const { environment, split } of smallSplits(probe)) {
        const what = `/tasks of split '${split}' of '${environment}'`;
        const json = await listTasks(probe, environment, split);
        assertConforms(
          isRecord(json) && Array.isArray(json.tasks),
          `${what} returned ${previewJson(json)} instead of an object with an array tasks`,
        );
        for (const [index, task] of json.tasks.entries()) {
          assertConforms(isRecord(task), `task ${index} in ${what} is ${previewJson(task)} instead of an object`);
        }
        const { env_name: name } = json;
        const isRight = typeof name === 'string' && name.toLowerCase() === environment.toLowerCase();
        assertConforms(isRight, `${what} returned the env_name ${previewJson(name)}`);
      }
    },
  },
  {
    id: 'discovery/env-name',
    title: 'The env_name of /tasks is spelled as in /list_environments, regardless of the case in the path',
    requirement: 'ORS-DISC-012',
    async run(probe) {
      for (const { environment, split } of await collectSplitListings(probe)) {
        for (const spelling of [environment, swapCase(environment)]) {
          const json = { split };
          const response = await probe.send('POST', probe.path('tasks', spelling), { json, follow: true });
          // Names may be case-sensitive, or differ only by case.
          if (spelling !== environment && (!response.isSuccess || probe.target.names.includes(spelling))) continue;
          const name = isRecord(response.json) ? response.json.env_name : undefined;
          assume(typeof name === 'string', `/tasks of '${spelling}' returned no env_name: ${response.summary}`);
          if (name.toLowerCase() !== environment.toLowerCase()) continue;
          assertConforms(
            name === environment,
            `/tasks of '${spelling}' returned the env_name '${name}' instead of '${environment}'`,
          );
        }
      }
    },
  },
  {
    id: 'discovery/num-tasks',
    title: '/num_tasks returns a number of at least 0, the length of the list from /tasks',
    requirement: 'ORS-DISC-013',
    async run(probe) {
      let compared = 0;
      for (const { name: environment, splits } of probe.target.environments) {
        for (const { name: split } of splits) {
          const what = `/num_tasks of split '${split}' of '${environment}'`;
          const response = await probe.send('POST', probe.path('num_tasks', environment), {
            json: { split },
            follow: true,
          });
          const { json } = response.requireSuccess(what);
          const count = isRecord(json) ? json.num_tasks : undefined;
          assertConforms(Number.isInteger(count) && Number(count) >= 0, `${what} returned ${previewJson(json)}`);
          if (Number(count) > MAX_LISTED) continue;
          const listed = await listTasks(probe, environment, split);
          assume(isRecord(listed) && Array.isArray(listed.tasks), `/tasks of '${split}' returned no list`);
          assertConforms(
            count === listed.tasks.length,
            `${what} returned ${count}, and /tasks lists ${listed.tasks.length}`,
          );
          compared++;
        }
      }
      assumeApplicable(
        probe.target.environments.some(({ splits }) => splits.length > 0),
        'no environment has a split',
      );
      assume(compared > 0, `every split has more than ${MAX_LISTED} tasks`);
    },
  },
  {
    id: 'discovery/num-tasks-body',
    title: '/num_tasks rejects a body without a string split',
    requirement: 'ORS-DISC-034',
    run: (probe) => assertRejects(probe, 'num_tasks'),
  },
  {
    id: 'discovery/tasks-body',
    title: '/tasks rejects a body without a string split',
    requirement: 'ORS-DISC-035',
    run: (probe) => assertRejects(probe, 'tasks'),
  },
  {
    id: 'discovery/task',
    title: '/task returns the first, the middle and the last task of a split as /tasks lists them',
    requirement: 'ORS-DISC-014',
    async run(probe) {
      for (const { environment, split, tasks } of await collectSplitListings(probe)) {
        for (const index of new Set([0, tasks.length >> 1, tasks.length - 1])) {
          const json = { split, index };
          const response = await probe.send('POST', probe.path('task', environment), { json, follow: true });
          const task = isRecord(response.json) ? response.json.task : undefined;
          const isSame = response.isSuccess && equalJson(task, tasks[index]);
          const what = `/task of '${environment}' with ${previewJson(json)} returned ${response.summary}`;
          assertConforms(isSame, `${what}, and /tasks lists ${previewJson(tasks[index])} there`);
        }
      }
    },
  },
  {
    id: 'discovery/index-beyond',
    title: '/task rejects the number of tasks as index with 400',
    requirement: 'ORS-DISC-015',
    async run(probe) {
      for (const { environment, split, count } of await collectSplitSizes(probe)) {
        const json = { split, index: count };
        const response = await probe.send('POST', probe.path('task', environment), { json, follow: true });
        const what = `/task of '${environment}', whose split has ${count} tasks, with ${previewJson(json)}`;
        assertConforms(response.status === 400, `${what} returned ${response.summary}`);
      }
    },
  },
  {
    id: 'discovery/index-negative',
    title: '/task rejects the index -1 with 400',
    requirement: 'ORS-DISC-016',
    needs: ['task'],
    async run(probe) {
      const response = await requestTask(probe, '-1');
      assertConforms(response.status === 400, `the index -1 returned ${response.summary}`);
    },
  },
  {
    id: 'discovery/index-type',
    title: '/task rejects the indexes 1.5, "1", true and null with 400',
    requirement: 'ORS-DISC-017',
    needs: ['task'],
    async run(probe) {
      for (const index of ['1.5', '"1"', 'true', 'null']) {
        const response = await requestTask(probe, index);
        assertConforms(response.status === 400, `the index ${index} returned ${response.summary}`);
      }
    },
  },
  {
    id: 'discovery/index-huge',
    title: '/task rejects the index 10^20 with 400',
    requirement: 'ORS-DISC-018',
    needs: ['task'],
    async run(probe) {
      const response = await requestTask(probe, BEYOND_EVERY_SPLIT);
      assertConforms(response.status === 400, `the index ${BEYOND_EVERY_SPLIT} returned ${response.summary}`);
    },
  },
  {
    id: 'discovery/index-infinite',
    title: '/task rejects the index 1e400 with a 4xx status',
    requirement: 'ORS-DISC-019',
    needs: ['task'],
    async run(probe) {
      const { status, summary } = await requestTask(probe, BEYOND_EVERY_NUMBER);
      assertConforms(status >= 400 && status < 500, `the index ${BEYOND_EVERY_NUMBER} returned ${summary}`);
    },
  },
]);

/** Returns the smallest splits of each environment, including empty ones. */
function smallSplits({ target }: Probe): { environment: string; split: string }[] {
  assumeApplicable(
    target.environments.some(({ splits }) => splits.length > 0),
    'no environment has a split',
  );
  const found = target.environments.flatMap(({ name, splits }) =>
    [...splits]
      .filter(isListable)
      .sort((a, b) => (a.count ?? 0) - (b.count ?? 0))
      .slice(0, MAX_SPLITS)
      .map((split) => ({ environment: name, split: split.name })),
  );
  assume(found.length > 0, `no split is known to have at most ${MAX_LISTED} tasks`);
  return found;
}

async function listTasks(probe: Probe, environment: string, split: string): Promise<unknown> {
  const path = probe.path('tasks', environment);
  return (await probe.send('POST', path, { json: { split }, follow: true })).requireSuccess(`POST ${path}`).json;
}

async function assertRejects(probe: Probe, action: string): Promise<void> {
  for (const json of NO_STRING_SPLIT) {
    const response = await probe.send('POST', probe.path(action), { json, follow: true });
    const isRejected = response.status >= 400 && response.status < 500;
    assertConforms(isRejected, `POST ${probe.path(action)} with ${previewJson(json)} returned ${response.summary}`);
  }
}

/** Requests `/task` with an index as JSON text. */
async function requestTask(probe: Probe, index: string): Promise<ProbeResponse> {
  const { split } = probe.environment;
  assumeApplicable(split, 'the environment has no task');
  const text = `{"split":${JSON.stringify(split.name)},"index":${index}}`;
  return await probe.send('POST', probe.path('task'), { ...jsonText(text), follow: true });
}

/** Returns splits with their number of tasks: the length of /tasks, or /num_tasks if the split is too large to list. */
async function collectSplitSizes(probe: Probe): Promise<{ environment: string; split: string; count: number }[]> {
  const large = probe.target.environments.flatMap(({ name, split }) =>
    split?.count === undefined || isListable(split)
      ? []
      : [{ environment: name, split: split.name, count: split.count }],
  );
  if (large.length > 0 && !probe.target.environments.some(({ split }) => isListable(split))) return large;
  const listed = await collectSplitListings(probe);
  return [...large, ...listed.map(({ tasks, ...listing }) => ({ ...listing, count: tasks.length }))];
}
