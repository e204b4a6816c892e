import type { Block, BlockSkeleton } from '../../../../generated/trace.ts';
import { canonicalJson, groupBy, sum } from '../../../core/index.ts';

/** One thing that an agent did: a tool call with what came of it, or a message where it calls no tools. */
export interface AgentStep {
  /** Id of the block. */
  readonly id: string;
  /** The same for steps that do the same: of the tool's name and its canonical arguments. */
  readonly key: string;
  readonly tool: string;
  /** The beginning of the arguments. */
  readonly inputText: string;
  /** The beginning of the last result. */
  readonly result: string;
  /** The sum of what the call and its results were rewarded with; null without any. */
  readonly reward: number | null;
  readonly isError: boolean;
}

const SHORT = 160;

/** Steps of calls, whole or as outlines, with the outlines of their results. */
export function callsToSteps(
  calls: readonly (Block | BlockSkeleton)[],
  results: readonly (Block | BlockSkeleton)[],
): readonly AgentStep[] {
  const byCall = groupBy(results.filter(isOutline), (result) => result.parent_block_id);
  return calls.map((call) => {
    const own: readonly BlockSkeleton[] = byCall.get(call.id) ?? [];
    const rewards = [rewardOf(call), ...own.map(rewardOf)].filter((value) => value !== null);
    return {
      id: call.id,
      ...whatWasDone(call),
      result: own.findLast(({ preview }) => preview !== '')?.preview ?? '',
      reward: rewards.length === 0 ? null : sum(rewards),
      isError: own.some(({ is_error }) => is_error),
    };
  });
}

/** Messages as steps, for agents that call no tools. */
export const messagesToSteps = (messages: readonly (Block | BlockSkeleton)[]): readonly AgentStep[] =>
  messages
    .filter(isOutline)
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

const isOutline = (block: Block | BlockSkeleton): block is BlockSkeleton => !('payload' in block);

function whatWasDone(call: Block | BlockSkeleton): Pick<AgentStep, 'key' | 'tool' | 'inputText'> {
  if (isOutline(call)) {
    const { name, preview, bytes } = call;
    return { tool: name ?? '?', key: `${name} ${bytes} ${preview}`, inputText: preview };
  }
  if (call.sub_type !== 'TOOL_CALL') return { tool: '?', key: call.id, inputText: '' };
  const { name, arguments: given } = call.payload;
  const text = canonicalOr(given, call.id);
  return { tool: name, key: `${name} ${text}`, inputText: shortArguments(given, text) };
}

/** What is nested deeper than the stack goes is like nothing else. */
function canonicalOr(value: unknown, otherwise: string): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

/** `100 + 1` for one argument that is a text, else JSON. */
function shortArguments(given: Readonly<Record<string, unknown>>, json: string): string {
  const values = Object.values(given);
  const text = values.length === 1 && typeof values[0] === 'string' ? values[0] : json === '{}' ? '' : json;
  return text.slice(0, SHORT);
}

function rewardOf(block: Block | BlockSkeleton): number | null {
  const reward = isOutline(block) ? block.reward : block.extra?.reward;
  return typeof reward === 'number' ? reward : null;
}
