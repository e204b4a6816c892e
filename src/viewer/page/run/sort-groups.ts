import type { Group } from '../../../../generated/trace.ts';

const SORTS = ['std', 'mean', 'step', 'task'] as const;
export type GroupSort = (typeof SORTS)[number];
export interface GroupSorting {
  readonly by: GroupSort;
  readonly order: 'asc' | 'desc';
}

/** What an address says of the order of groups. Default: the greatest deviation first. */
export function readGroupSortOrder(query: URLSearchParams): GroupSorting {
  const by = SORTS.find((each) => each === query.get('gsort')) ?? 'std';
  return { by, order: query.get('gorder') === 'asc' ? 'asc' : 'desc' };
}

const PLACES: Readonly<Record<GroupSort, (group: Group) => number | null>> = {
  std: ({ reward }) => reward.std,
  mean: ({ reward }) => reward.mean,
  step: ({ step }) => step,
  task: ({ task_index }) => task_index,
};

/** Groups in an order; those without a place in it come last. */
export function sortGroups(groups: readonly Group[], { by, order }: GroupSorting): Group[] {
  const placeOf = PLACES[by];
  const sign = order === 'asc' ? 1 : -1;
  return groups.toSorted((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)];
    if (a === b) return 0;
    if (a === null) return 1;
    return b === null ? -1 : sign * (a - b);
  });
}
