import type { Mutant } from '../mutant.ts';
import { changedJson, isFor } from '../wire.ts';
import { answer, byFields, fields } from './requests.ts';

interface Split {
  readonly name: string;
  readonly type: string;
}

export const splitMutants: readonly Mutant[] = [
  {
    name: 'a split has the type dev',
    caughtBy: ['discovery/splits'],
    wire: () => ({ answer: changedJson('splits', withType('test', 'dev')) }),
  },
  {
    name: 'a custom split is of the type train',
    caughtBy: ['discovery/custom-split'],
    wire: () => ({ answer: changedJson('splits', withType('hard', 'train')) }),
  },
  {
    name: 'an unknown split is answered with 404',
    caughtBy: ['discovery/unknown-split'],
    wire: () => ({
      answer: (answer, request) =>
        ['tasks', 'num_tasks', 'task', 'task_range'].some((action) => isFor(request, action)) &&
        answer.body.includes('unknown split')
          ? { ...answer, status: 404 }
          : answer,
    }),
  },
  {
    name: 'an unknown split has no tasks',
    caughtBy: ['discovery/unknown-split'],
    wire: () => ({
      answer: (given, request) =>
        isFor(request, 'num_tasks') && given.body.includes('unknown split') ? answer(200, { num_tasks: 0 }) : given,
    }),
  },
];

export const taskListMutants: readonly Mutant[] = [
  {
    name: 'the list of tasks does not name its environment',
    caughtBy: ['discovery/tasks'],
    wire: () => ({ answer: changedJson('tasks', ({ tasks }: { tasks: unknown }) => ({ tasks })) }),
  },
  {
    name: 'a list of tasks contains them as texts',
    caughtBy: ['discovery/tasks'],
    wire: () => ({
      answer: changedJson('tasks', (listed: { tasks: object[] }, request) => ({
        ...listed,
        tasks: fields(request).split === 'hard' ? listed.tasks.map((task) => JSON.stringify(task)) : listed.tasks,
      })),
    }),
  },
  {
    name: 'the list of tasks spells its environment as the path does',
    caughtBy: ['discovery/env-name'],
    wire: () => ({
      answer: changedJson('tasks', (listed: object, { path }) => ({ ...listed, env_name: path.split('/')[1] })),
    }),
  },
  {
    name: 'the number of tasks is one too large if there are many',
    caughtBy: ['discovery/num-tasks'],
    wire: () => ({
      answer: changedJson(
        'num_tasks',
        withCount((count) => (count > 3 ? count + 1 : count)),
      ),
    }),
  },
  {
    name: 'the number of tasks is a text',
    caughtBy: ['discovery/num-tasks'],
    wire: () => ({ answer: changedJson('num_tasks', withCount(String)) }),
  },
  {
    name: 'tasks are counted without a split',
    caughtBy: ['discovery/num-tasks-body'],
    wire: () => ({
      request: byFields('num_tasks', ({ split }, { body }) =>
        split === undefined && body.toString() === '{}' ? answer(200, { num_tasks: 8 }) : undefined,
      ),
    }),
  },
  {
    name: 'tasks are listed without a split',
    caughtBy: ['discovery/tasks-body'],
    wire: () => ({
      request: byFields('tasks', ({ split }, { body }) =>
        split === undefined && body.toString() === '{}'
          ? answer(200, { tasks: [], env_name: 'conformance' })
          : undefined,
      ),
    }),
  },
];

const withType = (name: string, type: string) => (splits: readonly Split[]) =>
  splits.map((split) => (split.name === name ? { ...split, type } : split));

const withCount =
  (change: (count: number) => unknown) =>
  ({ num_tasks: count }: { num_tasks: number }) => ({ num_tasks: change(count) });
