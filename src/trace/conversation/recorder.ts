import type { BlockId, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { CallMatcher } from '../../core/index.ts';
import { toToolName, uniqueCallId } from '../model/index.ts';
import { type ConversationContent, type ConversationItem, itemKey, type MessagePart, matchItems } from './items.ts';

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

/** A call that a trace has. */
export interface LoggedCall {
  readonly id: BlockId;
  readonly callId: string;
  readonly name: string;
  /** The log counts the results. */
  readonly results: number;
}

/** An item of a conversation that a trace has. */
export interface LoggedItem {
  /** See `itemKey`. */
  readonly key: string;
  /** The logged call, if the item is a call and its block is known. */
  readonly call?: LoggedCall | undefined;
}

/** Items and calls of a conversation in a trace. */
export interface ConversationState {
  /** The logged items, in order. */
  readonly conversation: LoggedItem[];
  /** The last call with each call_id. The log adds calls. */
  readonly calls: ReadonlyMap<string, LoggedCall>;
}

type CallItem = Extract<ConversationItem, { kind: 'call' }>;
type ResultItem = Extract<ConversationItem, { kind: 'result' }>;
/** Finds the calls of results; undefined for a call whose block is unknown. */
type LoggedCalls = CallMatcher<LoggedCall | undefined>;
/** Items that were logged before, with the logged call of each call. */
type KnownItems = Map<ConversationItem, LoggedCall | undefined>;

/** Logs each item of a conversation once, although every request repeats the whole conversation. */
export class ConversationRecorder {
  readonly #log: ConversationLog;
  readonly #state: ConversationState;
  /** Calls that were logged here, and others that an item was found for. */
  readonly #found = new Set<LoggedCall>();
  /** Calls without an id of the provider: a client may invent one when it sends the conversation. */
  readonly #withoutId = new Set<LoggedCall>();
  /** Calls whose results were logged here. */
  readonly #observed = new Set<LoggedCall>();
  /** Calls of the last response. */
  #lastCalls: LoggedCalls = new CallMatcher();
  /** Number of items that the model has responded to. */
  #answered = 0;

  constructor(log: ConversationLog, state: ConversationState) {
    this.#log = log;
    this.#state = state;
  }

  /**
   * Logs the new items of a request. Each result belongs to a call of the same request, since ids can be repeated.
   *
   * @param isContinuation true if the request has only the items after the last response.
   */
  request(items: readonly ConversationItem[], isContinuation = false): void {
    const known = this.#findKnown(items, isContinuation ? this.#unanswered() : this.#state.conversation);
    const calls: LoggedCalls = isContinuation ? this.#lastCalls : new CallMatcher();
    for (const group of groupTurns(items)) {
      const [first] = group;
      if (first?.kind === 'result') {
        const call = calls.take(first.callId)?.call;
        if (!known.has(first)) this.#result(first, call);
      } else if (first?.kind === 'message') {
        calls.endTurn();
        if (!known.has(first)) this.#message(first);
      } else this.#turnOfRequest(group, known, calls);
    }
  }

  /** Returns the items that were logged before, and the calls that were logged in another way. */
  #findKnown(items: readonly ConversationItem[], logged: readonly LoggedItem[]): KnownItems {
    const keyed = items.filter((item) => item.kind !== 'thought');
    const matched = matchItems(
      logged.map(({ key }) => key),
      keyed.map((item) => itemKey(item) ?? ''),
    );
    const known = new Map<ConversationItem, LoggedCall | undefined>();
    for (const [index, item] of keyed.entries()) {
      const match = matched[index];
      if (match !== undefined) known.set(item, logged[match]?.call);
    }
    for (const call of known.values()) {
      if (!call) continue;
      this.#found.add(call);
      this.#withoutId.delete(call);
    }
    return known;
  }

  #turnOfRequest(group: readonly ConversationItem[], known: KnownItems, calls: LoggedCalls): void {
    calls.endTurn();
    for (const item of group) {
      const call = item.kind === 'call' && !known.has(item) ? this.#findCall(item) : undefined;
      if (!call) continue;
      known.set(item, call);
      this.#remember(item, call);
    }
    const isNew = (item: ConversationItem) => item.kind !== 'thought' && !known.has(item);
    const logged = group.some(isNew)
      ? this.#logTurn({
          items: group.filter((item) => item.kind === 'thought' || isNew(item)),
          raw: undefined,
          extra: {},
        })
      : known;
    for (const item of group) {
      if (item.kind === 'call') calls.add(item.callId, known.has(item) ? known.get(item) : logged.get(item));
    }
  }

  /** Finds a call that was logged in another way, or under another id. */
  #findCall({ callId, name }: CallItem): LoggedCall | undefined {
    const call = this.#state.calls.get(callId);
    if (call && !this.#found.has(call)) {
      this.#found.add(call);
      return call;
    }
    if (callId === '') return undefined;
    for (const each of this.#withoutId) {
      if (each.name !== toToolName(name).name) continue;
      this.#withoutId.delete(each);
      return each;
    }
    return undefined;
  }

  /** Returns the last instructions, which every request repeats, and the items that a failed request has logged. */
  #unanswered(): LoggedItem[] {
    const { conversation } = this.#state;
    const system = conversation.slice(0, this.#answered).findLast(({ key }) => key.startsWith('system '));
    return [...(system === undefined ? [] : [system]), ...conversation.slice(this.#answered)];
  }

  /** Logs a response of the model. */
  turn(turn: ModelTurn): void {
    const logged = this.#logTurn(turn);
    this.#answered = this.#state.conversation.length;
    this.#lastCalls = new CallMatcher();
    for (const item of turn.items) {
      if (item.kind === 'call') this.#lastCalls.add(item.callId, logged.get(item));
      // The provider carried out the call. Results follow when all calls are logged.
      else if (item.kind === 'result') this.#observe(item, this.#lastCalls.take(item.callId)?.call);
    }
  }

  /** Logs a message of the model with its reasoning and calls. Returns the logged calls. */
  #logTurn({ items, raw, extra }: ModelTurn): Map<ConversationItem, LoggedCall> {
    const callIds = this.#callIdsOf(items);
    const output = items.flatMap((item) => (item.kind === 'output' ? item.content : []));
    const announced = [...callIds].map(([{ name }, id]) => ({ type: 'tool_use', id, name }));
    const { id } = this.#log.logMessage({
      role: 'assistant',
      content: simplifyContent(output.length > 0 ? output : announced),
      ...(raw === undefined ? {} : { raw }),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    });
    const logged = new Map<ConversationItem, LoggedCall>();
    for (const item of items) {
      const call = item.kind === 'call' ? this.#logCall(item, id, callIds.get(item) ?? item.callId) : undefined;
      if (call) logged.set(item, call);
      if (item.kind === 'thought') this.#log.logThink({ parent_block_id: id, payload: { text: item.text } });
      this.#remember(item, call);
    }
    return logged;
  }

  #logCall(item: CallItem, parent_block_id: string, call_id: string): LoggedCall | undefined {
    const { name, ...annotations } = toToolName(item.name);
    this.#log.logAct({ parent_block_id, payload: { call_id, name, arguments: item.input }, ...annotations });
    const call = this.#state.calls.get(call_id);
    if (call) this.#found.add(call);
    if (call && item.callId === '') this.#withoutId.add(call);
    return call;
  }

  #message(item: Extract<ConversationItem, { kind: 'message' }>): void {
    this.#remember(item);
    const { role, content, extra } = item;
    this.#log.logMessage({ role, content: simplifyContent(content), ...(extra ? { extra } : {}) });
  }

  #result(item: ResultItem, call: LoggedCall | undefined): void {
    this.#remember(item);
    this.#observe(item, call);
  }

  #observe({ callId, output, isError }: ResultItem, found: LoggedCall | undefined): void {
    const call = found ?? this.#state.calls.get(callId);
    if (!call || this.#observed.has(call)) {
      // The call is unknown, or the result replaces another one; it is still part of the model's input.
      this.#log.logMessage({ role: 'user', content: [{ type: 'tool_result', id: callId, output }] });
    } else if (call.results === 0) {
      this.#observed.add(call);
      this.#log.logObserve({
        parent_block_id: call.id,
        payload: { call_id: call.callId, output },
        ...(isError ? { extra: { tool_error: true } } : {}),
      });
    }
  }

  /** Returns the ids of calls in the trace: those of the provider, unless several calls have the same one or none. */
  #callIdsOf(items: readonly ConversationItem[]): Map<CallItem, string> {
    const ids = new Map<CallItem, string>();
    const taken = new Set<string>();
    for (const item of items) {
      if (item.kind !== 'call') continue;
      const id = uniqueCallId(item.callId, (other) => taken.has(other) || this.#state.calls.has(other), item.name);
      taken.add(id);
      ids.set(item, id);
    }
    return ids;
  }

  #remember(item: ConversationItem, call?: LoggedCall): void {
    const key = itemKey(item);
    if (key !== undefined) this.#state.conversation.push({ key, call });
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
