import type { MessageBlock, ThinkBlock, Timestamp } from '../../../generated/trace.ts';
import { type Conversation, resultsOf, type Turn } from './conversation.ts';
import { type Piece, piecesOfContent } from './pieces.ts';

export interface Message {
  /** Undefined where a turn has no message. */
  readonly block: MessageBlock | undefined;
  readonly role: string;
  readonly pieces: readonly Piece[];
}

/** What was said at a place; nothing at 0. */
export async function readMessage(conversation: Conversation, message: number): Promise<Message> {
  for await (const stored of conversation.trace.read(message === 0 ? [] : [message])) {
    const block = stored.block as MessageBlock;
    const { role, content } = block.payload;
    return { block, role, pieces: await piecesOfContent(content, conversation) };
  }
  return { block: undefined, role: 'assistant', pieces: [] };
}

/** The texts of thoughts. */
export async function* readThoughts({ trace }: Conversation, thinks: Iterable<number>): AsyncGenerator<string> {
  for await (const { block } of trace.read(thinks)) yield (block as ThinkBlock).payload.text;
}

/** When the blocks at these places were written: they are read one after the other. */
export async function readTimes({ trace }: Conversation, ords: Iterable<number>): Promise<Timestamp[]> {
  const times: Timestamp[] = [];
  for await (const { block } of trace.read(ords)) times.push(block.created_at);
  return times;
}

/** The places of what a turn itself has: of all that is not a result. */
export const placesOfTurn = ({ message, thinks, calls }: Turn): readonly number[] => [
  ...(message === 0 ? [] : [message]),
  ...thinks,
  ...calls,
];

/** Those of the calls that have a result. */
export const answered = ({ trace: { layout } }: Conversation, calls: readonly number[]): readonly number[] =>
  calls.filter((call) => resultsOf(layout, call).length > 0);
