import { equalJson, fieldsOf, isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { type ConformanceCheck, defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertClientError, assertStatus } from '../responses.ts';
import { assertBodiesRejected, collectSplitListings, isListable, jsonText, MAX_LISTED, NO_SPLIT } from './requests.ts';
import { swapCase } from './server.ts';

const TYPES: readonly unknown[] = ['train', 'validation', 'test'];
/** A split of the fixture without a declared type. */
const CUSTOM_SPLIT = 'hard';
const MAX_SPLITS = 3;
const NO_STRING_SPLIT = [{}, { split: 5 }, { split: null }, { split: ['train'] }];

export const taskChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/splits',
    title: '/splits is an array of objects with a name and a type of train, validation or test',
    requirement: 'ORS-DISC-009',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        const path = probe.path('splits', name);
        const { json } = (await probe.discover('splits', undefined, name)).requireSuccess(`GET ${path}`);
        assertConforms(Array.isArray(json), `GET ${path} returned ${previewJson(json)} instead of an array`);
        for (const [index, split] of json.entries()) {
          assertConforms(isRecord(split), `split ${index} of '${name}' is ${previewJson(split)} instead of an object`);
          const isNamed = typeof split.name === 'string';
          assertConforms(isNamed, `split ${index} of '${name}' has the name ${previewJson(split.name)}`);
          const isTyped = TYPES.includes(split.type);
          assertConforms(isTyped, `split '${split.name}' of '${name}' has the type ${previewJson(split.type)}`);
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
      const { json } = (await probe.discover('splits')).requireSuccess('/splits');
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
          const response = await probe.discover(action, json, name);
          assertStatus(response, 400, `POST ${probe.path(action, name)} with ${previewJson(json)}`);
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
          const response = await probe.discover('tasks', { split }, spelling);
          // Names may be case-sensitive, or differ only by case.
          if (spelling !== environment && (!response.isSuccess || probe.target.names.includes(spelling))) continue;
          const { env_name: name } = fieldsOf(response.json);
          assume(typeof name === 'string', `/tasks of '${spelling}' returned no env_name: ${response.summary}`);
          if (name.toLowerCase() !== environment.toLowerCase()) continue;
          const returned = `/tasks of '${spelling}' returned the env_name '${name}'`;
          assertConforms(name === environment, `${returned} instead of '${environment}'`);
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
          const { json } = (await probe.discover('num_tasks', { split }, environment)).requireSuccess(what);
          const count = fieldsOf(json).num_tasks;
          assertConforms(Number.isInteger(count) && Number(count) >= 0, `${what} returned ${previewJson(json)}`);
          if (Number(count) > MAX_LISTED) continue;
          const { tasks } = fieldsOf(await listTasks(probe, environment, split));
          assume(Array.isArray(tasks), `/tasks of '${split}' returned no list`);
          assertConforms(count === tasks.length, `${what} returned ${count}, and /tasks lists ${tasks.length}`);
          compared++;
        }
      }
      assumeSplits(probe);
      assume(compared > 0, `every split has more than ${MAX_LISTED} tasks`);
    },
  },
  {
    id: 'discovery/num-tasks-body',
    title: '/num_tasks rejects a body without a string split',
    requirement: 'ORS-DISC-034',
    run: (probe) => assertBodiesRejected(probe, 'num_tasks', NO_STRING_SPLIT),
  },
  {
    id: 'discovery/tasks-body',
    title: '/tasks rejects a body without a string split',
    requirement: 'ORS-DISC-035',
    run: (probe) => assertBodiesRejected(probe, 'tasks', NO_STRING_SPLIT),
  },
  {
    id: 'discovery/task',
    title: '/task returns the first, the middle and the last task of a split as /tasks lists them',
    requirement: 'ORS-DISC-014',
    async run(probe) {
      for (const { environment, split, tasks } of await collectSplitListings(probe)) {
        for (const index of new Set([0, tasks.length >> 1, tasks.length - 1])) {
          const json = { split, index };
          const response = await probe.discover('task', json, environment);
          const isSame = response.isSuccess && equalJson(fieldsOf(response.json).task, tasks[index]);
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
        const response = await probe.discover('task', json, environment);
        const what = `/task of '${environment}', whose split has ${count} tasks, with ${previewJson(json)}`;
        assertStatus(response, 400, what);
      }
    },
  },
  indexCheck({
    id: 'discovery/index-negative',
    title: '/task rejects the index -1 with 400',
    requirement: 'ORS-DISC-016',
    indexes: ['-1'],
  }),
  indexCheck({
    id: 'discovery/index-type',
    title: '/task rejects the indexes 1.5, "1", true and null with 400',
    requirement: 'ORS-DISC-017',
    indexes: ['1.5', '"1"', 'true', 'null'],
  }),
  indexCheck({
    id: 'discovery/index-huge',
    title: '/task rejects the index 10^20 with 400',
    requirement: 'ORS-DISC-018',
    indexes: [`1${'0'.repeat(20)}`],
  }),
  indexCheck({
    id: 'discovery/index-infinite',
    title: '/task rejects the index 1e400 with a 4xx status',
    requirement: 'ORS-DISC-019',
    indexes: ['1e400'],
    allows4xx: true,
  }),
]);

interface IndexCheck extends Pick<ConformanceCheck, 'id' | 'title' | 'requirement'> {
  /** JSON texts, because some are not exact as JavaScript numbers. */
  readonly indexes: readonly string[];
  /** Accepts any 4xx status. @default only 400 */
  readonly allows4xx?: true;
}

/** Returns a check that /task rejects these indexes. */
function indexCheck({ indexes, allows4xx, ...check }: IndexCheck) {
  const run = async (probe: Probe) => {
    const { split } = probe.environment;
    assumeApplicable(split, 'the environment has no task');
    for (const index of indexes) {
      const body = `{"split":${JSON.stringify(split.name)},"index":${index}}`;
      const response = await probe.send('POST', probe.path('task'), jsonText(body));
      if (allows4xx) assertClientError(response, `the index ${index}`);
      else assertStatus(response, 400, `the index ${index}`);
    }
  };
  return { ...check, needs: ['task'] as const, run };
}

function assumeSplits({ target }: Probe): void {
  const hasSplits = target.environments.some(({ splits }) => splits.length > 0);
  assumeApplicable(hasSplits, 'no environment has a split');
}

/** Returns the smallest splits of each environment, including empty ones. */
function smallSplits(probe: Probe): { environment: string; split: string }[] {
  assumeSplits(probe);
  const found = probe.target.environments.flatMap(({ name, splits }) =>
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
  const response = await probe.discover('tasks', { split }, environment);
  return response.requireSuccess(`POST ${probe.path('tasks', environment)}`).json;
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
