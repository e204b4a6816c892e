import type { MessageBlock, ThinkBlock, Timestamp } from '../../../generated/trace.ts';
import { type Awaitable, andThen } from '../../core/index.ts';
import { type Batches, flatMapBatches, forEachBatch, type StoredBlock } from '../model/index.ts';
import { type AssistantTurnEntry, type Conversation, callResultOrdinals } from './conversation.ts';
import { type DisplayPart, messageParts } from './pieces.ts';

export interface ConversationMessage {
  /** Undefined where a turn has no message. */
  readonly block: MessageBlock | undefined;
  readonly role: string;
  readonly pieces: readonly DisplayPart[];
}

/** What was said at a place; nothing at 0. */
export function readMessage(conversation: Conversation, message: number): Awaitable<ConversationMessage> {
  return andThen(readBlocksAt(conversation, message === 0 ? [] : [message]), ([stored]) => {
    if (!stored) return { block: undefined, role: 'assistant', pieces: [] };
    const block = stored.block as MessageBlock;
    const { role, content } = block.payload;
    return andThen(messageParts(content, conversation), (pieces) => ({ block, role, pieces }));
  });
}

/** A few blocks. */
export function readBlocksAt({ trace }: Conversation, ords: readonly number[]): Awaitable<readonly StoredBlock[]> {
  const all: StoredBlock[] = [];
  const look = (stored: StoredBlock) => {
    all.push(stored);
  };
  return andThen(forEachBatch(trace.read(ords), look), () => all);
}

/** The texts of thoughts. */
export const readThoughts = ({ trace }: Conversation, thinks: readonly number[]): Batches<string> =>
  flatMapBatches(trace.read(thinks), ({ block }) => [(block as ThinkBlock).payload.text]);

/** When the blocks at these places were written. */
export const readTimes = (conversation: Conversation, ords: readonly number[]): Awaitable<readonly Timestamp[]> =>
  andThen(readBlocksAt(conversation, ords), (all) => all.map(({ block }) => block.created_at));

/** The places of what a turn itself has: of all that is not a result. */
export const turnOrdinals = ({ message, thinks, calls }: AssistantTurnEntry): readonly number[] => [
  ...(message === 0 ? [] : [message]),
  ...thinks,
  ...calls,
];

/** Those of the calls that have a result. */
export const answeredCalls = ({ trace: { layout } }: Conversation, calls: readonly number[]): readonly number[] =>
  calls.filter((call) => callResultOrdinals(layout, call).length > 0);
