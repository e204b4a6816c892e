import type {
  Block,
  BlockId,
  MessageBlock,
  StitchedMessage,
  StitchedToolCall,
  ThinkBlock,
  ToolResultBlock,
} from '../../../generated/trace.ts';
import { isRecord } from '../../protocol/index.ts';
import { stitch } from '../model/index.ts';

/** A trace as the conversation that model providers know: what was said, and the turns of the model in between. */
export interface Conversation {
  readonly entries: readonly Entry[];
  /** Results whose call is lost: none, unless the data is damaged. */
  readonly orphans: readonly ToolResultBlock[];
}

export type Entry = Said | Turn;

/** A message of system or user. */
export interface Said {
  readonly kind: 'said';
  readonly message: MessageBlock;
}

/** One answer of the model; its calls are assembled. The message is null where the model only thought and called. */
export interface Turn {
  readonly kind: 'turn';
  readonly message: MessageBlock | null;
  readonly thinks: readonly ThinkBlock[];
  readonly calls: readonly StitchedToolCall[];
}

/**
 * Reads all blocks of a trace. Calls and thoughts may hang under a message of the user, and those of several turns under
 * one message; whatever was written after a result begins a new turn, because the model may have known that result. Calls
 * that the message itself announces by parts of the type `tool_use` belong to its own turn.
 */
export async function readConversation(blocks: AsyncIterable<Block>): Promise<Conversation> {
  const places = new Map<BlockId, number>();
  const all: Block[] = [];
  for await (const block of blocks) {
    places.set(block.id, all.length);
    all.push(block);
  }
  const placeOf = ({ id }: Block) => places.get(id) ?? 0;
  const { messages, orphans } = stitch(all, { assemble: true });
  const astray = [...orphans.thinks, ...orphans.tool_calls].sort((one, other) => placeOf(one) - placeOf(other));
  const entries = [
    ...messages.flatMap((message) => entriesOf(message, placeOf)),
    ...turnsOf(null, astray, new Set(), placeOf),
  ];
  return { entries: joinThoughts(entries), orphans: orphans.tool_results };
}

type Child = ThinkBlock | StitchedToolCall;
type PlaceOf = (block: Block) => number;

function entriesOf(stitched: StitchedMessage, placeOf: PlaceOf): Entry[] {
  const { thinks, tool_calls, child_order, ...message } = stitched;
  const byId = new Map<BlockId, Child>([...thinks, ...tool_calls].map((child) => [child.id, child]));
  const children = child_order.flatMap((id) => byId.get(id) ?? []);
  if (message.payload.role === 'assistant') return turnsOf(message, children, announcedBy(message), placeOf);
  return [{ kind: 'said', message }, ...turnsOf(null, children, new Set(), placeOf)];
}

/** The ids of the calls that a message says it makes. */
function announcedBy({ payload: { content } }: MessageBlock): ReadonlySet<unknown> {
  return new Set(typeof content === 'string' ? [] : content.flatMap((part) => (isToolUse(part) ? [part.id] : [])));
}

/** Whether a part of a message only announces a call, which stands in a block of its own. */
export const isToolUse = (part: unknown): part is Readonly<Record<string, unknown>> =>
  isRecord(part) && part.type === 'tool_use';

interface Draft {
  readonly kind: 'turn';
  readonly message: MessageBlock | null;
  readonly thinks: ThinkBlock[];
  readonly calls: StitchedToolCall[];
  /** The place of the first result of its calls. */
  answered: number;
}

const draft = (message: MessageBlock | null): Draft => ({
  kind: 'turn',
  message,
  thinks: [],
  calls: [],
  answered: Number.POSITIVE_INFINITY,
});

function turnsOf(
  message: MessageBlock | null,
  children: readonly Child[],
  announced: ReadonlySet<unknown>,
  placeOf: PlaceOf,
): Turn[] {
  const first = draft(message);
  const drafts = [first];
  let last = first;
  for (const child of children) {
    const isAnnounced = child.sub_type === 'TOOL_CALL' && announced.has(keyOfCall(child));
    if (!isAnnounced && placeOf(child) > last.answered) {
      last = draft(null);
      drafts.push(last);
    }
    add(isAnnounced ? first : last, child, placeOf);
  }
  return drafts
    .filter((each) => each.message !== null || each.thinks.length + each.calls.length > 0)
    .map(({ answered: _, ...turn }) => turn);
}

function add(turn: Draft, child: Child, placeOf: PlaceOf): void {
  if (child.sub_type === 'THINK') {
    turn.thinks.push(child);
    return;
  }
  turn.calls.push(child);
  for (const result of child.tool_results) turn.answered = Math.min(turn.answered, placeOf(result));
}

/** Thoughts may be logged before the message that they led to, and then hang under the one before. */
function joinThoughts(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = [];
  for (const entry of entries) {
    const before = joined.at(-1);
    const led = before?.kind === 'turn' && before.message === null && before.calls.length === 0 ? before : undefined;
    if (led && entry.kind === 'turn' && entry.message !== null) {
      joined[joined.length - 1] = { ...entry, thinks: [...led.thinks, ...entry.thinks] };
    } else joined.push(entry);
  }
  return joined;
}

/** By what results name a call: the id that the model gave it, or that of its block. */
export const keyOfCall = ({ id, payload }: StitchedToolCall): string => payload.call_id ?? id;
