import type { MessageBlock, ToolCallBlock } from '../../../generated/trace.ts';
import { isRecord, sum } from '../../core/index.ts';
import {
  type Batches,
  type BatchLimits,
  flatMapBatches,
  forEachBatch,
  type TraceLayout,
  type TraceReader,
} from '../model/index.ts';
import type { TraceSource } from './format.ts';

/**
 * A trace as the conversation that model providers know: what was said, and the turns of the model in between. It is made
 * of places, so that all of it is known before any of it is read.
 */
export interface Conversation extends Pick<TraceSource, 'blob'> {
  readonly trace: TraceReader;
  readonly isEmpty: boolean;
  readonly entries: () => Iterable<ConversationEntry>;
  /** The same, with the blocks of each at hand unless they are more than a slice. */
  readonly read: () => Batches<ConversationEntry>;
}

export type ConversationEntry = InputMessageEntry | AssistantTurnEntry;

/** A message of system or user. */
export interface InputMessageEntry {
  readonly kind: 'said';
  readonly message: number;
}

/** One answer of the model. The message is 0 where the model only thought and called. */
export interface AssistantTurnEntry {
  readonly kind: 'turn';
  readonly message: number;
  readonly thinks: readonly number[];
  readonly calls: readonly number[];
}

/**
 * The conversation of a trace. Calls and thoughts may hang under a message of the user, and those of several turns under
 * one message; whatever was written after a result begins a new turn, because the model may have known that result. Calls
 * that the message itself announces by parts of the type `tool_use` belong to its own turn.
 */
export async function readConversation({ restored, blob }: TraceSource): Promise<Conversation> {
  const trace = await restored();
  const announced = await findAnnounced(trace);
  const entries = () => joinThoughts(entriesOf(trace.layout, announced));
  const [first] = entries();
  const read = () => (trace.batchLimits ? readEntries(trace, trace.batchLimits, entries()) : [...entries()]);
  return { trace, blob, isEmpty: first === undefined, entries, read };
}

function* entriesOf(layout: TraceLayout, announced: ReadonlySet<number>): Generator<ConversationEntry> {
  for (const message of layout.childrenOf(0)) {
    const kind = layout.kindOf(message);
    if (kind === 'MESSAGE') yield { kind: 'said', message };
    if (kind === 'MESSAGE' || kind === 'ANSWER') {
      yield* turnsOf(layout, kind === 'ANSWER' ? message : 0, childrenOf(layout, message), announced);
    }
  }
  yield* turnsOf(layout, 0, astray(layout), announced);
}

const childrenOf = ({ childrenOfKind }: TraceLayout, message: number): readonly number[] =>
  childrenOfKind(message, ['THINK', 'TOOL_CALL']);

/** Thoughts and calls whose message is lost. */
function astray(layout: TraceLayout): number[] {
  const isLost = (ord: number) => !['MESSAGE', 'ANSWER'].includes(layout.kindOf(layout.parentOf(ord)));
  const lost: number[] = [];
  for (const kind of ['THINK', 'TOOL_CALL'] as const) {
    for (const ord of layout.ordinals(kind)) if (isLost(ord)) lost.push(ord);
  }
  return lost.sort((one, other) => one - other);
}

/** The results of a call, in their order. */
export const callResultOrdinals = ({ childrenOfKind }: TraceLayout, call: number): readonly number[] =>
  childrenOfKind(call, ['TOOL_RESULT']);

interface TurnDraft extends AssistantTurnEntry {
  readonly thinks: number[];
  readonly calls: number[];
}

const draft = (message: number): TurnDraft => ({ kind: 'turn', message, thinks: [], calls: [] });

const isThere = ({ message, thinks, calls }: AssistantTurnEntry): boolean =>
  message !== 0 || thinks.length + calls.length > 0;

/** What is announced belongs to the first turn, wherever it stands. */
function* turnsOf(
  layout: TraceLayout,
  message: number,
  children: readonly number[],
  announced: ReadonlySet<number>,
): Generator<AssistantTurnEntry> {
  let turn = draft(message);
  let [isFirst, answered] = [true, Number.POSITIVE_INFINITY];
  for (const child of children) {
    const isAnnounced = announced.has(child);
    if (isAnnounced && !isFirst) continue;
    if (!isAnnounced && child > answered) {
      if (isFirst) takeLate(turn, children, announced);
      if (isThere(turn)) yield turn;
      turn = draft(0);
      [isFirst, answered] = [false, Number.POSITIVE_INFINITY];
    }
    if (layout.kindOf(child) === 'THINK') turn.thinks.push(child);
    else {
      turn.calls.push(child);
      for (const result of layout.childrenOf(child)) {
        if (result < answered && layout.kindOf(result) === 'TOOL_RESULT') answered = result;
      }
    }
  }
  if (isThere(turn)) yield turn;
}

/** The calls that are announced and were made after a result of another. */
function takeLate({ calls }: TurnDraft, children: readonly number[], announced: ReadonlySet<number>): void {
  if (announced.size === 0) return;
  const taken = new Set(calls);
  for (const child of children) if (announced.has(child) && !taken.has(child)) calls.push(child);
}

/** Thoughts may be logged before the message that they led to, and then hang under the one before. */
function* joinThoughts(entries: Iterable<ConversationEntry>): Generator<ConversationEntry> {
  let before: ConversationEntry | undefined;
  for (const entry of entries) {
    const led = before?.kind === 'turn' && before.message === 0 && before.calls.length === 0 ? before : undefined;
    if (led && entry.kind === 'turn' && entry.message !== 0) {
      before = { ...entry, thinks: [...led.thinks, ...entry.thinks] };
      continue;
    }
    if (before) yield before;
    before = entry;
  }
  if (before) yield before;
}

/**
 * The calls that messages announce. Only such messages are read as would have several turns: elsewhere it makes no
 * difference.
 */
async function findAnnounced(trace: TraceReader): Promise<ReadonlySet<number>> {
  const announced = new Set<number>();
  const { layout } = trace;
  const messages = flatMapBatches(trace.read(ambiguous(layout)), ({ ord, block }) => {
    const { content } = (block as MessageBlock).payload;
    const ids = typeof content === 'string' ? [] : content.flatMap((part) => (isToolUse(part) ? [part.id] : []));
    return ids.length > 0 ? [{ ord, ids: new Set(ids) }] : [];
  });
  const calls = flatMapBatches(messages, ({ ord, ids }) => {
    const made = trace.read(layout.childrenOfKind(ord, ['TOOL_CALL']));
    return flatMapBatches(made, (call) => (ids.has(exportedCallKey(call.block as ToolCallBlock)) ? [call.ord] : []));
  });
  await forEachBatch(calls, (ord) => {
    announced.add(ord);
  });
  return announced;
}

const ambiguous = (layout: TraceLayout): readonly number[] =>
  Array.from(layout.ordinals('ANSWER')).filter((ord) => {
    const [, second] = turnsOf(layout, ord, childrenOf(layout, ord), new Set());
    return second !== undefined;
  });

/** Whether a part of a message only announces a call, which stands in a block of its own. */
export const isToolUse = (part: unknown): part is Readonly<Record<string, unknown>> =>
  isRecord(part) && part.type === 'tool_use';

/** By what results name a call: the id that the model gave it, or that of its block. */
export const exportedCallKey = ({ id, payload }: ToolCallBlock): string => payload.call_id ?? id;

/** Entries that are small are made ready together: their blocks cost one request. */
async function* readEntries(
  trace: TraceReader,
  slice: BatchLimits,
  entries: Iterable<ConversationEntry>,
): AsyncGenerator<readonly ConversationEntry[]> {
  let [ready, ords, bytes]: [ConversationEntry[], number[], number] = [[], [], 0];
  for (const entry of entries) {
    const own = entryOrdinals(trace.layout, entry);
    const size = sum(own.map((ord) => trace.layout.bytesOf(ord)));
    if (ready.length > 0 && (ords.length + own.length > slice.blocks || bytes + size > slice.bytes)) {
      await trace.prefetch(ords);
      yield ready;
      [ready, ords, bytes] = [[], [], 0];
    }
    ready.push(entry);
    for (const ord of own) ords.push(ord);
    bytes += size;
  }
  await trace.prefetch(ords);
  if (ready.length > 0) yield ready;
}

/** Where all blocks of an entry are, results with them. */
export function entryOrdinals(layout: TraceLayout, entry: ConversationEntry): number[] {
  if (entry.kind === 'said') return [entry.message];
  const { message, thinks, calls } = entry;
  const results = calls.flatMap((call) => callResultOrdinals(layout, call));
  return [...(message === 0 ? [] : [message]), ...thinks, ...calls, ...results];
}
