import { isRecord, previewJson } from '../../../core/index.ts';
import type { Check } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { applies, ensure, given } from '../../verdict.ts';
import { otherCase } from './environments.ts';
import { listings } from './listings.ts';
import { isSmall, MOST_LISTED } from './requests.ts';

const MOST_SPLITS = 3;
const NO_STRING_SPLIT = [{}, { split: 5 }, { split: null }, { split: ['train'] }];

export const taskListChecks: readonly Check[] = [
  {
    id: 'discovery/tasks',
    title: "/tasks is an object with an array of task objects and the environment's name",
    requirement: 'ORS-DISC-011',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split } of smallSplits(probe)) {
        const what = `/tasks of split '${split}' of '${environment}'`;
        const json = await askTasks(probe, environment, split);
        ensure(
          isRecord(json) && Array.isArray(json.tasks),
          `${what} gave no object with an array tasks: ${previewJson(json)}`,
        );
        for (const [index, task] of json.tasks.entries()) {
          ensure(isRecord(task), `task ${index} in ${what} is no object but ${previewJson(task)}`);
        }
        const { env_name: name } = json;
        const isRight = typeof name === 'string' && name.toLowerCase() === environment.toLowerCase();
        ensure(isRight, `${what} gave the env_name ${previewJson(name)}`);
      }
    },
  },
  {
    id: 'discovery/env-name',
    title: 'The env_name of /tasks is spelled as in /list_environments, however the path spells it',
    requirement: 'ORS-DISC-012',
    profile: 'discovery',
    async run(probe) {
      for (const { environment, split } of await listings(probe)) {
        for (const spelling of [environment, otherCase(environment)]) {
          const json = { split };
          const answer = await probe.send('POST', probe.path('tasks', spelling), { json, follow: true });
          // Case may count, or be that of another environment.
          if (spelling !== environment && (!answer.isSuccess || probe.target.names.includes(spelling))) continue;
          const name = isRecord(answer.json) ? answer.json.env_name : undefined;
          given(typeof name === 'string', `/tasks of '${spelling}' gave no env_name: ${answer.summary}`);
          if (name.toLowerCase() !== environment.toLowerCase()) continue;
          ensure(
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
          const answer = await probe.send('POST', probe.path('num_tasks', environment), {
            json: { split },
            follow: true,
          });
          const { json } = answer.successful(what);
          const count = isRecord(json) ? json.num_tasks : undefined;
          ensure(Number.isInteger(count) && Number(count) >= 0, `${what} gave ${previewJson(json)}`);
          if (Number(count) > MOST_LISTED) continue;
          const listed = await askTasks(probe, environment, split);
          given(isRecord(listed) && Array.isArray(listed.tasks), `/tasks of '${split}' gave no list`);
          ensure(count === listed.tasks.length, `${what} gave ${count}, and /tasks lists ${listed.tasks.length}`);
          compared++;
        }
      }
      applies(
        probe.target.environments.some(({ splits }) => splits.length > 0),
        'no environment has a split',
      );
      given(compared > 0, `every split has more than ${MOST_LISTED} tasks`);
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
  applies(
    target.environments.some(({ splits }) => splits.length > 0),
    'no environment has a split',
  );
  const found = target.environments.flatMap(({ name, splits }) =>
    [...splits]
      .filter(isSmall)
      .sort((a, b) => (a.count ?? 0) - (b.count ?? 0))
      .slice(0, MOST_SPLITS)
      .map((split) => ({ environment: name, split: split.name })),
  );
  given(found.length > 0, `no split is known to have at most ${MOST_LISTED} tasks`);
  return found;
}

async function askTasks(probe: Probe, environment: string, split: string): Promise<unknown> {
  const path = probe.path('tasks', environment);
  return (await probe.send('POST', path, { json: { split }, follow: true })).successful(`POST ${path}`).json;
}

async function rejects(probe: Probe, action: string): Promise<void> {
  for (const json of NO_STRING_SPLIT) {
    const answer = await probe.send('POST', probe.path(action), { json, follow: true });
    const isRejected = answer.status >= 400 && answer.status < 500;
    ensure(isRejected, `POST ${probe.path(action)} with ${previewJson(json)} gave ${answer.summary}`);
  }
}
