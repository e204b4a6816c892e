import { CallMatcher, type NameRule, sanitizeName, uniqueName } from '../core/index.ts';
import { blocksOf } from './message-blocks.ts';
import type { Message, MessageBlock } from './types.ts';

/** Rule for readers that accept every id of a call, except an empty one. */
export const ANY_CALL_ID: NameRule = { rejected: /(?!)/g, start: /^./s, maxLength: Number.POSITIVE_INFINITY };

/**
 * Returns a conversation in which every call has its own id, and each result the id of its call. Ids that are unique and
 * valid stay unchanged, and so does the valid id of a result without a call.
 *
 * @param rule ids that the reader of the conversation accepts. @default every id that is not empty
 */
export function withUniqueCallIds(messages: readonly Message[], rule = ANY_CALL_ID): readonly Message[] {
  const calls = new CallMatcher<string>();
  const taken = new Set<string>();
  const validId = (id: string) => sanitizeName(id === '' ? 'call' : id, rule);
  const all = messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
  const valid = new Set(all.filter((id) => validId(id) === id));
  const claimId = (id: string): string => {
    const isTaken = (other: string) => taken.has(other) || (other !== id && valid.has(other));
    const claimed = uniqueName(validId(id), isTaken, { maxLength: rule.maxLength });
    taken.add(claimed);
    return claimed;
  };
  const convert = (block: MessageBlock): MessageBlock => {
    if (block.type === 'tool_call') {
      const id = claimId(block.id);
      calls.add(block.id, id);
      return id === block.id ? block : { ...block, id };
    }
    if (block.type !== 'tool_result') return block;
    const { tool_call_id } = block;
    const id = calls.take(tool_call_id)?.call ?? validId(tool_call_id);
    return id === tool_call_id ? block : { ...block, tool_call_id: id };
  };
  return messages.map((message) => {
    calls.endTurn();
    const blocks = blocksOf(message).map(convert);
    const isUnchanged = blocks.every((block, index) => block === message.blocks[index]);
    // The types of the blocks are the same.
    return isUnchanged ? message : ({ ...message, blocks } as Message);
  });
}
