import type { Mutant } from '../mutant.ts';
import { changedJson, isFor } from '../wire.ts';
import { answer, byFields, fields, refuse } from './requests.ts';

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

/** Changes the index in the fixture's split of three tasks. */
const withIndex = (asked: unknown, given: number) => () => ({
  request: byFields('task', ({ split, index }, { path }) =>
    index === asked && path.startsWith('/conformance') ? { split, index: given } : undefined,
  ),
});

export const taskMutants: readonly Mutant[] = [
  {
    name: 'the last task of the split is the one before it',
    caughtBy: ['discovery/task'],
    wire: withIndex(2, 1),
  },
  {
    name: 'the number of tasks as an index returns the last task',
    caughtBy: ['discovery/index-beyond'],
    wire: withIndex(3, 2),
  },
  {
    name: 'the index -1 returns the last task',
    caughtBy: ['discovery/index-negative'],
    wire: withIndex(-1, 2),
  },
  {
    name: 'an index in quotes is accepted as a number',
    caughtBy: ['discovery/index-type'],
    wire: withIndex('1', 1),
  },
  {
    name: 'an index with a fraction is cut',
    caughtBy: ['discovery/index-type'],
    wire: withIndex(1.5, 1),
  },
  {
    name: 'an index beyond 64 bits is a server error',
    caughtBy: ['discovery/index-huge'],
    wire: () => ({ request: byFields('task', ({ index }) => (index === 1e20 ? refuse(500, 'overflow') : undefined)) }),
  },
  {
    name: 'an index beyond every number is a server error',
    caughtBy: ['discovery/index-infinite'],
    wire: () => ({
      request: byFields('task', ({ index }) => (index === Infinity ? refuse(500, 'not JSON compliant') : undefined)),
    }),
  },
];

type Bounds = { readonly start?: number | null; readonly stop?: number | null };

/** Changes the bounds of ranges. */
const withBounds = (change: (bounds: Bounds) => Bounds | undefined) => () => ({
  request: byFields('task_range', ({ split, ...bounds }) => {
    const changed = change(bounds);
    return changed && { split, ...changed };
  }),
});

export const taskRangeMutants: readonly Mutant[] = [
  {
    name: 'a range without start begins with the second task',
    caughtBy: ['discovery/range'],
    wire: withBounds(({ start, stop }) => (start === undefined ? { start: 1, ...(stop && { stop }) } : undefined)),
  },
  {
    name: 'the end of a range belongs to it',
    caughtBy: ['discovery/range', 'discovery/range-negative', 'discovery/ranges-join', 'discovery/range-null'],
    wire: withBounds(({ start, stop }) =>
      typeof stop === 'number' && Number.isInteger(stop) && stop !== 0 && stop > -3
        ? { ...(start !== undefined && { start }), ...(stop === -1 ? {} : { stop: stop + 1 }) }
        : undefined,
    ),
  },
  {
    name: 'negative bounds of a range count as 0',
    caughtBy: ['discovery/range-negative'],
    wire: withBounds(({ start, stop }) =>
      Number(start) < 0 || Number(stop) < 0
        ? { start: Math.max(0, Number(start ?? 0)), ...(typeof stop === 'number' && { stop: Math.max(0, stop) }) }
        : undefined,
    ),
  },
  {
    name: 'a range that ends beyond the split is empty',
    caughtBy: ['discovery/range-clamped'],
    wire: withBounds(({ stop }) => (Number(stop) > 50 ? { start: 0, stop: 0 } : undefined)),
  },
  {
    name: 'a stop of 0 counts as absent',
    caughtBy: ['discovery/range-clamped'],
    wire: withBounds(({ start, stop }) => (stop === 0 && start === 0 ? {} : undefined)),
  },
  {
    name: 'the bounds of a range are cut to integers',
    caughtBy: ['discovery/range-bound-type'],
    wire: withBounds(({ start, stop }) => (start === 0.5 || stop === 0.5 ? { start: 0 } : undefined)),
  },
  {
    name: 'a range that begins with the third task or later lacks its first task',
    caughtBy: ['discovery/ranges-join'],
    wire: withBounds(({ start, stop }) =>
      Number(start) >= 2 && stop ? { start: Number(start) + 1, stop } : undefined,
    ),
  },
  {
    name: 'a bound of null is rejected',
    caughtBy: ['discovery/range-null'],
    wire: () => ({
      request: byFields('task_range', ({ start, stop }) =>
        start === null || stop === null ? refuse(400, 'start and stop must be integers') : undefined,
      ),
    }),
  },
];
