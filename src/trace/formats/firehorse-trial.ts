import type { BlockInput, JSONObject, JSONValue, TraceId } from '../../../generated/trace.ts';
import { appendAll, isRecord } from '../../core/index.ts';
import { type LoggedResult, loggedResult, resultOfItem, resultsInContent, rewardFields } from './firehorse-result.ts';
import { type LoggedTurn, loggedTurn } from './firehorse-turn.ts';
import { type DraftBlock, type ModelToolCall, TraceBuilder } from './trace-builder.ts';

type Event = Readonly<Record<string, unknown>>;

/** An answer of the model whose lines may not all be there yet. */
interface PendingTurn {
  readonly id: string | undefined;
  readonly message: DraftBlock;
  readonly parts: JSONValue[];
  readonly calls: ModelToolCall[];
}

/** One trial of firehorse, as its lines come. */
export class FirehorseTrial {
  /** What the last line tells of the whole; empty while it has not come. */
  summary: Event = {};
  /** Lines that belong to no block. */
  readonly events: Event[] = [];
  readonly #builder = new TraceBuilder();
  readonly #turns: PendingTurn[] = [];
  readonly #results = new Map<unknown, DraftBlock>();
  /** Rewards whose result has not come, by the id of the call. */
  readonly #pendingRewards = new Map<unknown, JSONObject>();
  /** Which call was the first, second... to the environment. */
  readonly #callOrdinals = new Map<unknown, unknown>();
  readonly #rewards: Event[] = [];

  add(event: Event): void {
    const { type } = event;
    if (type === undefined && typeof event.call_count === 'number') this.#rewards.push(event);
    else if (type === 'openreward_prompt') this.#prompt(event);
    else if ((type === 'system' || type === 'user') && typeof event.content === 'string')
      this.#addAssistantLine(type, event.content);
    else if (type === 'user' && isRecord(event.message)) this.#user(event.message);
    else if (type === 'assistant') this.#turn(loggedTurn(event));
    else if (type === 'tool_call')
      this.#call({ id: event.tool_call_id, name: event.tool_name, arguments: event.arguments });
    else if (type === 'tool_result') this.#result(loggedResult(event), event.tool_name);
    else if (type === 'tool_results' && isRecord(event.raw)) this.#user(event.raw);
    else if (type === 'item.completed' && isRecord(event.item)) this.#item(event.item, event);
    else if (type === 'openreward_tool_correlation') this.#callOrdinals.set(event.mcp_call_count, event.tool_use_id);
    else if (type === 'openreward_summary') this.summary = event;
    else this.events.push(event);
  }

  /** Its blocks, or what is wrong with one of them. */
  finish(traceId: TraceId, prefix: string): { readonly blocks: readonly BlockInput[] } | { readonly reason: string } {
    for (const { message, parts, calls } of this.#turns) message.payload.content = contentOf(parts, calls);
    for (const [id, pay] of this.#pendingRewards) this.#result({ id, output: null, extra: pay });
    this.#assignReward();
    return this.#builder.finish(traceId, prefix);
  }

  #prompt({ system_prompt, environment_prompt }: Event): void {
    // `default` is what claude-code has by itself, and nobody logs.
    if (system_prompt !== 'default') this.#addAssistantLine('system', system_prompt);
    this.#addAssistantLine('user', environment_prompt);
  }

  #addAssistantLine(role: 'system' | 'user', content: unknown): void {
    if (typeof content === 'string' && content !== '') this.#builder.message(role, content);
  }

  #user({ content }: Event): void {
    if (typeof content === 'string') this.#addAssistantLine('user', content);
    for (const result of resultsInContent(content)) this.#result(result);
    const output = Array.isArray(content)
      ? content.filter((part) => isRecord(part) && part.type !== 'tool_result')
      : [];
    if (output.length > 0) this.#builder.message('user', output);
  }

  #turn({ id, thoughts, parts, calls }: LoggedTurn): void {
    const before = this.#turns.at(-1);
    const turn = id !== undefined && before?.id === id ? before : this.#begin(id);
    for (const thought of thoughts) this.#builder.think(turn.message, thought);
    appendAll(turn.parts, parts);
    appendAll(turn.calls, calls);
    for (const call of calls) this.#builder.call(turn.message, call);
  }

  #begin(id: string | undefined): PendingTurn {
    const turn: PendingTurn = { id, message: this.#builder.message('assistant', ''), parts: [], calls: [] };
    this.#turns.push(turn);
    return turn;
  }

  /** A call that no line of the assistant has told. */
  #call(call: ModelToolCall): DraftBlock {
    const known = this.#builder.findCall(call.id);
    if (known) return known;
    const turn = this.#turns.at(-1) ?? this.#begin(undefined);
    turn.calls.push(call);
    return this.#builder.call(turn.message, call);
  }

  #result({ id, output, extra }: LoggedResult, name: unknown = 'unknown'): void {
    if (output === undefined && this.#builder.findCall(id)) {
      this.#pendingRewards.set(id, extra);
      return;
    }
    const all = { ...this.#pendingRewards.get(id), ...extra };
    this.#pendingRewards.delete(id);
    const call = this.#call({ id, name, arguments: {} });
    const result = this.#builder.result(call, output ?? null, Object.keys(all).length > 0 ? all : null);
    this.#results.set(id ?? result.id, result);
  }

  /** A step of codex. Source: firehorse, resume.py. */
  #item(item: Event, event: Event): void {
    const { id, type, text, tool } = item;
    if (type === 'mcp_tool_call') {
      this.#call({ id, name: tool, arguments: item.arguments });
      this.#result(resultOfItem(item));
    } else if (type === 'agent_message' && typeof text === 'string' && text !== '') {
      this.#begin(undefined).parts.push({ type: 'text', text });
    } else if (type === 'reasoning' && typeof text === 'string' && text !== '') {
      this.#builder.think((this.#turns.at(-1) ?? this.#begin(undefined)).message, text);
    } else this.events.push(event);
  }

  /** Rewards of the file beside, and that of the summary where no line has one. */
  #assignReward(): void {
    const results = [...this.#results.values()];
    for (const reward of this.#rewards) {
      const place = Number(reward.call_count);
      const result = this.#results.get(this.#callOrdinals.get(place)) ?? results[place - 1];
      if (result) result.extra = { ...rewardFields(reward), ...result.extra };
      else this.events.push(reward);
    }
    const { reward, final_reward, bridge_result } = this.summary;
    const last = reward ?? final_reward ?? (isRecord(bridge_result) ? bridge_result.last_reward : undefined);
    const newest = results.at(-1);
    if (newest && typeof last === 'number' && results.every(({ extra }) => extra?.reward === undefined)) {
      newest.extra = { ...newest.extra, reward: last };
    }
  }
}

/** Text alone is text; an answer without any announces its calls. */
function contentOf(parts: readonly JSONValue[], calls: readonly ModelToolCall[]): JSONValue {
  const [first, ...others] = parts;
  if (others.length === 0 && isRecord(first) && first.type === 'text' && typeof first.text === 'string')
    return first.text;
  if (parts.length > 0) return [...parts];
  if (calls.length === 0) return [{ type: 'text', text: '' }];
  // Parsed as JSON.
  return calls.map(({ id, name }) => ({ type: 'tool_use', id: id ?? null, name: name ?? null }) as JSONObject);
}
