import type { JSONObject } from '../../../../generated/trace.ts';
import { uniqueName } from '../../../core/index.ts';
import { getLogState, type LogState } from '../ledger.ts';
import { toToolName } from '../tool-name.ts';
import type { TraceHandle } from '../trace-handle.ts';
import { type ConversationContent, type ConversationItem, itemKey, type MessagePart, newItemIndexes } from './items.ts';

/** An answer of a model, in the order in which it came. */
export interface ModelTurn {
  readonly items: readonly ConversationItem[];
  readonly raw: unknown;
  readonly extra: JSONObject;
}

type MessageItem = Extract<ConversationItem, { kind: 'message' }>;
type Call = Extract<ConversationItem, { kind: 'call' }>;
type ResultItem = Extract<ConversationItem, { kind: 'result' }>;

/** Logs a conversation of which every request repeats the whole: each item once. */
export class ConversationRecorder {
  readonly #trace: TraceHandle;
  readonly #ledger: LogState;
  /** The newest call with each id of the provider, who may repeat ids, by its own. */
  readonly #callIds = new Map<string, string>();
  /** The calls, by their own ids, whose results were logged here. */
  readonly #observed = new Set<string>();
  /** How much of the conversation the model has answered. */
  #answered = 0;

  constructor(trace: TraceHandle) {
    this.#trace = trace;
    this.#ledger = getLogState(trace);
  }

  /**
   * Logs what is new in the conversation of a request.
   *
   * @param isContinuation whether it has only what comes after the last answer.
   */
  request(items: readonly ConversationItem[], isContinuation = false): void {
    const keyed = items.filter((item) => item.kind !== 'thought');
    const keys = keyed.map((item) => itemKey(item) ?? '');
    const places = newItemIndexes(isContinuation ? this.#unanswered() : this.#ledger.conversation, keys);
    const added = new Set<ConversationItem>(keyed.filter((_, place) => places.has(place)));
    for (const group of groups(items)) {
      const [first] = group;
      if (first?.kind === 'message') {
        if (added.has(first)) this.#message(first);
      } else if (first?.kind === 'result') {
        if (added.has(first)) this.#result(first);
      } else {
        const fresh = group.filter((item) => added.has(item) && !this.#isLogged(item));
        const isKept = (item: ConversationItem) => item.kind === 'thought' || fresh.includes(item);
        if (fresh.length > 0) this.turn({ items: group.filter(isKept), raw: undefined, extra: {} });
      }
    }
  }

  /** The newest instructions, which every request repeats, and what a request that failed has logged. */
  #unanswered(): string[] {
    const { conversation } = this.#ledger;
    const system = conversation.slice(0, this.#answered).findLast((key) => key.startsWith('system '));
    return [...(system === undefined ? [] : [system]), ...conversation.slice(this.#answered)];
  }

  /** Logs an answer of the model. */
  turn({ items, raw, extra }: ModelTurn): void {
    this.#remember(items);
    this.#answered = this.#ledger.conversation.length;
    const callIds = this.#uniqueIds(items.filter((item) => item.kind === 'call'));
    const output = items.flatMap((item) => (item.kind === 'said' ? item.content : []));
    const announced = [...callIds].map(([{ name }, callId]) => ({ type: 'tool_use', id: callId, name }));
    const { id } = this.#trace.logMessage({
      role: 'assistant',
      content: plain(output.length > 0 ? output : announced),
      ...(raw === undefined ? {} : { raw }),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    });
    for (const item of items) {
      if (item.kind === 'thought') this.#trace.logThink({ parent_block_id: id, payload: { text: item.text } });
      if (item.kind !== 'call') continue;
      const call_id = callIds.get(item) ?? item.callId;
      this.#callIds.set(item.callId, call_id);
      const { name, ...annotations } = toToolName(item.name);
      const payload = { call_id, name, arguments: item.input };
      this.#trace.logAct({ parent_block_id: id, payload, ...annotations });
    }
    // Of calls that the provider made.
    for (const item of items) if (item.kind === 'result') this.#observe(item);
  }

  #message(message: MessageItem): void {
    this.#remember([message]);
    const { role, content, extra } = message;
    this.#trace.logMessage({ role, content: plain(content), ...(extra ? { extra } : {}) });
  }

  #result(result: ResultItem): void {
    this.#remember([result]);
    this.#observe(result);
  }

  #observe({ callId, output, isError }: ResultItem): void {
    const call = this.#ledger.calls.get(this.#callIds.get(callId) ?? callId);
    if (!call || this.#observed.has(call.id)) {
      // Its call was never seen, or it takes the place of another result; it is part of what the model was told.
      this.#trace.logMessage({ role: 'user', content: [{ type: 'tool_result', id: callId, output }] });
    } else if (call.results === 0) {
      this.#observed.add(call.id);
      this.#trace.logObserve({
        parent_block_id: call.id,
        payload: { call_id: call.callId, output },
        ...(isError ? { extra: { tool_error: true } } : {}),
      });
    }
  }

  /** Whether it is a call that was logged otherwise. */
  #isLogged(item: ConversationItem): boolean {
    return item.kind === 'call' && this.#ledger.calls.has(this.#callIds.get(item.callId) ?? item.callId);
  }

  /** The ids that the provider gave, or others like them where it gives the same to several calls, or none. */
  #uniqueIds(calls: readonly Call[]): Map<Call, string> {
    const ids = new Map<Call, string>();
    const taken = new Set<string>();
    for (const call of calls) {
      const isTaken = (id: string) => taken.has(id) || this.#ledger.calls.has(id);
      const id = uniqueName(call.callId || call.name || 'call', isTaken, { separator: '#' });
      taken.add(id);
      ids.set(call, id);
    }
    return ids;
  }

  #remember(items: readonly ConversationItem[]): void {
    for (const item of items) {
      const key = itemKey(item);
      if (key !== undefined) this.#ledger.conversation.push(key);
    }
  }
}

/** Messages and results alone; what a model said, thought and called in between together. */
function groups(items: readonly ConversationItem[]): ConversationItem[][] {
  const found: ConversationItem[][] = [];
  let turn: ConversationItem[] | undefined;
  for (const item of items) {
    if (item.kind === 'message' || item.kind === 'result') {
      turn = undefined;
      found.push([item]);
    } else if (turn) turn.push(item);
    else {
      turn = [item];
      found.push(turn);
    }
  }
  return found;
}

/** One text as such. */
function plain(content: ConversationContent): string | readonly MessagePart[] {
  if (typeof content === 'string') return content === '' ? [{ type: 'text', text: '' }] : content;
  const [first, ...others] = content;
  const isText = first?.type === 'text' && typeof first.text === 'string' && first.text !== '' && others.length === 0;
  if (isText) return String(first.text);
  return content.length > 0 ? content : [{ type: 'text', text: '' }];
}
