import type { Group, GroupMember, RewardSummary, Trace } from '../../../../generated/trace.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { advantageWithin, allRewardsEqual, summarizeRewards } from '../parts/rewards.ts';
import { GROUP_FIELDS, type GroupParams } from './group-name.ts';

/** What the page shows: the rollouts of a task, or traces that somebody chose. */
export interface GroupView {
  /** What the rollouts share; undefined for chosen traces. */
  readonly group: Group | undefined;
  readonly reward: RewardSummary;
  /** The greatest reward first. */
  readonly members: readonly (GroupMember & { readonly trace: Trace })[];
}

/** Columns; more cannot be told apart anyway. */
export const MAX_MEMBERS = 256;
const PAGES = 10;

/** The groups that a name fits: one, unless it leaves something open. */
export async function findGroups(org: string, name: GroupParams, signal: AbortSignal): Promise<readonly Group[]> {
  const found: Group[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = { ...name, limit: 100, ...(cursor !== undefined && { cursor }) };
    const response = await unwrapResponse(traceApi.listGroups({ params: { path: { org }, query }, signal }));
    found.push(...response.groups);
    // A name without a step is also that of the group that has none.
    const exact = response.groups.filter((group) => isNamed(group, name));
    if (exact.length === 1 && name.step === undefined && exact[0]?.step === null) return exact;
    cursor = response.page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  const exact = found.filter((group) => isNamed(group, name));
  return exact.length === 1 ? exact : found;
}

const isNamed = (group: Group, name: GroupParams): boolean =>
  [...GROUP_FIELDS, 'step' as const].every((field) => group[field] === (name[field] ?? null));

export async function loadGroup(org: string, group: Group, signal: AbortSignal): Promise<GroupView> {
  const traces = await tracesOf(org, group, signal);
  // The store counts what sums of fractions are off by as a difference.
  const isEqual = allRewardsEqual(group.reward);
  const members = group.members.flatMap((member) => {
    const trace = traces.get(member.trace_id);
    const advantage = member.advantage !== null && isEqual ? 0 : member.advantage;
    return trace ? [{ ...member, advantage, trace }] : [];
  });
  return { group, reward: isEqual ? { ...group.reward, std: 0 } : group.reward, members: byReward(members) };
}

/** Any traces, as if they were rollouts of one task. */
export async function loadSelectedTraces(org: string, ids: readonly string[], signal: AbortSignal): Promise<GroupView> {
  const traces = await Promise.all(
    ids
      .slice(0, MAX_MEMBERS)
      .map((traceId) => unwrapResponse(traceApi.getTrace({ params: { path: { org, traceId } }, signal }))),
  );
  const reward = summarizeRewards(traces.map(({ reward_sum }) => reward_sum));
  const members = traces.map((trace) => ({
    trace,
    trace_id: trace.id,
    rollout_index: trace.rollout_index,
    status: trace.status,
    reward: trace.reward_sum,
    advantage: advantageWithin(trace.reward_sum, reward),
    block_count: trace.block_count,
  }));
  return { group: undefined, reward, members: byReward(members) };
}

const byReward = <Member extends { readonly reward: number | null }>(members: readonly Member[]): Member[] =>
  members
    .toSorted(
      (one, other) => (other.reward ?? Number.NEGATIVE_INFINITY) - (one.reward ?? Number.NEGATIVE_INFINITY) || 0,
    )
    .slice(0, MAX_MEMBERS);

async function tracesOf(org: string, group: Group, signal: AbortSignal): Promise<ReadonlyMap<string, Trace>> {
  const named = Object.entries({
    ...Object.fromEntries(GROUP_FIELDS.map((name) => [name, group[name]])),
    step: group.step,
  });
  const query = { ...Object.fromEntries(named.filter(([, value]) => value !== null)), limit: 1_000 };
  const { traces } = await unwrapResponse(traceApi.listTraces({ params: { path: { org }, query }, signal }));
  return new Map(traces.map((trace) => [trace.id, trace]));
}
