import { listPages, type TraceApiRequester } from '../../trace/client/index.ts';

export interface GroupCounts {
  /** Groups with at least two rewards. */
  readonly compared: number;
  /** Those of them whose rewards are all equal. */
  readonly without_variance: number;
}

/** How many groups of a run say nothing to those who compare rewards within groups. */
export async function countGroups(api: TraceApiRequester, run: string): Promise<GroupCounts> {
  let [compared, without_variance] = [0, 0];
  for await (const { groups } of listPages(api, 'listGroups', { run })) {
    const several = groups.filter(({ reward }) => reward.count > 1);
    compared += several.length;
    without_variance += several.filter(({ reward }) => reward.min === reward.max).length;
  }
  return { compared, without_variance };
}
