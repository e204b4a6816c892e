import { fieldsOf, isRecord, previewJson, truncate, tryParseJson } from '../core/index.ts';
import {
  type Block,
  type ImageBlock,
  type JSONObject,
  joinText,
  readToolSpec,
  type ToolSpec,
} from '../protocol/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { OrsProtocolError } from './errors.ts';
import {
  ConnectionFailure,
  endsInTime,
  isEventStream,
  readResponseBytes,
  readResponseText,
  type TransportResponse,
} from './transport.ts';

/** Result of a tool call, with the same fields for every server. Source: data types, "ToolOutput". */
export interface CallResult {
  /** All content, including blocks of types that this version does not know. */
  readonly blocks: readonly Block[];
  /** The text blocks, joined by a line feed. */
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** Reward of the call; null if there is none, which is not the same as 0. */
  readonly reward: number | null;
  /** True if the call finished the episode. */
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
  /** True if the call was sent again although it may have run; the tool may then have run twice. */
  readonly repeated: boolean;
}

/** Parsed result: an output, or a refusal for the agent. Source: data types, "RunToolOutput". */
export type ToolOutcome =
  | { readonly kind: 'output'; readonly output: Omit<CallResult, 'repeated'> }
  | { readonly kind: 'refusal'; readonly text: string };

/** Response to a call. `isFullyRead`: the connection can be used for the next request. */
export type CallResponse = (ToolOutcome | { readonly kind: 'crash'; readonly text: string }) & {
  readonly isFullyRead: boolean;
};

interface CallResponseListener {
  /** Called for each chunk that arrives. */
  readonly onChunk: () => void;
  /** Called with the task id that the server assigned to the call. */
  readonly onTaskId: (id: string) => void;
}

const INCOMPLETE = 'the stream ended before the result did';

/**
 * Reads the response to a call: an event stream, or JSON from servers that do not stream.
 *
 * @throws ConnectionFailure if it is incomplete; OrsProtocolError if it is not a result; errors of the listener.
 */
export async function readCallResponse(
  url: string,
  response: TransportResponse,
  { onChunk, onTaskId }: CallResponseListener,
): Promise<CallResponse> {
  const type = response.header('Content-Type') ?? 'no media type';
  if (!isEventStream(response)) {
    return { ...parseOutcome(await readResponseText(url, response, onChunk), type), isFullyRead: true };
  }
  let isOver = false;
  const bytes = async function* () {
    yield* readResponseBytes(url, response, onChunk);
    isOver = true;
  };
  const events = decodeEvents(bytes(), { incomplete: 'emit' });
  const parts: string[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new ConnectionFailure(INCOMPLETE);
    const { event, data } = value;
    // An event after the last byte has no blank line behind it: the server forgot it, or the stream was cut.
    const mayBeCut = isOver;
    if (event === 'task_id' && !mayBeCut) onTaskId(data);
    if (event === 'error') return { kind: 'crash', text: data, isFullyRead: await endsInTime(events.next()) };
    if (event !== 'chunk' && event !== 'end') continue;
    parts.push(data);
    if (event !== 'end') continue;
    const json = parts.join('');
    if (mayBeCut && tryParseJson(json) === undefined) throw new ConnectionFailure(INCOMPLETE);
    return { ...parseOutcome(json, type), isFullyRead: await endsInTime(events.next()) };
  }
}

/** Parses a result. Optional fields may be absent or null. */
function parseOutcome(json: string, type: string): ToolOutcome {
  const value = tryParseJson(json);
  if (value === undefined) {
    throw new OrsProtocolError(`the result of the call is ${type} that is not JSON: ${truncate(json, 80)}`);
  }
  if (!isRecord(value) || typeof value.ok !== 'boolean') throw invalid('ok', isRecord(value) ? value.ok : value);
  if (value.ok) return { kind: 'output', output: parseOutput(value.output) };
  const { error = null } = value;
  return { kind: 'refusal', text: typeof error === 'string' ? error : JSON.stringify(error) };
}

function parseOutput(output: unknown): Omit<CallResult, 'repeated'> {
  if (!isRecord(output)) throw invalid('output', output);
  const { reward = null, finished, metadata } = output;
  if (reward !== null && !(typeof reward === 'number' && Number.isFinite(reward))) {
    throw invalid('output.reward', reward);
  }
  const blocks = parseBlocks(output.blocks, 'output.blocks');
  return {
    blocks,
    text: joinText(blocks),
    images: blocks.filter((block) => block.type === 'image'),
    reward,
    finished: finished === true,
    metadata: isRecord(metadata) ? (metadata as JSONObject) : null,
  };
}

/**
 * Parses a list of blocks; an absent one is empty.
 *
 * @param path name of the list in errors.
 * @throws OrsProtocolError naming the field that is invalid.
 */
export function parseBlocks(value: unknown, path: string): Block[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(path, value);
  return value.map((block: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isRecord(block) || typeof block.type !== 'string') throw invalid(at, block);
    if (block.type === 'text' && typeof block.text !== 'string') throw invalid(`${at}.text`, block.text);
    if (block.type === 'image' && typeof block.data !== 'string') throw invalid(`${at}.data`, block.data);
    if (block.type === 'image' && typeof block.mimeType !== 'string') throw invalid(`${at}.mimeType`, block.mimeType);
    // All fields that code reads are validated above.
    return block as Block;
  });
}

/** Parses a list of tools. A missing `input_schema` becomes null, a missing description the empty string. */
export function parseTools(response: unknown): ToolSpec[] {
  const tools = isRecord(response) ? response.tools : response;
  if (!Array.isArray(tools)) throw new OrsProtocolError('the server returned no list of tools');
  return tools.map((tool: unknown, index) => {
    const spec = readToolSpec(fieldsOf(tool));
    if (spec) return spec;
    throw new OrsProtocolError(`tools[${index}] of the server has no name`);
  });
}

function invalid(path: string, value: unknown): OrsProtocolError {
  // JSON.parse turns a number such as 1e999 into Infinity.
  const isTooLarge = typeof value === 'number' && !Number.isFinite(value);
  const shown = isTooLarge ? 'a number that is too large' : value === undefined ? 'missing' : previewJson(value);
  return new OrsProtocolError(`invalid ${path} in the response of the server: ${shown}`);
}
