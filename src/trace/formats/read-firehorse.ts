import { createHash, type Hash } from 'node:crypto';
import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { appendAll, CallMatcher, isRecord } from '../../core/index.ts';
import {
  type Event,
  type LoggedResult,
  type LoggedTurn,
  loggedResult,
  loggedTurn,
  resultOfItem,
  resultsInContent,
  rewardFields,
} from './firehorse-events.ts';
import type { ImportItem, ImportLimits, LineImporter } from './imported.ts';
import { traceTooLargeMessage } from './jsonl.ts';
import { announcements, type DraftBlock, type ModelToolCall, TraceBuilder } from './trace-builder.ts';

interface OpenTrial {
  readonly line: number;
  readonly trial: FirehorseTrial;
  readonly hash: Hash;
  size: number;
}

/**
 * Reads logs `trial_*.jsonl` of firehorse by its agents react, resum, claude-code and codex, one or several. The lines of
 * `trial_*_rewards.jsonl` can follow those of their trial and add rewards to its results. A line that is not JSON is
 * reported and does not end the trial, because firehorse also logs the output of its agents. The id of a trace is derived
 * from its lines, so that a repeated import finds it. Lines without a block are kept in `metadata.imported.events`. The log
 * of react with Google's models has calls only as text of Python.
 */
export class FirehorseReader implements LineImporter {
  readonly #limits: ImportLimits;
  #open: OpenTrial | undefined;
  /** True while lines belong to a trial that was rejected. */
  #isRejected = false;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  *readLine(line: number, event: Event, size: number): Generator<ImportItem> {
    const isStart =
      event.type === 'openreward_prompt' || (event.type === 'system' && typeof event.content === 'string');
    if (isStart) yield* this.finish();
    if (this.#isRejected) return;
    if (!this.#open && typeof event.type !== 'string') {
      yield { line, trace_id: null, reason: 'the line has no trial before it; rewards must follow their trial' };
      return;
    }
    this.#open ??= { line, trial: new FirehorseTrial(), hash: createHash('sha256'), size: 0 };
    this.#open.size += size;
    this.#open.hash.update(`${JSON.stringify(event)}\n`);
    this.#open.trial.add(event);
    if (this.#open.size <= this.#limits.traceBytes) return;
    this.#open = undefined;
    this.#isRejected = true;
    yield { line, trace_id: null, reason: traceTooLargeMessage(this.#limits) };
  }

  *finish(): Generator<ImportItem> {
    const open = this.#open;
    this.#open = undefined;
    this.#isRejected = false;
    if (!open) return;
    yield* open.trial.finish(open.line, open.hash.digest('hex').slice(0, 32));
  }
}

function aboutTrace({ summary, events }: FirehorseTrial) {
  const { env, model, task_spec, agent, bridge_result, mcp_failed } = summary;
  const isFinished = summary.finished === true || (isRecord(bridge_result) && bridge_result.finished === true);
  const task = isRecord(task_spec) ? (task_spec.id ?? task_spec.index) : undefined;
  // The fields were parsed from JSON.
  const imported = { format: 'firehorse', summary: summary as JSONObject, events: events as JSONObject[] };
  return {
    name: typeof task === 'string' || typeof task === 'number' ? `trial_${task}` : null,
    environment: typeof env === 'string' ? env : null,
    model: typeof model === 'string' ? model : null,
    task_spec: isRecord(task_spec) ? (task_spec as JSONObject) : null,
    status: mcp_failed === true ? ('error' as const) : isFinished ? ('finished' as const) : ('abandoned' as const),
    rollout_info: typeof agent === 'string' ? { harness: agent } : {},
    metadata: { imported },
  };
}

/** A turn of the model; more lines of it can follow. */
interface PendingTurn {
  readonly id: string | undefined;
  readonly message: DraftBlock;
  readonly parts: JSONValue[];
  readonly calls: ModelToolCall[];
}

/** Builds the trace of one trial from its lines. */
class FirehorseTrial {
  /** The summary in the last line, or empty. */
  summary: Event = {};
  /** Lines without a block. */
  readonly events: Event[] = [];
  readonly #builder = new TraceBuilder();
  readonly #turns: PendingTurn[] = [];
  /** Calls of the model that no line has started yet. */
  readonly #announced = new CallMatcher<DraftBlock>();
  /** The last result of each call, in the order of the calls' first results. */
  readonly #results = new Map<DraftBlock, DraftBlock>();
  readonly #resultsById = new Map<unknown, DraftBlock>();
  /** Rewards without a result so far, by the id of the call. */
  readonly #pendingRewards = new Map<unknown, JSONObject[]>();
  /** Ids of calls by their number in the environment, from 1. */
  readonly #callIds = new Map<unknown, unknown>();
  readonly #rewards: Event[] = [];

  add(event: Event): void {
    const { type } = event;
    if (type === undefined && typeof event.call_count === 'number') this.#rewards.push(event);
    else if (type === 'openreward_prompt') this.#prompt(event);
    else if ((type === 'system' || type === 'user') && typeof event.content === 'string')
      this.#addMessage(type, event.content);
    else if (type === 'user' && isRecord(event.message)) this.#user(event.message);
    else if (type === 'assistant') this.#turn(loggedTurn(event));
    else if (type === 'tool_call')
      this.#call({ id: event.tool_call_id, name: event.tool_name, arguments: event.arguments });
    else if (type === 'tool_result') this.#result(loggedResult(event), event.tool_name);
    else if (type === 'tool_results' && isRecord(event.raw)) this.#user(event.raw);
    else if (type === 'item.completed' && isRecord(event.item)) this.#item(event.item, event);
    else if (type === 'openreward_tool_correlation') this.#callIds.set(event.mcp_call_count, event.tool_use_id);
    else if (type === 'openreward_summary') this.summary = event;
    else this.events.push(event);
  }

  /** Returns the trace without its invalid blocks, after the reason for each of them. */
  finish(line: number, hash: string): ImportItem[] {
    for (const { message, parts, calls } of this.#turns) message.payload.content = contentOf(parts, calls);
    const pending = [...this.#pendingRewards].flatMap(([id, rewards]) => rewards.map((extra) => ({ id, extra })));
    this.#pendingRewards.clear();
    for (const { id, extra } of pending) this.#result({ id, output: null, extra });
    this.#assignReward();
    return this.#builder.finish(line, hash, aboutTrace(this));
  }

  #prompt({ system_prompt, environment_prompt }: Event): void {
    // `default` is the built-in prompt of claude-code, which is not logged.
    if (system_prompt !== 'default') this.#addMessage('system', system_prompt);
    this.#addMessage('user', environment_prompt);
  }

  #addMessage(role: 'system' | 'user', content: unknown): void {
    if (typeof content === 'string' && content !== '') this.#builder.message(role, content);
  }

  #user({ content }: Event): void {
    if (typeof content === 'string') this.#addMessage('user', content);
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
    for (const call of calls) this.#announced.add(textOrUndefined(call.id), this.#builder.call(turn.message, call));
  }

  #begin(id: string | undefined): PendingTurn {
    const turn: PendingTurn = { id, message: this.#builder.message('assistant', ''), parts: [], calls: [] };
    this.#turns.push(turn);
    this.#announced.endTurn();
    return turn;
  }

  /** Adds a call, unless a line of the assistant has. */
  #call(call: ModelToolCall): void {
    const known = this.#announced.take(textOrUndefined(call.id));
    if (known && !known.isRepeated) return;
    this.#addCall(call);
  }

  #addCall(call: ModelToolCall): DraftBlock {
    const turn = this.#turns.at(-1) ?? this.#begin(undefined);
    turn.calls.push(call);
    return this.#builder.call(turn.message, call);
  }

  #addAnswered(call: ModelToolCall): DraftBlock {
    const added = this.#addCall(call);
    this.#builder.takeCall(call.id);
    return added;
  }

  #result({ id, output, extra }: LoggedResult, name: unknown = 'unknown'): void {
    const pending = this.#pendingRewards.get(id) ?? [];
    if (output === undefined && this.#builder.hasCall(id)) {
      this.#pendingRewards.set(id, [...pending, extra]);
      return;
    }
    const all = { ...pending.shift(), ...extra };
    const call = this.#builder.takeCall(id) ?? this.#addAnswered({ id, name, arguments: {} });
    const result = this.#builder.result(call, output ?? null, Object.keys(all).length > 0 ? all : null);
    this.#results.set(call, result);
    this.#resultsById.set(id, result);
  }

  /** Adds a step of codex. Source: firehorse, resume.py. */
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

  /** Adds the rewards of the rewards file, or else the reward of the summary. */
  #assignReward(): void {
    const results = [...this.#results.values()];
    for (const reward of this.#rewards) {
      const count = Number(reward.call_count);
      const result = this.#resultsById.get(this.#callIds.get(count)) ?? results[count - 1];
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

const textOrUndefined = (id: unknown): string | undefined => (typeof id === 'string' ? id : undefined);

/** Returns a single text part as text; content without parts announces the calls. */
function contentOf(parts: readonly JSONValue[], calls: readonly ModelToolCall[]): JSONValue {
  const [first, ...others] = parts;
  if (others.length === 0 && isRecord(first) && first.type === 'text' && typeof first.text === 'string')
    return first.text;
  if (parts.length > 0) return [...parts];
  return announcements(calls);
}
