import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { swapCase } from './environments.ts';
import { collectSplitListings } from './listings.ts';
import { isListable, MAX_LISTED } from './requests.ts';

const MAX_SPLITS = 3;
const NO_STRING_SPLIT = [{}, { split: 5 }, { split: null }, { split: ['train'] }];

export const taskListChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/tasks',
    title: "/tasks is an object with an array of task objects and the environment's name",
    requirement: 'ORS-DISC-011',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split } of smallSplits(probe)) {
        const what = `/tasks of split '${split}' of '${environment}'`;
        const json = await askTasks(probe, environment, split);
        assertConforms(
          isRecord(json) && Array.isArray(json.tasks),
          `${what} gave no object with an array tasks: ${previewJson(json)}`,
        );
        for (const [index, task] of json.tasks.entries()) {
          assertConforms(isRecord(task), `task ${index} in ${what} is no object but ${previewJson(task)}`);
        }
        const { env_name: name } = json;
        const isRight = typeof name === 'string' && name.toLowerCase() === environment.toLowerCase();
        assertConforms(isRight, `${what} gave the env_name ${previewJson(name)}`);
      }
    },
  },
  {
    id: 'discovery/env-name',
    title: 'The env_name of /tasks is spelled as in /list_environments, however the path spells it',
    requirement: 'ORS-DISC-012',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split } of await collectSplitListings(probe)) {
        for (const spelling of [environment, swapCase(environment)]) {
          const json = { split };
          const response = await probe.send('POST', probe.path('tasks', spelling), { json, follow: true });
          // Case may count, or be that of another environment.
          if (spelling !== environment && (!response.isSuccess || probe.target.names.includes(spelling))) continue;
          const name = isRecord(response.json) ? response.json.env_name : undefined;
          assume(typeof name === 'string', `/tasks of '${spelling}' gave no env_name: ${response.summary}`);
          if (name.toLowerCase() !== environment.toLowerCase()) continue;
          assertConforms(
            name === environment,
            `/tasks of '${spelling}' gave the env_name '${name}', listed is '${environment}'`,
          );
        }
      }
    },
  },
  {
    id: 'discovery/num-tasks',
    title: '/num_tasks returns a number of at least 0, the length of the list from /tasks',
    requirement: 'ORS-DISC-013',
    profile: 'discovery',
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
          assertConforms(Number.isInteger(count) && Number(count) >= 0, `${what} gave ${previewJson(json)}`);
          if (Number(count) > MAX_LISTED) continue;
          const listed = await askTasks(probe, environment, split);
          assume(isRecord(listed) && Array.isArray(listed.tasks), `/tasks of '${split}' gave no list`);
          assertConforms(
            count === listed.tasks.length,
            `${what} gave ${count}, and /tasks lists ${listed.tasks.length}`,
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
    profile: 'discovery',
    run: (probe) => rejects(probe, 'num_tasks'),
  },
  {
    id: 'discovery/tasks-body',
    title: '/tasks rejects a body without a string split',
    requirement: 'ORS-DISC-035',
    profile: 'discovery',
    run: (probe) => rejects(probe, 'tasks'),
  },
];

/** A few splits of each environment, also such without tasks. */
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

async function askTasks(probe: Probe, environment: string, split: string): Promise<unknown> {
  const path = probe.path('tasks', environment);
  return (await probe.send('POST', path, { json: { split }, follow: true })).requireSuccess(`POST ${path}`).json;
}

async function rejects(probe: Probe, action: string): Promise<void> {
  for (const json of NO_STRING_SPLIT) {
    const response = await probe.send('POST', probe.path(action), { json, follow: true });
    const isRejected = response.status >= 400 && response.status < 500;
    assertConforms(isRejected, `POST ${probe.path(action)} with ${previewJson(json)} gave ${response.summary}`);
  }
}
