import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord } from '../../core/index.ts';
import type { ModelToolCall } from './trace-builder.ts';

/** Content of a line of type `assistant`, for all agents of firehorse. */
export interface LoggedTurn {
  /** Lines with the same id belong to one response. */
  readonly id: string | undefined;
  readonly thoughts: readonly string[];
  readonly parts: readonly JSONValue[];
  readonly calls: readonly ModelToolCall[];
}

/** A line of a log. */
export type Event = Readonly<Record<string, unknown>>;

/**
 * Parses a line of type `assistant`: `claude-code` and `hermes` log messages of Anthropic in `message`, `react` the
 * response of its provider in `raw`, and `resum` other fields. Source: firehorse, agents/react.py,
 * agents/resum/agent.py, agents/claude_code.py and viewer.py.
 */
export function loggedTurn(event: Event): LoggedTurn {
  const { message, raw, text_content, reasoning_content, tool_calls } = event;
  if (isRecord(message)) return ofContent(message.content, typeof message.id === 'string' ? message.id : undefined);
  if (isRecord(raw)) {
    const turn = ofContent(raw.content);
    return { ...turn, calls: [...turn.calls, ...callsOf(raw.tool_calls)] };
  }
  if (Array.isArray(raw)) return merge(raw.filter(isRecord).map(ofItem));
  if (typeof raw === 'string') return merge([{ parts: textParts(raw) }]);
  return merge([{ thoughts: texts(reasoning_content), parts: textParts(text_content), calls: callsOf(tool_calls) }]);
}

/** Returns a text in a list; empty for the empty text and for other values. */
const texts = (text: unknown): string[] => (typeof text === 'string' && text !== '' ? [text] : []);

const textParts = (text: unknown): JSONObject[] => texts(text).map((each) => ({ type: 'text', text: each }));

function merge(turns: readonly Partial<LoggedTurn>[], id?: string): LoggedTurn {
  return {
    id,
    thoughts: turns.flatMap(({ thoughts = [] }) => thoughts),
    parts: turns.flatMap(({ parts = [] }) => parts),
    calls: turns.flatMap(({ calls = [] }) => calls),
  };
}

/** Parses content of Anthropic or OpenAI: text, or blocks. */
const ofContent = (content: unknown, id?: string): LoggedTurn =>
  merge(Array.isArray(content) ? content.filter(isJsonObject).map(ofBlock) : [{ parts: textParts(content) }], id);

function ofBlock(block: JSONObject): Partial<LoggedTurn> {
  if (block.type === 'text') return { parts: textParts(block.text) };
  if (block.type === 'thinking' && typeof block.thinking === 'string') return { thoughts: texts(block.thinking) };
  if (block.type === 'tool_use') return { calls: [{ id: block.id, name: block.name, arguments: block.input }] };
  return { parts: [block] };
}

/** Parses an item of OpenAI's Responses API. */
function ofItem({ type, name, call_id: id, arguments: args, content, summary }: Event): Partial<LoggedTurn> {
  const textsIn = (list: unknown) => [list].flat().flatMap((part) => texts(isRecord(part) ? part.text : part));
  if (type === 'function_call' && typeof name === 'string') return { calls: [{ id, name, arguments: args }] };
  if (type === 'message') return { parts: textsIn(content).flatMap(textParts) };
  if (type === 'reasoning') return { thoughts: textsIn(summary) };
  return {};
}

/** Parses calls of OpenAI's chat completions, or of `resum`. */
function callsOf(calls: unknown): ModelToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isRecord).map((call) => {
    const { name, arguments: args } = isRecord(call.function) ? call.function : call;
    return { id: call.id, name, arguments: args };
  });
}

/** Result of a call in a line. */
export interface LoggedResult {
  readonly id: unknown;
  /** Undefined if the line has only the reward. */
  readonly output: JSONValue | undefined;
  readonly extra: JSONObject;
}

/** Parses a line of type `tool_result` of `react` or `resum`. */
export function loggedResult(event: Event): LoggedResult {
  const { raw, tool_call_id, tool_use_id, output } = event;
  const inner = isRecord(raw) ? raw : {};
  const id = tool_call_id ?? tool_use_id ?? inner.call_id ?? inner.tool_call_id;
  // The value was parsed from JSON.
  return withMarker(id, (output ?? inner.output ?? inner.content) as JSONValue | undefined, rewardFields(event));
}

/** Parses the results in a message of Anthropic: lines of the user of `claude-code`, and `tool_results` of `react`. */
export const resultsInContent = (content: unknown): LoggedResult[] =>
  (Array.isArray(content) ? content.filter(isJsonObject) : []).flatMap((block) =>
    block.type === 'tool_result'
      ? [withMarker(block.tool_use_id, block.content ?? '', block.is_error === true ? { tool_error: true } : {})]
      : [],
  );

/** Parses the result of a call to an MCP server, logged by `codex`. */
export function resultOfItem({ id, result, error, status }: Event): LoggedResult {
  const failure = isRecord(error) && typeof error.message === 'string' ? error.message : undefined;
  if (failure !== undefined) return { id, output: { ok: false, error: failure }, extra: { tool_error: true } };
  const content = isRecord(result) ? result.content : result;
  return withMarker(id, (content ?? null) as JSONValue, status === 'failed' ? { tool_error: true } : {});
}

/** Returns reward and finished if a line has them. */
export const rewardFields = ({ reward, finished }: Event): JSONObject => ({
  ...(typeof reward === 'number' ? { reward } : {}),
  ...(typeof finished === 'boolean' ? { finished } : {}),
});

/**
 * Text with the reward that firehorse appends to results for some agents. Only the last one counts: earlier ones may be
 * written by the model.
 */
const MARKER = /\s*\[OR_REWARD:(\{[^}]*\})\]\s*$/;

function withMarker(id: unknown, output: JSONValue | undefined, extra: JSONObject): LoggedResult {
  if (typeof output === 'string') {
    const { text, reward } = cutMarker(output);
    return { id, output: text, extra: { ...extra, ...reward } };
  }
  if (!Array.isArray(output)) return { id, output, extra };
  const parts = [...output];
  const last = parts.findLastIndex((part) => isRecord(part) && typeof part.text === 'string');
  const part = parts[last];
  if (!isJsonObject(part) || typeof part.text !== 'string') return { id, output, extra };
  const { text, reward } = cutMarker(part.text);
  parts[last] = { ...part, text };
  return { id, output: parts, extra: { ...extra, ...reward } };
}

function cutMarker(text: string): { text: string; reward: JSONObject } {
  const [marker, json = ''] = MARKER.exec(text.slice(-MAX_MARKER_LENGTH)) ?? [];
  if (marker === undefined) return { text, reward: {} };
  try {
    const { r: reward, f: finished } = JSON.parse(json) as Event;
    return { text: text.slice(0, -marker.length), reward: rewardFields({ reward, finished }) };
  } catch (error) {
    // Text that only looks like a marker.
    if (error instanceof SyntaxError) return { text, reward: {} };
    throw error;
  }
}

/** Limits the search, because the expression would scan long white space repeatedly. */
const MAX_MARKER_LENGTH = 300;
