import type { BlockId, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { uniqueName } from '../../core/index.ts';
import { toToolName } from '../model/index.ts';
import { type ConversationContent, type ConversationItem, itemKey, type MessagePart, newItemIndexes } from './items.ts';

/** A response of a model, with its items in order. */
export interface ModelTurn {
  readonly items: readonly ConversationItem[];
  readonly raw: unknown;
  readonly extra: JSONObject;
}

type LoggedContent = string | readonly MessagePart[];

/** Destination of the blocks of a conversation. */
export interface ConversationLog {
  logMessage(message: {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: LoggedContent;
    readonly raw?: unknown;
    readonly extra?: JSONObject;
  }): { readonly id: BlockId };
  logThink(think: { readonly parent_block_id: BlockId; readonly payload: { readonly text: string } }): unknown;
  logAct(act: {
    readonly parent_block_id: BlockId;
    readonly payload: { readonly call_id: string; readonly name: string; readonly arguments: JSONValue };
    readonly extra?: JSONObject;
  }): unknown;
  logObserve(observe: {
    readonly parent_block_id: BlockId;
    readonly payload: { readonly call_id: string; readonly output: JSONValue };
    readonly extra?: JSONObject;
  }): unknown;
}

/** What a trace has of a conversation. */
export interface ConversationState {
  /** Keys of the logged items, in order. */
  readonly conversation: string[];
  /** The last call with each call_id, and its number of results. The log adds calls and counts results. */
  readonly calls: ReadonlyMap<string, { readonly id: BlockId; readonly callId: string; readonly results: number }>;
}

type Call = Extract<ConversationItem, { kind: 'call' }>;
type ResultItem = Extract<ConversationItem, { kind: 'result' }>;

/** Logs each item of a conversation once, although every request repeats the whole conversation. */
export class ConversationRecorder {
  readonly #log: ConversationLog;
  readonly #state: ConversationState;
  /** Logged call_id of the last call with each id of the provider, which can repeat ids. */
  readonly #callIds = new Map<string, string>();
  /** Block ids of calls whose results were logged here. */
  readonly #observed = new Set<string>();
  /** Number of items that the model has responded to. */
  #answered = 0;

  constructor(log: ConversationLog, state: ConversationState) {
    this.#log = log;
    this.#state = state;
  }

  /**
   * Logs the new items of a request.
   *
   * @param isContinuation true if the request has only the items after the last response.
   */
  request(items: readonly ConversationItem[], isContinuation = false): void {
    const keyed = items.filter((item) => item.kind !== 'thought');
    const keys = keyed.map((item) => itemKey(item) ?? '');
    const indexes = newItemIndexes(isContinuation ? this.#unanswered() : this.#state.conversation, keys);
    const added = new Set<ConversationItem>(keyed.filter((_, index) => indexes.has(index)));
    for (const group of groupTurns(items)) {
      const [first] = group;
      if (first?.kind === 'message' || first?.kind === 'result') {
        if (added.has(first)) this.#input(first);
      } else {
        const fresh = group.filter((item) => added.has(item) && !this.#isLogged(item));
        const isKept = (item: ConversationItem) => item.kind === 'thought' || fresh.includes(item);
        if (fresh.length > 0) this.turn({ items: group.filter(isKept), raw: undefined, extra: {} });
      }
    }
  }

  /** Returns the last instructions, which every request repeats, and the items that a failed request has logged. */
  #unanswered(): string[] {
    const { conversation } = this.#state;
    const system = conversation.slice(0, this.#answered).findLast((key) => key.startsWith('system '));
    return [...(system === undefined ? [] : [system]), ...conversation.slice(this.#answered)];
  }

  /** Logs a response of the model. */
  turn({ items, raw, extra }: ModelTurn): void {
    this.#remember(items);
    this.#answered = this.#state.conversation.length;
    const callIds = this.#uniqueIds(items.filter((item) => item.kind === 'call'));
    const output = items.flatMap((item) => (item.kind === 'output' ? item.content : []));
    const announced = [...callIds].map(([{ name }, callId]) => ({ type: 'tool_use', id: callId, name }));
    const { id } = this.#log.logMessage({
      role: 'assistant',
      content: simplifyContent(output.length > 0 ? output : announced),
      ...(raw === undefined ? {} : { raw }),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    });
    for (const item of items) {
      if (item.kind === 'thought') this.#log.logThink({ parent_block_id: id, payload: { text: item.text } });
      if (item.kind !== 'call') continue;
      const call_id = callIds.get(item) ?? item.callId;
      this.#callIds.set(item.callId, call_id);
      const { name, ...annotations } = toToolName(item.name);
      const payload = { call_id, name, arguments: item.input };
      this.#log.logAct({ parent_block_id: id, payload, ...annotations });
    }
    // Results of calls that the provider carried out.
    for (const item of items) if (item.kind === 'result') this.#observe(item);
  }

  #input(item: Extract<ConversationItem, { kind: 'message' | 'result' }>): void {
    this.#remember([item]);
    if (item.kind === 'result') this.#observe(item);
    else {
      const { role, content, extra } = item;
      this.#log.logMessage({ role, content: simplifyContent(content), ...(extra ? { extra } : {}) });
    }
  }

  #observe({ callId, output, isError }: ResultItem): void {
    const call = this.#state.calls.get(this.#callIds.get(callId) ?? callId);
    if (!call || this.#observed.has(call.id)) {
      // The call is unknown, or the result replaces another one; it is still part of the model's input.
      this.#log.logMessage({ role: 'user', content: [{ type: 'tool_result', id: callId, output }] });
    } else if (call.results === 0) {
      this.#observed.add(call.id);
      this.#log.logObserve({
        parent_block_id: call.id,
        payload: { call_id: call.callId, output },
        ...(isError ? { extra: { tool_error: true } } : {}),
      });
    }
  }

  /** Returns true for a call that was logged in another way. */
  #isLogged(item: ConversationItem): boolean {
    return item.kind === 'call' && this.#state.calls.has(this.#callIds.get(item.callId) ?? item.callId);
  }

  /** Returns the ids of the provider, made unique if several calls have the same one or none. */
  #uniqueIds(calls: readonly Call[]): Map<Call, string> {
    const ids = new Map<Call, string>();
    const taken = new Set<string>();
    for (const call of calls) {
      const isTaken = (id: string) => taken.has(id) || this.#state.calls.has(id);
      const id = uniqueName(call.callId || call.name || 'call', isTaken, { separator: '#' });
      taken.add(id);
      ids.set(call, id);
    }
    return ids;
  }

  #remember(items: readonly ConversationItem[]): void {
    for (const item of items) {
      const key = itemKey(item);
      if (key !== undefined) this.#state.conversation.push(key);
    }
  }
}

/** Groups the consecutive items of a model's turn; every message and result is a separate group. */
function groupTurns(items: readonly ConversationItem[]): ConversationItem[][] {
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

/** Returns the text if it is the only part; empty content becomes one empty text part. */
function simplifyContent(content: ConversationContent): string | readonly MessagePart[] {
  if (content.length === 0) return [{ type: 'text', text: '' }];
  if (typeof content === 'string') return content;
  const [first, ...others] = content;
  const isText = first?.type === 'text' && typeof first.text === 'string' && first.text !== '' && others.length === 0;
  return isText ? String(first.text) : content;
}
