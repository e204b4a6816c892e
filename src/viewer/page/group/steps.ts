import type { Block, BlockSkeleton } from '../../../../generated/trace.ts';
import { canonicalJson, fieldsOf, groupBy, ownProperty } from '../../../core/index.ts';
import { indexParam, textParams } from '../api/location.ts';
import { sumRewards } from '../parts/rewards.ts';
import { unlessTooDeep } from '../parts/text-segments.ts';

/** Step of an agent: a tool call with its result, or a message of an agent that calls no tools. */
export interface AgentStep {
  /** Block id. */
  readonly id: string;
  /** Equal for equal steps: the tool's name and its canonical arguments. */
  readonly key: string;
  readonly tool: string;
  /** Beginning of the arguments. */
  readonly inputText: string;
  /** Beginning of the last result. */
  readonly result: string;
  /** Sum of the rewards of the call and its results; null without any. */
  readonly reward: number | null;
  readonly isError: boolean;
}

const SHORT = 160;

/** Makes steps of calls, whole or as skeletons, and of the skeletons of their results. */
export function callsToSteps(
  calls: readonly (Block | BlockSkeleton)[],
  results: readonly (Block | BlockSkeleton)[],
): readonly AgentStep[] {
  const byCall = groupBy(results.filter(isSkeleton), (result) => result.parent_block_id);
  return calls.map((call) => {
    const own: readonly BlockSkeleton[] = byCall.get(call.id) ?? [];
    return {
      id: call.id,
      ...describeCall(call),
      result: own.findLast(({ preview }) => preview !== '')?.preview ?? '',
      reward: sumRewards([call, ...own].map(rewardOf)),
      isError: own.some(({ is_error }) => is_error),
    };
  });
}

/** Makes steps of messages, for agents that call no tools. */
export const messagesToSteps = (messages: readonly (Block | BlockSkeleton)[]): readonly AgentStep[] =>
  messages
    .filter(isSkeleton)
    .filter(({ role }) => role === 'assistant')
    .map((message) => ({
      id: message.id,
      key: `${message.bytes} ${message.preview}`,
      tool: 'message',
      inputText: message.preview,
      result: '',
      reward: message.reward,
      isError: false,
    }));

const isSkeleton = (block: Block | BlockSkeleton): block is BlockSkeleton => !('payload' in block);

function describeCall(call: Block | BlockSkeleton): Pick<AgentStep, 'key' | 'tool' | 'inputText'> {
  if (isSkeleton(call)) {
    const { name, preview, bytes } = call;
    return { tool: name ?? '?', key: `${name} ${bytes} ${preview}`, inputText: preview };
  }
  if (call.sub_type !== 'TOOL_CALL') return { tool: '?', key: call.id, inputText: '' };
  const { name, arguments: given } = call.payload;
  const text = unlessTooDeep(() => canonicalJson(given), call.id);
  return { tool: name, key: `${name} ${text}`, inputText: shortArguments(given, text) };
}

/** Formats a single text argument as it is (`100 + 1`), others as JSON. */
function shortArguments(given: unknown, json: string): string {
  const values = Object.values(fieldsOf(given));
  const text = values.length === 1 && typeof values[0] === 'string' ? values[0] : json === '{}' ? '' : json;
  return text.slice(0, SHORT);
}

function rewardOf(block: Block | BlockSkeleton): number | null {
  const reward = isSkeleton(block) ? block.reward : ownProperty(block.extra, 'reward');
  return typeof reward === 'number' ? reward : null;
}

export const GROUP_FIELDS = ['run', 'group_id', 'environment', 'split', 'task_key'] as const;

/** Parameters of an address that identify a group. */
export type GroupParams = ReturnType<typeof readGroupParams>;

export function readGroupParams(query: URLSearchParams) {
  const step = indexParam(query, 'step');
  return { ...textParams(query, GROUP_FIELDS), ...(step !== undefined && { step }) };
}

/** Returns the query parameters that are not valid for a group of these traces. */
export function unknownGroupParams(
  query: URLSearchParams,
  members: readonly { readonly trace_id: string }[] = [],
): readonly string[] {
  const [step, reference] = [query.get('step'), query.get('reference')];
  const isStepUsed = !step || readGroupParams(query).step !== undefined;
  const isReferenceUsed = !reference || members.some(({ trace_id }) => trace_id === reference);
  return [...(isStepUsed ? [] : ['step']), ...(isReferenceUsed ? [] : ['reference'])];
}

interface ScrollWindow {
  /** Scroll position in px. */
  readonly at: number;
  /** Visible size in px. */
  readonly size: number;
  /** Size of one item in px. */
  readonly each: number;
  readonly count: number;
  /** Number of items to render outside of the viewport at each end. */
  readonly overscan: number;
}

/** Returns the range of visible items of equal size; `to` is exclusive. */
export function visibleRange({ at, size, each, count, overscan }: ScrollWindow) {
  const within = (index: number) => Math.max(0, Math.min(count, index));
  const from = within(Math.floor(at / each) - overscan);
  return { from, to: Math.max(from, within(Math.ceil((at + size) / each) + overscan)) };
}

/** Reward of a rollout on an axis. */
export interface AxisDot {
  /** Index of the reward. */
  readonly index: number;
  /** Position on the axis from 0 to 1. */
  readonly at: number;
  /** Number of dots below it, which are at the same position. */
  readonly level: number;
}

/** Number of positions on an axis; rewards that are closer are stacked. */
const AXIS_POSITIONS = 80;

/** Returns the positions of rewards on one axis from the lowest to the highest; missing rewards have none. */
export function toAxisDots(rewards: readonly (number | null)[]): readonly AxisDot[] {
  const given = rewards.filter((reward) => reward !== null);
  const min = given.reduce((least, reward) => Math.min(least, reward), Number.POSITIVE_INFINITY);
  const max = given.reduce((most, reward) => Math.max(most, reward), Number.NEGATIVE_INFINITY);
  const levels = new Map<number, number>();
  return rewards.flatMap((reward, index) => {
    if (reward === null) return [];
    // Equal rewards are in the middle.
    const position = max === min ? AXIS_POSITIONS / 2 : Math.round(((reward - min) / (max - min)) * AXIS_POSITIONS);
    const level = levels.get(position) ?? 0;
    levels.set(position, level + 1);
    return [{ index, at: position / AXIS_POSITIONS, level }];
  });
}
