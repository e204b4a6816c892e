import type { MessageBlock, ToolCallBlock, Trace } from '../../../generated/trace.ts';
import { fieldsOf, isRecord, sum } from '../../core/index.ts';
import {
  type Batches,
  type BlockBatchLimits,
  collectBatches,
  flatMapBatches,
  type TraceLayout,
  type TraceReader,
} from '../model/index.ts';
import type { TraceSource } from './format.ts';

/**
 * A trace as a conversation of messages and turns of the model. It consists of ordinals, so that its structure is known
 * before any block is read.
 */
export interface Conversation extends Pick<TraceSource, 'blob' | 'trace'> {
  readonly reader: TraceReader;
  readonly isEmpty: boolean;
  readonly entries: () => Iterable<ConversationEntry>;
  /** Like `entries`, and prefetches the blocks of each entry if they fit in a batch. */
  readonly read: () => Batches<ConversationEntry>;
}

export type ConversationEntry = InputMessageEntry | AssistantTurnEntry;

/** A message of the system or user. */
export interface InputMessageEntry {
  readonly kind: 'input';
  readonly message: number;
}

/** A turn of the model. */
export interface AssistantTurnEntry {
  readonly kind: 'turn';
  /** 0 if the turn has only thoughts and calls. */
  readonly message: number;
  readonly thinks: readonly number[];
  readonly calls: readonly number[];
  /** Call of the terminal tool, if `hideTerminalTool` took it out of `calls`. */
  readonly answer?: number;
}

interface ConversationOptions {
  /**
   * Takes the calls of the terminal tool out of turns: an environment makes them from the final message of the model, which
   * never saw that tool.
   */
  readonly hideTerminalTool?: boolean;
}

/**
 * Returns the conversation of a trace. Calls and thoughts can have a message of the user as parent, and a message can have
 * those of several turns: a block written after a result starts a new turn, because the model may have seen the result.
 * Calls that the message announces with `tool_use` parts belong to its own turn.
 */
export async function readConversation(
  { trace, restored, blob }: TraceSource,
  { hideTerminalTool = false }: ConversationOptions = {},
): Promise<Conversation> {
  const reader = await restored();
  const announced = await findAnnounced(reader);
  const answers = hideTerminalTool ? await findAnswers(reader, trace) : new Set<number>();
  const entries = () => hideAnswers(joinThoughts(entriesOf(reader.layout, announced)), answers);
  const [first] = entries();
  const read = () => (reader.batchLimits ? readEntries(reader, reader.batchLimits, entries()) : [...entries()]);
  return { trace, reader, blob, isEmpty: first === undefined, entries, read };
}

function* entriesOf(layout: TraceLayout, announced: ReadonlySet<number>): Generator<ConversationEntry> {
  for (const message of layout.childrenOf(0)) {
    const kind = layout.kindOf(message);
    if (kind === 'MESSAGE') yield { kind: 'input', message };
    if (kind === 'MESSAGE' || kind === 'ASSISTANT') {
      yield* turnsOf(layout, kind === 'ASSISTANT' ? message : 0, childrenOf(layout, message), announced);
    }
  }
  yield* turnsOf(layout, 0, findOrphans(layout), announced);
}

const childrenOf = ({ childrenOfKind }: TraceLayout, message: number): readonly number[] =>
  childrenOfKind(message, ['THINK', 'TOOL_CALL']);

/** Returns the thoughts and calls without a message. */
function findOrphans(layout: TraceLayout): number[] {
  const isOrphan = (ord: number) => !['MESSAGE', 'ASSISTANT'].includes(layout.kindOf(layout.parentOf(ord)));
  const orphans: number[] = [];
  for (const kind of ['THINK', 'TOOL_CALL'] as const) {
    for (const ord of layout.ordinals(kind)) if (isOrphan(ord)) orphans.push(ord);
  }
  return orphans.sort((one, other) => one - other);
}

/** Returns the results of a call in order. */
export const callResultOrdinals = ({ childrenOfKind }: TraceLayout, call: number): readonly number[] =>
  childrenOfKind(call, ['TOOL_RESULT']);

interface TurnDraft extends AssistantTurnEntry {
  readonly thinks: number[];
  readonly calls: number[];
}

const newTurn = (message: number): TurnDraft => ({ kind: 'turn', message, thinks: [], calls: [] });

const isNotEmpty = ({ message, thinks, calls }: AssistantTurnEntry): boolean =>
  message !== 0 || thinks.length + calls.length > 0;

/** Splits the children of a message into turns; announced calls belong to the first one. */
function* turnsOf(
  layout: TraceLayout,
  message: number,
  children: readonly number[],
  announced: ReadonlySet<number>,
): Generator<AssistantTurnEntry> {
  let turn = newTurn(message);
  let isFirst = true;
  /** Ordinal of the first result in this turn. */
  let answered = Number.POSITIVE_INFINITY;
  for (const child of children) {
    const isAnnounced = announced.has(child);
    if (isAnnounced && !isFirst) continue;
    if (!isAnnounced && child > answered) {
      if (isFirst) addAnnounced(turn, children, announced);
      if (isNotEmpty(turn)) yield turn;
      turn = newTurn(0);
      isFirst = false;
      answered = Number.POSITIVE_INFINITY;
    }
    if (layout.kindOf(child) === 'THINK') turn.thinks.push(child);
    else {
      turn.calls.push(child);
      for (const result of layout.childrenOf(child)) {
        if (result < answered && layout.kindOf(result) === 'TOOL_RESULT') answered = result;
      }
    }
  }
  if (isNotEmpty(turn)) yield turn;
}

/** Adds announced calls that were written after the first result. */
function addAnnounced({ calls }: TurnDraft, children: readonly number[], announced: ReadonlySet<number>): void {
  if (announced.size === 0) return;
  const taken = new Set(calls);
  for (const child of children) if (announced.has(child) && !taken.has(child)) calls.push(child);
}

/** Moves thoughts that were logged before their message, and so under the previous one, to the turn of their message. */
function* joinThoughts(entries: Iterable<ConversationEntry>): Generator<ConversationEntry> {
  let before: ConversationEntry | undefined;
  for (const entry of entries) {
    const thoughts = before?.kind === 'turn' && before.message === 0 && before.calls.length === 0 ? before : undefined;
    if (thoughts && entry.kind === 'turn' && entry.message !== 0) {
      before = { ...entry, thinks: [...thoughts.thinks, ...entry.thinks] };
      continue;
    }
    if (before) yield before;
    before = entry;
  }
  if (before) yield before;
}

/** Finds the calls of the terminal tool. Reads all calls, if the trace has such a tool. */
async function findAnswers({ layout, read }: TraceReader, { metadata }: Pick<Trace, 'metadata'>) {
  const { name } = fieldsOf(metadata.terminal_tool);
  if (typeof name !== 'string') return new Set<number>();
  const answers = flatMapBatches(read([...layout.ordinals('TOOL_CALL')]), ({ ord, block }) =>
    (block as ToolCallBlock).payload.name === name ? [ord] : [],
  );
  return new Set(await collectBatches(answers));
}

function* hideAnswers(
  entries: Iterable<ConversationEntry>,
  answers: ReadonlySet<number>,
): Generator<ConversationEntry> {
  for (const entry of entries) {
    const answer = entry.kind === 'turn' ? entry.calls.findLast((call) => answers.has(call)) : undefined;
    if (entry.kind === 'input' || answer === undefined) yield entry;
    else yield { ...entry, calls: entry.calls.filter((call) => !answers.has(call)), answer };
  }
}

/** Finds announced calls. Reads only messages with several turns, since others do not depend on announcements. */
async function findAnnounced(trace: TraceReader): Promise<ReadonlySet<number>> {
  const { layout } = trace;
  const messages = flatMapBatches(trace.read(messagesWithSeveralTurns(layout)), ({ ord, block }) => {
    const { content } = (block as MessageBlock).payload;
    const ids = typeof content === 'string' ? [] : content.flatMap((part) => (isToolUse(part) ? [part.id] : []));
    return ids.length > 0 ? [{ ord, ids: new Set(ids) }] : [];
  });
  const calls = flatMapBatches(messages, ({ ord, ids }) => {
    const children = trace.read(layout.childrenOfKind(ord, ['TOOL_CALL']));
    return flatMapBatches(children, (call) =>
      ids.has(exportedCallKey(call.block as ToolCallBlock)) ? [call.ord] : [],
    );
  });
  return new Set(await collectBatches(calls));
}

const messagesWithSeveralTurns = (layout: TraceLayout): readonly number[] =>
  Array.from(layout.ordinals('ASSISTANT')).filter((ord) => {
    const [, second] = turnsOf(layout, ord, childrenOf(layout, ord), new Set());
    return second !== undefined;
  });

/** Returns true for a part of a message that announces a call, which is a separate block. */
export const isToolUse = (part: unknown): part is Readonly<Record<string, unknown>> =>
  isRecord(part) && part.type === 'tool_use';

/** Returns the id of a call in exports: its call_id, or else the id of its block. */
export const exportedCallKey = ({ id, payload }: ToolCallBlock): string => payload.call_id ?? id;

/** Prefetches the blocks of several small entries with one request. */
async function* readEntries(reader: TraceReader, limits: BlockBatchLimits, entries: Iterable<ConversationEntry>) {
  let ready: ConversationEntry[] = [];
  let ords: number[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const own = entryOrdinals(reader.layout, entry);
    const size = sum(own.map((ord) => reader.layout.bytesOf(ord)));
    if (ready.length > 0 && (ords.length + own.length > limits.blocks || bytes + size > limits.bytes)) {
      await reader.prefetch(ords);
      yield ready;
      ready = [];
      ords = [];
      bytes = 0;
    }
    ready.push(entry);
    for (const ord of own) ords.push(ord);
    bytes += size;
  }
  await reader.prefetch(ords);
  if (ready.length > 0) yield ready;
}

/** Returns the ordinals of all blocks of an entry, including results. */
export function entryOrdinals(layout: TraceLayout, entry: ConversationEntry): number[] {
  if (entry.kind === 'input') return [entry.message];
  return [...turnOrdinals(entry), ...entry.calls.flatMap((call) => callResultOrdinals(layout, call))];
}

/**
 * Returns the conversation with a flag for the last turn, if nothing follows it. Its calls need no result; any other call
 * without one is refused by providers and chat templates.
 */
export function readWithEnd(conversation: Conversation): Batches<{ entry: ConversationEntry; isEnd: boolean }> {
  let left = 0;
  for (const _ of conversation.entries()) left++;
  const { layout } = conversation.reader;
  return flatMapBatches(conversation.read(), (entry) => {
    left--;
    const calls = entry.kind === 'turn' ? entry.calls : [];
    return [{ entry, isEnd: left === 0 && calls.every((call) => callResultOrdinals(layout, call).length === 0) }];
  });
}

/** Returns the ordinals of the blocks of a turn, without results. */
export const turnOrdinals = ({ message, thinks, calls, answer }: AssistantTurnEntry): readonly number[] => [
  ...(message === 0 ? [] : [message]),
  ...thinks,
  ...calls,
  ...(answer === undefined ? [] : [answer]),
];
