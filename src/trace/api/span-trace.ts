import type { Block, BlockId, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { fieldsOf, truncate, utf8Length } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import {
  asString,
  type ConversationItem,
  type ConversationLog,
  ConversationRecorder,
  itemKey,
  type LoggedCall,
  type LoggedItem,
  type MessagePart,
} from '../conversation/index.ts';
import type { BlockWithId } from '../fit/index.ts';
import { agentNameOf, type Span, type SpanContent } from '../formats/index.ts';
import { MAX_CALL_ID_BYTES, parseArguments, toToolName } from '../model/index.ts';

interface SpanCall extends LoggedCall {
  /** Hash of the arguments. */
  readonly input: string;
  readonly thread: number;
  /** True if a span of the tool has added it, and not the response of a model. */
  readonly isOfTool: boolean;
  results: number;
}

type ToolContent = Extract<SpanContent, { kind: 'tool' }>;

/** A conversation of the trace; agents that call each other have several. */
interface Thread {
  readonly conversation: LoggedItem[];
  readonly recorder: ConversationRecorder;
  readonly agent: ThreadAgent;
  /** Innermost span around its first request that has not been looked at; empty if there is none. */
  above: string;
}

/** Agent that has a conversation. */
export interface ThreadAgent {
  name?: string;
  /** Conversation whose tool call has run the agent. */
  parent?: number;
}

/** What a span says about the agents whose requests are inside it. */
interface SpanOwner {
  /** Id of the span around it; empty if there is none. */
  readonly parent: string;
  readonly name: string | undefined;
  /** Conversation with the call, if the span is the execution of a tool. */
  readonly caller: number | undefined;
}

const MAX_NAME = 256;
/** Maximum number of spans around a request that are looked at together. */
const MAX_DEPTH = 64;

/** A block to write, and its time in milliseconds since 1970. */
export interface SpanBlock {
  readonly block: BlockWithId;
  readonly time: number;
}

/**
 * Conversations of one trace, to which spans are added in the order in which they ended. Every request of an agent repeats
 * the conversation; each of its items becomes one block.
 */
export class SpanTrace {
  /** Blocks that were added since the last call of `takeBlocks`. */
  #blocks: SpanBlock[] = [];
  readonly #traceId: string;
  readonly #threads: Thread[] = [];
  /** By call_id. */
  readonly #calls = new Map<string, SpanCall>();
  readonly #callsByBlock = new Map<BlockId, SpanCall>();
  readonly #spans = new Map<string, SpanOwner>();
  /** Restored items without an id of the provider, as they are if the provider sends names of tools as ids. */
  #withoutId: { readonly conversation: LoggedItem[]; readonly index: number; readonly item: ConversationItem }[] = [];
  /** Span and conversation that blocks are added for. */
  #source: { readonly span: Span; readonly thread: number };
  /** Number of blocks, those that are not written yet included. */
  #size = 0;
  readonly #log: ConversationLog = {
    logMessage: ({ role, content, raw, extra }) => {
      const { span } = this.#source;
      const fields = { sub_type: 'MESSAGE', payload: { role, content }, ...(raw === undefined ? {} : { raw }) };
      return this.#add(fields, extra, raw === undefined ? span.start : span.end);
    },
    logThink: ({ parent_block_id, payload }) => {
      if (payload.text === '') return;
      this.#add({ sub_type: 'THINK', parent_block_id, payload }, undefined, this.#source.span.end);
    },
    logAct: (act) => this.#addCall(act, false),
    logObserve: (observe) => this.#addResult(observe),
  };

  /** @param first any span of the trace. */
  constructor(first: Span) {
    this.#traceId = first.traceId;
    this.#source = { span: first, thread: 0 };
  }

  /** Number of blocks that the trace has if it is up to date. */
  get size(): number {
    return this.#size;
  }

  /** Returns true for a span that was added before. */
  has(spanId: string): boolean {
    return this.#spans.has(spanId);
  }

  /** Marks a stored span as added. @param span its description. */
  skip(span: Readonly<Record<string, unknown>>, caller?: Pick<SpanCall, 'name' | 'thread'>): void {
    const { span_id, parent_span_id, name, attributes } = span;
    const of = { name: asString(name), attributes: fieldsOf(attributes) };
    this.#spans.set(asString(span_id), ownerOf(of, asString(parent_span_id), caller));
  }

  takeBlocks(): readonly SpanBlock[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  /** Returns the agents of the conversations other than the first one, as far as the spans around them have arrived. */
  agents(): ReadonlyMap<number, ThreadAgent> {
    const found = new Map<number, ThreadAgent>();
    for (const [index, thread] of this.#threads.entries()) {
      if (index === 0) continue;
      const { agent } = thread;
      // A client can send spans that contain each other.
      for (let depth = 0; depth < MAX_DEPTH; depth++) {
        const owner = this.#spans.get(thread.above);
        if (!owner) break;
        thread.above = owner.parent;
        if (owner.name !== undefined) agent.name ??= owner.name;
        if (owner.caller !== undefined && owner.caller !== index) agent.parent ??= owner.caller;
      }
      if (Object.keys(agent).length > 0) found.set(index, agent);
    }
    return found;
  }

  /** Adds a block that is stored already. */
  restore(block: Block): void {
    this.#size++;
    const { span_id: spanId, thread: noted } = fieldsOf(block.extra);
    // Blocks that were logged in another way can have any number.
    const thread = typeof noted === 'number' && noted > 0 && noted <= this.#threads.length ? Math.floor(noted) : 0;
    if (block.sub_type === 'TOOL_CALL') {
      const { call_id: callId = block.id, name, arguments: args } = block.payload;
      const input = sha256OfJson(args);
      this.#register({ id: block.id, callId, name, input, thread, isOfTool: false, results: 0 });
    }
    const call = this.#callsByBlock.get(block.sub_type === 'TOOL_CALL' ? block.id : (block.parent_block_id ?? ''));
    if (call && block.sub_type === 'TOOL_RESULT') call.results++;
    const span = fieldsOf(block.raw);
    if (typeof spanId === 'string') {
      if (span.span_id === spanId) this.skip(span, block.sub_type === 'TOOL_RESULT' ? call : undefined);
      else if (!this.has(spanId)) this.skip({ span_id: spanId });
    }
    const { conversation } = this.#thread(thread, asString(spanId));
    const item = itemOfBlock(block, call && this.#providerId(call));
    if (!item) return;
    conversation.push({ key: itemKey(item) ?? '', call: item.kind === 'call' ? call : undefined });
    if (call && 'callId' in item && item.callId === '') {
      this.#withoutId.push({ conversation, index: conversation.length - 1, item: { ...item, callId: call.name } });
    }
  }

  /**
   * Adds the blocks of a span.
   *
   * @param raw the span without the attributes that become blocks.
   * @returns false if nothing of the span is in a block.
   */
  add(span: Span, content: SpanContent, raw: JSONObject): boolean {
    this.#spans.set(span.spanId, ownerOf(span, span.parentSpanId));
    if (content.kind === 'tool') return this.#addTool(span, content, raw);
    if (content.kind === 'other') {
      if (content.items.length > 0) this.#open(span, content.items).request(content.items, isDelta(span));
      return false;
    }
    const { input, output, extra } = content;
    const recorder = this.#open(span, input.length > 0 ? input : output);
    recorder.request(input, isDelta(span));
    const fresh = output.filter((item) => item.kind !== 'call' || !this.#calls.get(item.callId)?.isOfTool);
    if (fresh.length === 0) return false;
    recorder.turn({ items: fresh, raw, extra: { ...extra, duration_ms: durationOf(span) } });
    return true;
  }

  #addTool(span: Span, content: ToolContent, raw: JSONObject): boolean {
    this.#source = { span, thread: 0 };
    const call = this.#findCall(content) ?? this.#announce(span, content);
    this.#spans.set(span.spanId, ownerOf(span, span.parentSpanId, call));
    if (call.results > 0) return false;
    this.#source = { span, thread: call.thread };
    const payload = { call_id: call.callId, output: content.output };
    this.#addResult(
      { parent_block_id: call.id, payload, extra: { ...content.extra, duration_ms: durationOf(span) } },
      raw,
    );
    return true;
  }

  #findCall({ callId, name, input }: ToolContent): SpanCall | undefined {
    const id = shortId(callId);
    const known = this.#calls.get(id);
    if (known?.results === 0) return known;
    const open = [...this.#calls.values()].filter((call) => call.results === 0 && call.name === toToolName(name).name);
    if (known) return open.find((call) => baseId(call) === id) ?? known;
    const args = sha256OfJson(input);
    return callId === '' || open.every(({ isOfTool }) => !isOfTool)
      ? open.find((call) => call.input === args)
      : undefined;
  }

  /** Returns the id that the provider gave to a call, from which `uniqueCallId` has derived that of the block. */
  #providerId(call: SpanCall): string {
    const base = baseId(call);
    if (base === call.name) return '';
    return this.#calls.has(base) ? base : call.callId;
  }

  /** Corrects the keys of restored items if the provider sends names of tools as ids. */
  #useNamesAsIds(items: readonly ConversationItem[]): void {
    if (!items.some((item) => item.kind === 'call' && item.callId === item.name)) return;
    for (const { conversation, index, item } of this.#withoutId) {
      conversation[index] = { ...conversation[index], key: itemKey(item) ?? '' };
    }
    this.#withoutId = [];
  }

  /** Adds a call that no response of a model has, below a message that announces it. */
  #announce(span: Span, { callId, name: given, input }: ToolContent): SpanCall {
    const call_id = shortId(callId) || `span:${span.spanId}`;
    const { name, ...annotations } = toToolName(given);
    const content = [{ type: 'tool_use', id: call_id, name }];
    const { id } = this.#log.logMessage({ role: 'assistant', content });
    return this.#addCall({ parent_block_id: id, payload: { call_id, name, arguments: input }, ...annotations }, true);
  }

  /** Returns the recorder of the conversation that these items continue. */
  #open(span: Span, items: readonly ConversationItem[]): ConversationRecorder {
    this.#useNamesAsIds(items);
    const thread = isDelta(span) ? 0 : this.#findThread(items);
    this.#source = { span, thread };
    return this.#thread(thread, span.spanId).recorder;
  }

  /** @param spanId span of a new conversation. */
  #thread(index: number, spanId: string): Thread {
    for (let next = this.#threads.length; next <= index; next++) {
      const conversation: LoggedItem[] = [];
      const recorder = new ConversationRecorder(this.#log, { conversation, calls: this.#calls });
      this.#threads.push({ conversation, recorder, agent: {}, above: spanId });
    }
    // Exists: the loop has added it.
    return this.#threads[index] as Thread;
  }

  /** Returns the conversation that has the first of these items and most others; a new one if none has. */
  #findThread(items: readonly ConversationItem[]): number {
    const first = items.find((item) => item.kind !== 'thought' && !(item.kind === 'message' && item.role === 'system'));
    let best = { index: this.#threads.length, count: 0 };
    for (const [index, { conversation }] of this.#threads.entries()) {
      const known = new Set(conversation.map(({ key }) => key));
      const has = (item: ConversationItem) =>
        known.has(itemKey(item) ?? '') || (item.kind === 'result' && this.#calls.get(item.callId)?.thread === index);
      if (first && !has(first)) continue;
      const count = items.filter(has).length;
      if (count > best.count) best = { index, count };
    }
    return best.index;
  }

  #add(fields: object, extra: JSONObject | undefined, time: number): { readonly id: BlockId } {
    const { span, thread } = this.#source;
    const id = `tb_${this.#traceId}_${++this.#size}`;
    const about = { ...extra, span_id: span.spanId, ...(thread > 0 ? { thread } : {}) };
    // The caller has chosen the fields of a sub type.
    this.#blocks.push({ block: { ...fields, id, extra: about } as unknown as BlockWithId, time });
    return { id };
  }

  #addCall({ parent_block_id, payload, extra }: Parameters<ConversationLog['logAct']>[0], isOfTool: boolean): SpanCall {
    const { span, thread } = this.#source;
    const callId = payload.call_id;
    const args = toArguments(payload.arguments);
    const written = { ...payload, arguments: typeof args === 'string' ? JSON.stringify(args) : args };
    const fields = { sub_type: 'TOOL_CALL', parent_block_id, payload: written };
    const { id } = this.#add(fields, extra, isOfTool ? span.start : span.end);
    const call = { id, callId, name: payload.name, input: sha256OfJson(args), thread, isOfTool, results: 0 };
    this.#register(call);
    return call;
  }

  #register(call: SpanCall): void {
    this.#calls.set(call.callId, call);
    this.#callsByBlock.set(call.id, call);
  }

  #addResult(
    { parent_block_id, payload, extra }: Parameters<ConversationLog['logObserve']>[0],
    raw?: JSONObject,
  ): void {
    const { span } = this.#source;
    const call = this.#callsByBlock.get(parent_block_id);
    if (call) call.results++;
    const fields = { sub_type: 'TOOL_RESULT', parent_block_id, payload, ...(raw && { raw }) };
    // The input of a model has the results that were known when its span started.
    this.#add(fields, extra, raw ? span.end : span.start);
  }
}

/** Exports of this package have only the messages since the previous request. */
const isDelta = ({ scope }: Span): boolean => scope === 'ors-kit';

/** @param caller tool call whose execution the span is. */
function ownerOf(
  span: Pick<Span, 'name' | 'attributes'>,
  parent = '',
  caller?: Pick<SpanCall, 'name' | 'thread'>,
): SpanOwner {
  // A span of a tool may have the name of the agent that calls it.
  const name = caller ? caller.name : agentNameOf(span);
  return {
    parent,
    name: name === undefined ? undefined : truncate(name, MAX_NAME).toWellFormed(),
    caller: caller?.thread,
  };
}

const durationOf = ({ start, end }: Span): number => Math.round((end - start) * 1000) / 1000;

/** Returns the id of a call without the number that makes it unique. */
const baseId = ({ callId }: SpanCall): string => callId.replace(/#\d+$/, '');

/** Shortens an id of a call to what a block can have; 64 characters have at most 256 bytes. */
const shortId = (id: string): string => (utf8Length(id) > MAX_CALL_ID_BYTES ? id.slice(0, 64) : id);

function toArguments(given: JSONValue): JSONValue {
  if (typeof given !== 'string') return given;
  const { value, issue } = parseArguments(given);
  return issue ? { $invalid_json: given } : value;
}

/**
 * Returns the item that a stored block was written for.
 *
 * @param callId id of the provider, for calls and results.
 */
function itemOfBlock(block: Block, callId = ''): ConversationItem | undefined {
  if (block.sub_type === 'TOOL_CALL') return { kind: 'call', callId, name: block.payload.name, input: {} };
  if (block.sub_type === 'TOOL_RESULT') {
    const { output = null } = block.payload as { output?: JSONValue };
    return { kind: 'result', callId, output, isError: false };
  }
  if (block.sub_type !== 'MESSAGE') return undefined;
  const { role, content } = block.payload;
  // Parts are objects with a type.
  const parts = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as readonly MessagePart[];
  if (role !== 'assistant') {
    return { kind: 'message', role, content: typeof content === 'string' ? content : parts };
  }
  const own = parts.filter(({ type }) => type !== 'tool_use');
  return own.length > 0 ? { kind: 'output', content: own } : undefined;
}
