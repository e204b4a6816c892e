import { CallMatcher } from '../../core/index.ts';
import { joinText, type Message, type SerializedMessage, withUniqueCallIds } from '../../protocol/index.ts';
import type { ConversationItem } from '../conversation/index.ts';
import { toToolName, uniqueCallId } from '../model/index.ts';
import type { TraceHandle } from './trace-handle.ts';

type ConversationMessage = Message | SerializedMessage;
type ConversationBlock = ConversationMessage['blocks'][number];
type CallBlock = ConversationBlock & { readonly type: 'tool_call' };
type ResultBlock = ConversationBlock & { readonly type: 'tool_result' };

/** Distinguishes the messages and calls of a conversation from those of the agent that continues it. */
const MARK = { conversation: true };

/**
 * Logs a conversation as blocks of a trace: messages, reasoning, calls and results. A result without its call stays part of
 * its message. Messages and calls have `conversation: true` in `extra`.
 *
 * @param callIds ids of calls in the trace; those of the conversation are added.
 * @returns the id of the last message, or undefined if there is none.
 * @example
 * logConversation(trace, await session.messages(), new Set());
 */
export function logConversation(
  trace: TraceHandle,
  messages: readonly ConversationMessage[],
  callIds: Set<string>,
): string | undefined {
  const calls = new CallMatcher<LoggedCall>();
  let last: string | undefined;
  for (const { role, blocks, detail } of messages) {
    calls.endTurn();
    const content: ConversationBlock[] = [];
    for (const block of blocks) {
      const call = block.type === 'tool_result' ? calls.take(block.tool_call_id)?.call : undefined;
      if (call) logResult(trace, block as ResultBlock, call);
      else if (block.type !== 'reasoning' && block.type !== 'tool_call') content.push(block);
    }
    const hasOnlyResults = content.length === 0 && blocks.some(({ type }) => type === 'tool_result');
    if (hasOnlyResults) continue;
    const newIds = newCallIds(blocks, callIds);
    const message = trace.logMessage({
      role,
      content: content.length > 0 ? content : callParts(newIds),
      extra: { ...MARK, ...(detail && { detail }) },
    }).id;
    last = message;
    for (const block of blocks) {
      if (block.type === 'reasoning' && block.text !== '') {
        const { text, signature } = block;
        trace.logThink({ parent_block_id: message, payload: { text, ...(signature != null && { signature }) } });
      }
      if (block.type !== 'tool_call') continue;
      const { name, extra } = toToolName(block.name);
      const callId = newIds.get(block) ?? block.id;
      const payload = { call_id: callId, name, arguments: block.input };
      const { id } = trace.logAct({ parent_block_id: message, payload, extra: { ...MARK, ...extra } });
      calls.add(block.id, { block: id, callId });
    }
  }
  return last;
}

interface LoggedCall {
  readonly block: string;
  readonly callId: string;
}

/** Returns a conversation as the items that a wrapped client of a provider sees, so that it does not log them again. */
export function conversationItems(messages: readonly Message[]): ConversationItem[] {
  // With the ids that `formatMessages` gives to calls.
  return withUniqueCallIds(messages).flatMap(({ role, blocks: all }): ConversationItem[] => {
    const blocks: readonly ConversationBlock[] = all;
    const content = blocks.filter(({ type }) => type === 'text' || type === 'image');
    // Blocks are JSON objects with a type.
    const parts = content as unknown as Extract<ConversationItem, { kind: 'output' }>['content'];
    const said: ConversationItem =
      role === 'assistant' ? { kind: 'output', content: parts } : { kind: 'message', role, content: parts };
    const others = blocks.flatMap((block): ConversationItem[] => {
      if (block.type === 'tool_call') return [{ kind: 'call', callId: block.id, name: block.name, input: block.input }];
      if (block.type !== 'tool_result') return [];
      return [{ kind: 'result', callId: block.tool_call_id, output: joinText(block.blocks), isError: false }];
    });
    if (content.length === 0 && others.length > 0) return others;
    return role === 'assistant' ? [said, ...others] : [...others, said];
  });
}

/** A message must have content: that of an assistant without text names its calls, as for other recorded calls. */
function callParts(calls: ReadonlyMap<CallBlock, string>): { readonly type: string }[] {
  const parts = [...calls].map(([{ name }, id]) => ({ type: 'tool_use', id, name }));
  return parts.length > 0 ? parts : [{ type: 'text', text: '' } as { type: string }];
}

/** Returns the calls of a message with their ids in the trace, and adds these to `callIds`. */
function newCallIds(blocks: readonly ConversationBlock[], callIds: Set<string>): Map<CallBlock, string> {
  const ids = new Map<CallBlock, string>();
  for (const block of blocks) {
    if (block.type !== 'tool_call') continue;
    const id = uniqueCallId(block.id, (other) => callIds.has(other));
    callIds.add(id);
    ids.set(block, id);
  }
  return ids;
}

function logResult(trace: TraceHandle, { blocks, is_error }: ResultBlock, { block, callId }: LoggedCall): void {
  const output = is_error
    ? { ok: false, error: joinText(blocks), blocks }
    : { blocks, metadata: null, reward: null, finished: false };
  trace.logObserve({
    parent_block_id: block,
    payload: { call_id: callId, output },
    ...(is_error && { extra: { tool_error: true } }),
  });
}
