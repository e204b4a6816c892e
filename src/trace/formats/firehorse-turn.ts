import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord } from '../../core/index.ts';
import type { ModelToolCall } from './trace-builder.ts';

/** What a line of the type `assistant` tells, whichever agent of firehorse wrote it. */
export interface LoggedTurn {
  /** Lines with the same id are of one answer. */
  readonly id: string | undefined;
  readonly thoughts: readonly string[];
  readonly parts: readonly JSONValue[];
  readonly calls: readonly ModelToolCall[];
}

type Event = Readonly<Record<string, unknown>>;

/**
 * The agents: `claude-code` and `hermes` write messages of Anthropic under `message`, `react` what its provider answered
 * under `raw`, `resum` fields of its own. Source: firehorse, agents/react.py, agents/resum/agent.py, agents/claude_code.py
 * and viewer.py.
 */
export function loggedTurn(event: Event): LoggedTurn {
  const { message, raw, text_content, reasoning_content, tool_calls } = event;
  if (isRecord(message)) return ofContent(message.content, typeof message.id === 'string' ? message.id : undefined);
  if (isRecord(raw)) {
    const turn = ofContent(raw.content);
    return { ...turn, calls: [...turn.calls, ...callsOf(raw.tool_calls)] };
  }
  if (Array.isArray(raw)) return merge(raw.filter(isRecord).map(ofItem));
  if (typeof raw === 'string') return { ...NOTHING, parts: textsOf(raw) };
  return {
    id: undefined,
    thoughts: typeof reasoning_content === 'string' && reasoning_content !== '' ? [reasoning_content] : [],
    parts: textsOf(text_content),
    calls: callsOf(tool_calls),
  };
}

const NOTHING: LoggedTurn = { id: undefined, thoughts: [], parts: [], calls: [] };

const textsOf = (text: unknown): JSONObject[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];

function merge(turns: readonly LoggedTurn[]): LoggedTurn {
  return {
    id: undefined,
    thoughts: turns.flatMap(({ thoughts }) => thoughts),
    parts: turns.flatMap(({ parts }) => parts),
    calls: turns.flatMap(({ calls }) => calls),
  };
}

/** Content of Anthropic or OpenAI: text, or blocks. */
function ofContent(content: unknown, id?: string): LoggedTurn {
  if (!Array.isArray(content)) return { ...NOTHING, id, parts: textsOf(content) };
  return { ...merge(content.filter(isJsonObject).map(ofBlock)), id };
}

function ofBlock(block: JSONObject): LoggedTurn {
  if (block.type === 'text') return { ...NOTHING, parts: textsOf(block.text) };
  if (block.type === 'thinking' && typeof block.thinking === 'string') {
    return { ...NOTHING, thoughts: block.thinking === '' ? [] : [block.thinking] };
  }
  if (block.type === 'tool_use') {
    return { ...NOTHING, calls: [{ id: block.id, name: block.name, arguments: block.input }] };
  }
  return { ...NOTHING, parts: [block] };
}

/** An item of OpenAI's Responses API. */
function ofItem(item: Event): LoggedTurn {
  if (item.type === 'function_call') {
    return typeof item.name === 'string'
      ? { ...NOTHING, calls: [{ id: item.call_id, name: item.name, arguments: item.arguments }] }
      : NOTHING;
  }
  const texts = (list: unknown) =>
    (Array.isArray(list) ? list : [list]).flatMap((part) => textsOf(isRecord(part) ? part.text : part));
  if (item.type === 'message') return { ...NOTHING, parts: texts(item.content) };
  if (item.type === 'reasoning') {
    return {
      ...NOTHING,
      thoughts: texts(item.summary).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    };
  }
  return NOTHING;
}

/** Calls as OpenAI's chat writes them, or as `resum` does. */
function callsOf(calls: unknown): ModelToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isRecord).map((call) => {
    const { name, arguments: given } = isRecord(call.function) ? call.function : call;
    return { id: call.id, name, arguments: given };
  });
}
