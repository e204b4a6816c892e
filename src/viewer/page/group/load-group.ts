import { useEffect, useState } from 'preact/hooks';
import type { Block, BlockSkeleton, Group, GroupMember, RewardSummary, Trace } from '../../../../generated/trace.ts';
import { mapConcurrent } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { collectPages, isAbort, readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { advantageWithin, allRewardsEqual, summarizeShownRewards } from '../parts/rewards.ts';
import { groupParams } from '../parts/trace-links.tsx';
import { type AgentStep, callsToSteps, GROUP_FIELDS, type GroupParams, messagesToSteps } from './steps.ts';

/** Rollouts of a task, or selected traces. */
export interface GroupView {
  /** Group of the rollouts; undefined for selected traces. */
  readonly group: Group | undefined;
  readonly reward: RewardSummary;
  /** Sorted by reward, highest first. */
  readonly members: readonly (GroupMember & { readonly trace: Trace })[];
}

/** Maximum number of columns. */
const MAX_MEMBERS = 256;
const PAGES = 10;

/** Returns the groups that match: one, unless the parameters are ambiguous. */
export async function findGroups(org: string, name: GroupParams, signal: AbortSignal): Promise<readonly Group[]> {
  const found: Group[] = [];
  const pages = readPages((cursor) => {
    const params = { path: { org }, query: { ...name, limit: 100, ...cursor } };
    return unwrapResponse(traceApi.listGroups({ params, signal }));
  }, PAGES);
  for await (const { groups } of pages) {
    found.push(...groups);
    // Parameters without a step also match the group without one.
    const exact = groups.filter((group) => matchesParams(group, name));
    if (exact.length === 1 && name.step === undefined && exact[0]?.step === null) return exact;
  }
  const exact = found.filter((group) => matchesParams(group, name));
  return exact.length === 1 ? exact : found;
}

const matchesParams = (group: Group, name: GroupParams): boolean =>
  [...GROUP_FIELDS, 'step' as const].every((field) => group[field] === (name[field] ?? null));

export async function loadGroup(org: string, group: Group, signal: AbortSignal): Promise<GroupView> {
  const traces = await tracesOf(org, group, signal);
  // Ignores the rounding errors that the store counts as a difference.
  const isEqual = allRewardsEqual(group.reward);
  const members = group.members.flatMap((member) => {
    const trace = traces.get(member.trace_id);
    const advantage = member.advantage !== null && isEqual ? 0 : member.advantage;
    return trace ? [{ ...member, advantage, trace }] : [];
  });
  return { group, reward: isEqual ? { ...group.reward, std: 0 } : group.reward, members: byReward(members) };
}

/** Loads selected traces as if they were rollouts of one task. */
export async function loadSelectedTraces(org: string, ids: readonly string[], signal: AbortSignal): Promise<GroupView> {
  const traces = await Promise.all(
    ids
      .slice(0, MAX_MEMBERS)
      .map((traceId) => unwrapResponse(traceApi.getTrace({ params: { path: { org, traceId } }, signal }))),
  );
  const reward = summarizeShownRewards(traces.map(({ reward_sum }) => reward_sum));
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
  const query = { ...groupParams(group), has_parent: false, limit: 1_000 };
  const { traces } = await unwrapResponse(traceApi.listTraces({ params: { path: { org }, query }, signal }));
  return new Map(traces.map((trace) => [trace.id, trace]));
}

/** Number of concurrent requests, so that the server can handle others. */
const AT_ONCE = 4;
/** Columns that arrive within this time are aligned together. */
const GATHER_MS = 300;

interface LoadedSteps {
  /** By trace id. */
  readonly steps: ReadonlyMap<string, TraceSteps>;
  readonly failure: RequestError | undefined;
}

/** Loads the steps of all members from left to right; unchanged traces are not loaded again. */
export function useSteps(members: GroupView['members']): LoadedSteps {
  const org = useOrganization();
  const [loaded, setLoaded] = useState<LoadedSteps>({ steps: new Map(), failure: undefined });
  const version = members.map(({ trace }) => `${trace.id} ${trace.block_count}`).join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const steps = new Map<string, TraceSteps>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      setLoaded((before) => ({ steps: new Map([...before.steps, ...steps]), failure: undefined }));
    };
    const load = async ({ trace }: GroupView['members'][number], signal: AbortSignal) => {
      steps.set(trace.id, await loadSteps(org, trace, signal));
      timer ??= setTimeout(show, GATHER_MS);
    };
    mapConcurrent(members, AT_ONCE, load, stop.signal).catch((error) => {
      if (!stop.signal.aborted && !isAbort(error))
        setLoaded((before) => ({ ...before, failure: asRequestError(error) }));
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [org, version]);
  return loaded;
}

/** Steps of one trace, up to a limit. */
export interface TraceSteps {
  readonly steps: readonly AgentStep[];
  /** Set if there are more steps. */
  readonly isTruncated: boolean;
}

/** Maximum number of steps of a column. */
export const MAX_STEPS = 1_000;
const PAGE = 1_000;
/** Maximum number of pages of results, which may come in pieces. */
const RESULT_PAGES = 5;
/** Size above which only the skeletons of calls are read, which compare the beginning of the arguments. */
const WHOLE_BYTES = 8 * 1024 * 1024;

type StepFilter = { readonly sub_type: 'TOOL_CALL' | 'TOOL_RESULT' | 'MESSAGE'; readonly fields: 'all' | 'skeleton' };

async function loadSteps(org: string, { id, bytes }: Trace, signal: AbortSignal): Promise<TraceSteps> {
  const read = (filter: StepFilter, pages: number) => readBlocks(org, id, filter, pages, signal);
  const fields = bytes <= WHOLE_BYTES ? 'all' : 'skeleton';
  const [calls, results] = await Promise.all([
    read({ sub_type: 'TOOL_CALL', fields }, 1),
    read({ sub_type: 'TOOL_RESULT', fields: 'skeleton' }, RESULT_PAGES),
  ]);
  if (calls.blocks.length > 0)
    return { steps: callsToSteps(calls.blocks, results.blocks), isTruncated: calls.isTruncated };
  const messages = await read({ sub_type: 'MESSAGE', fields: 'skeleton' }, 1);
  return { steps: messagesToSteps(messages.blocks), isTruncated: messages.isTruncated };
}

async function readBlocks(org: string, traceId: string, filter: StepFilter, max: number, signal: AbortSignal) {
  const { pages, isAll } = await collectPages(({ cursor = '0' }) => {
    const params = { path: { org, traceId }, query: { ...filter, after: Number(cursor), limit: PAGE } };
    return unwrapResponse(traceApi.listBlocks({ params, signal }));
  }, max);
  // The client has a generated type for blocks that is equal except in name.
  return { blocks: pages.flatMap(({ blocks }) => blocks as (Block | BlockSkeleton)[]), isTruncated: !isAll };
}
