import { CallMatcher, plural } from '../../core/index.ts';
import type { Message, MessageBlock } from '../../protocol/index.ts';
import { noPrompts } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { promptOf } from './episodes.ts';

/** Rules about prompts that are conversations, and about comparisons of rollouts. */
export const conversationRules: readonly ValidationRule[] = [
  {
    name: 'conversations-fit-providers',
    levels: ['error', 'warning'],
    sentence: 'Model providers accept the conversation of a task',
    explanation:
      'Providers reject a conversation whose calls and results do not belong together, and some reject ' +
      'late system messages. The messages of each sampled task are checked. Add the missing call or ' +
      'result, and end with a message of the user.',
    untested: noPrompts,
    *check({ splits }) {
      for (const { name: split, tasks } of splits) {
        const reported = new Set<string>();
        for (const task of tasks) {
          const messages = promptOf(task)?.messages ?? [];
          for (const problem of [...callProblems(messages), ...orderProblems(messages)]) {
            if (reported.has(problem.kind)) continue;
            reported.add(problem.kind);
            yield { split, index: task.index, level: problem.level, message: problem.text };
          }
        }
      }
    },
  },
  {
    name: 'groups-are-scored',
    levels: ['error', 'warning'],
    sentence: 'A comparison returns one finite reward for each rollout, whatever the order of the rollouts',
    explanation:
      'Comparative rewards that depend on the order of the rollouts reward the position instead of the ' +
      'content. Runs of a task are compared, and compared again in reverse order. Return one finite number ' +
      'for each candidate, and compare every pair in both orders.',
    untested: ({ splits }) =>
      splits.some(({ tasks }) => tasks.some(({ group }) => group)) ? undefined : 'the environment compares no rollouts',
    *check({ splits }) {
      for (const { name: split, tasks } of splits) {
        for (const { index, group } of tasks) {
          if (group?.failure !== undefined) {
            const advice = 'return one number for each candidate, and throw only if no comparison is possible';
            yield { split, index, message: `the rollouts could not be compared: ${group.failure}; ${advice}` };
          } else if (group?.rewards.some((reward, at) => !isClose(reward, group.reversed[at]))) {
            const rewards = `${group.rewards.join(', ')}, and in reverse order ${group.reversed.join(', ')}`;
            const advice = 'compare every pair in both orders, unless a judge decides at random';
            yield { level: 'warning', split, index, message: `the same rollouts earned ${rewards}; ${advice}` };
          }
        }
      }
    },
  },
];

interface Problem {
  /** One finding per kind and split is enough. */
  readonly kind: string;
  readonly level: 'error' | 'warning';
  readonly text: string;
}

/** Finds tool calls and results that do not belong together. */
function* callProblems(messages: readonly Message[]): Generator<Problem> {
  const calls = new CallMatcher<MessageBlock>();
  const open = new Set<MessageBlock>();
  const known = new Set<string>();
  for (const message of messages) {
    calls.endTurn();
    const blocks: readonly MessageBlock[] = message.blocks;
    for (const block of blocks) {
      const call = block.type === 'tool_result' ? calls.take(block.tool_call_id)?.call : undefined;
      if (block.type === 'tool_result' && !(call && open.delete(call))) {
        const text = `the conversation has a result of '${block.tool_call_id}', but no open call with this id before it`;
        yield { kind: 'result', level: 'error', text: `${text}; add the call, or remove the result` };
      }
      if (block.type !== 'tool_call') continue;
      if (known.has(block.id)) {
        const text = `the conversation has several calls with the id '${block.id}'; number the calls`;
        yield { kind: 'id', level: 'error', text };
      }
      known.add(block.id);
      calls.add(block.id, block);
      open.add(block);
    }
  }
  if (open.size === 0) return;
  const text = `the conversation has ${plural(open.size, 'call')} without a result; add a tool_result for each`;
  yield { kind: 'call', level: 'error', text };
}

/** Finds roles at places that some providers reject. */
function* orderProblems(messages: readonly Message[]): Generator<Problem> {
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  if (firstOther >= 0 && messages.slice(firstOther).some(({ role }) => role === 'system')) {
    const text = 'a system message follows other messages, which Anthropic and Google reject; put it first';
    yield { kind: 'system', level: 'warning', text };
  }
  const last = messages.at(-1);
  if (last && last.role !== 'user') {
    const text = `the conversation ends with a message of the ${last.role}; end with the user, so that the agent responds`;
    yield { kind: 'last', level: 'warning', text };
  }
  const isImageInSystem = messages.some(({ role, blocks }) => role === 'system' && blocks.some(isImage));
  if (isImageInSystem) {
    const text = 'a system message has an image, which providers reject; move it to a message of the user';
    yield { kind: 'image', level: 'warning', text };
  }
}

const isImage = ({ type }: MessageBlock): boolean => type === 'image';

const isClose = (reward: number, other: number | undefined): boolean =>
  other !== undefined && Math.abs(reward - other) <= 1e-9 * Math.max(1, Math.abs(reward));
