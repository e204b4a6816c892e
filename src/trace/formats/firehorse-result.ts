import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord } from '../../core/index.ts';

/** What a line tells of the result of a call; the output is undefined where the line has only the reward. */
export interface LoggedResult {
  readonly id: unknown;
  readonly output: JSONValue | undefined;
  readonly extra: JSONObject;
}

type Event = Readonly<Record<string, unknown>>;

/** The results in a line of the type `tool_result`, as `react` and `resum` write it. */
export function loggedResult(event: Event): LoggedResult {
  const { raw, tool_call_id, tool_use_id, output } = event;
  const of = isRecord(raw) ? raw : {};
  const id = tool_call_id ?? tool_use_id ?? of.call_id ?? of.tool_call_id;
  // Parsed as JSON.
  return withMarker(id, (output ?? of.output ?? of.content) as JSONValue | undefined, rewardFields(event));
}

/** The results in a message of Anthropic: the user's lines of `claude-code`, and `tool_results` of `react`. */
export const resultsInContent = (content: unknown): LoggedResult[] =>
  (Array.isArray(content) ? content.filter(isJsonObject) : []).flatMap((block) =>
    block.type === 'tool_result'
      ? [withMarker(block.tool_use_id, block.content ?? '', block.is_error === true ? { tool_error: true } : {})]
      : [],
  );

/** The result of a call to an MCP server, as `codex` writes it. */
export function resultOfItem({ id, result, error, status }: Event): LoggedResult {
  const failure = isRecord(error) && typeof error.message === 'string' ? error.message : undefined;
  if (failure !== undefined) return { id, output: { ok: false, error: failure }, extra: { tool_error: true } };
  const content = isRecord(result) ? result.content : result;
  return withMarker(id, (content ?? null) as JSONValue, status === 'failed' ? { tool_error: true } : {});
}

/** Reward and finished, where a line has them. */
export const rewardFields = ({ reward, finished }: Event): JSONObject => ({
  ...(typeof reward === 'number' ? { reward } : {}),
  ...(typeof finished === 'boolean' ? { finished } : {}),
});

/**
 * Between the tools and some agents firehorse sends the reward as a text after the result. The last one is its own; what
 * stands before may be a model's invention.
 */
const MARKER = /\s*\[OR_REWARD:(\{[^}]*\})\]\s*$/;

function withMarker(id: unknown, output: JSONValue | undefined, extra: JSONObject): LoggedResult {
  if (typeof output === 'string') {
    const { text, pay } = cutMarker(output);
    return { id, output: text, extra: { ...extra, ...pay } };
  }
  if (!Array.isArray(output)) return { id, output, extra };
  const parts = [...output];
  const place = parts.findLastIndex((part) => isRecord(part) && typeof part.text === 'string');
  const part = parts[place];
  if (!isJsonObject(part) || typeof part.text !== 'string') return { id, output, extra };
  const { text, pay } = cutMarker(part.text);
  parts[place] = { ...part, text };
  return { id, output: parts, extra: { ...extra, ...pay } };
}

function cutMarker(text: string): { text: string; pay: JSONObject } {
  const [marker, json = ''] = MARKER.exec(text.slice(-MARKER_LENGTH)) ?? [];
  if (marker === undefined) return { text, pay: {} };
  try {
    const { r: reward, f: finished } = JSON.parse(json) as Event;
    return { text: text.slice(0, -marker.length), pay: rewardFields({ reward, finished }) };
  } catch (error) {
    // Then it is not the one of firehorse.
    if (error instanceof SyntaxError) return { text, pay: {} };
    throw error;
  }
}

/** A marker is shorter; white space before it is not searched further. */
const MARKER_LENGTH = 300;
