import type { Mutant } from '../mutant.ts';
import { byFields, refuse } from './requests.ts';

/** Another index of the fixture's split of three tasks. */
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

/** Ranges with other bounds. */
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
