import type { Group, GroupMember, RewardSummary, Trace } from '../../../../generated/trace.ts';
import { answerOf, api } from '../api/store.ts';
import { advantageAmong, areEqual, summarize } from '../parts/rewards.ts';
import { GROUP_FIELDS, type GroupName } from './group-name.ts';

/** What the page shows: the rollouts of a task, or traces that somebody chose. */
export interface Shown {
  /** What the rollouts share; undefined for chosen traces. */
  readonly group: Group | undefined;
  readonly reward: RewardSummary;
  /** The greatest reward first. */
  readonly members: readonly (GroupMember & { readonly trace: Trace })[];
}

/** Columns; more cannot be told apart anyway. */
export const MOST_MEMBERS = 256;
const PAGES = 10;

/** The groups that a name fits: one, unless it leaves something open. */
export async function findGroups(org: string, name: GroupName, signal: AbortSignal): Promise<readonly Group[]> {
  const found: Group[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = { ...name, limit: 100, ...(cursor !== undefined && { cursor }) };
    const answer = await answerOf(api.listGroups({ params: { path: { org }, query }, signal }));
    found.push(...answer.groups);
    // A name without a step is also that of the group that has none.
    const exact = answer.groups.filter((group) => isNamed(group, name));
    if (exact.length === 1 && name.step === undefined && exact[0]?.step === null) return exact;
    cursor = answer.page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  const exact = found.filter((group) => isNamed(group, name));
  return exact.length === 1 ? exact : found;
}

const isNamed = (group: Group, name: GroupName): boolean =>
  [...GROUP_FIELDS, 'step' as const].every((field) => group[field] === (name[field] ?? null));

export async function loadGroup(org: string, group: Group, signal: AbortSignal): Promise<Shown> {
  const traces = await tracesOf(org, group, signal);
  // The store counts what sums of fractions are off by as a difference.
  const isEqual = areEqual(group.reward);
  const members = group.members.flatMap((member) => {
    const trace = traces.get(member.trace_id);
    const advantage = member.advantage !== null && isEqual ? 0 : member.advantage;
    return trace ? [{ ...member, advantage, trace }] : [];
  });
  return { group, reward: isEqual ? { ...group.reward, std: 0 } : group.reward, members: byReward(members) };
}

/** Any traces, as if they were rollouts of one task. */
export async function loadChosen(org: string, ids: readonly string[], signal: AbortSignal): Promise<Shown> {
  const traces = await Promise.all(
    ids.slice(0, MOST_MEMBERS).map((traceId) => answerOf(api.getTrace({ params: { path: { org, traceId } }, signal }))),
  );
  const reward = summarize(traces.map(({ reward_sum }) => reward_sum));
  const members = traces.map((trace) => ({
    trace,
    trace_id: trace.id,
    rollout_index: trace.rollout_index,
    status: trace.status,
    reward: trace.reward_sum,
    advantage: advantageAmong(trace.reward_sum, reward),
    block_count: trace.block_count,
  }));
  return { group: undefined, reward, members: byReward(members) };
}

const byReward = <Member extends { readonly reward: number | null }>(members: readonly Member[]): Member[] =>
  members
    .toSorted(
      (one, other) => (other.reward ?? Number.NEGATIVE_INFINITY) - (one.reward ?? Number.NEGATIVE_INFINITY) || 0,
    )
    .slice(0, MOST_MEMBERS);

async function tracesOf(org: string, group: Group, signal: AbortSignal): Promise<ReadonlyMap<string, Trace>> {
  const named = Object.entries({
    ...Object.fromEntries(GROUP_FIELDS.map((name) => [name, group[name]])),
    step: group.step,
  });
  const query = { ...Object.fromEntries(named.filter(([, value]) => value !== null)), limit: 1_000 };
  const { traces } = await answerOf(api.listTraces({ params: { path: { org }, query }, signal }));
  return new Map(traces.map((trace) => [trace.id, trace]));
}
