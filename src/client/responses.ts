import { fieldsOf, isRecord, previewJson, truncate, tryParseJson, warnOnce } from '../core/index.ts';
import {
  type Block,
  type GroupScore,
  type ImageBlock,
  isContent,
  type JSONObject,
  joinText,
  type Message,
  type MessageBlock,
  type RefusalReason,
  readToolSpec,
  type TerminalTool,
  type ToolSpec,
} from '../protocol/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { OrsProtocolError, ScoreGroupError, WARNING } from './errors.ts';
import {
  ConnectionFailure,
  endsInTime,
  isEventStream,
  readResponseBytes,
  readResponseText,
  type TransportResponse,
} from './transport.ts';

/**
 * Result of a tool call, with the same fields for every server. Source: data types, "ToolOutput".
 *
 * @example
 * const { text, reward, finished }: CallResult = await session.call('submit', { answer: '42' });
 */
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
  | { readonly kind: 'refusal'; readonly text: string; readonly reason: RefusalReason | null };

/** Response with a parsed outcome, or an `error` event. `isFullyRead`: the connection can be used for the next request. */
export type StreamedResponse<Outcome> = (Outcome | { readonly kind: 'crash'; readonly text: string }) & {
  readonly isFullyRead: boolean;
};

interface StreamListener {
  /** Called for each chunk that arrives. */
  readonly onChunk: () => void;
  /** Called with the task id that the server assigned to the call. */
  readonly onTaskId: (id: string) => void;
}

const INCOMPLETE = 'the stream ended before the result did';

/**
 * Reads the response to a call or a scoring: an event stream, or JSON from servers that do not stream.
 *
 * @param parse parses the JSON of the result; its second argument is the media type, for errors.
 * @throws ConnectionFailure if it is incomplete; errors of `parse` and of the listener.
 */
export async function readStreamedResponse<Outcome extends object>(
  url: string,
  response: TransportResponse,
  { onChunk, onTaskId }: StreamListener,
  parse: (json: string, type: string) => Outcome,
): Promise<StreamedResponse<Outcome>> {
  const type = response.header('Content-Type') ?? 'no media type';
  if (!isEventStream(response)) {
    return { ...parse(await readResponseText(url, response, onChunk), type), isFullyRead: true };
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
    return { ...parse(json, type), isFullyRead: await endsInTime(events.next()) };
  }
}

/** Parses the result of a call. Optional fields may be absent or null. @throws OrsProtocolError if it is not a result. */
export function parseToolOutcome(json: string, type: string): ToolOutcome {
  const value = parseResult(json, type);
  if (!isRecord(value) || typeof value.ok !== 'boolean') throw invalid('ok', isRecord(value) ? value.ok : value);
  if (value.ok) return { kind: 'output', output: parseOutput(value.output) };
  const { error = null, reason } = value;
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return { kind: 'refusal', text, reason: toCallReason(text, reason) };
}

function parseResult(json: string, type: string): unknown {
  const value = tryParseJson(json);
  if (value !== undefined) return value;
  throw new OrsProtocolError(`the result of the call is ${type} that is not JSON: ${truncate(json, 80)}`);
}

const REASONS: readonly RefusalReason[] = [
  'not_found',
  'name_collision',
  'input_validation',
  'episode_finished',
  'interrupted',
];

/**
 * Texts of servers that send no reason, matched from their start because errors of authors can have any text: those of
 * openreward before 0.1.127, ors-sdk, and this package before it sent reasons.
 */
const REASON_TEXTS: readonly (readonly [RefusalReason, RegExp])[] = [
  ['name_collision', /^Tool name collision\b/],
  [
    'input_validation',
    /^Tool input validation error\b|^Tool '.*?' failed: (\/\S+|the value)(:| (must|is|has|fits|does|can|cannot)) /s,
  ],
  ['episode_finished', /^Tool '.*?' failed: the episode is finished\b|^'.*?' was not run: the episode has finished\b/s],
  [
    'not_found',
    /^(['"]).*?\1 is not a valid tool\b|^Tool '.*?' failed: unknown tool\b|^unknown tool\b|^tool ['"`]?[\w.-]+['"`]? (is )?(not found|unknown|does not exist|not recognized)\b/is,
  ],
];

/**
 * Returns the reason of a refusal; null if neither the server nor the text shows one.
 *
 * @param stated the field `reason` of the response.
 */
export function toCallReason(text: string, stated?: unknown): RefusalReason | null {
  const known = REASONS.find((reason) => reason === stated);
  return known ?? REASON_TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
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

/** Types of blocks in messages, and the fields that they need. */
const BLOCK_FIELDS: Readonly<Record<MessageBlock['type'], readonly (readonly [string, 'text' | 'object'])[]>> = {
  text: [['text', 'text']],
  image: [
    ['data', 'text'],
    ['mimeType', 'text'],
  ],
  reasoning: [['text', 'text']],
  tool_call: [
    ['id', 'text'],
    ['name', 'text'],
    ['input', 'object'],
  ],
  tool_result: [['tool_call_id', 'text']],
};

/**
 * Parses a conversation. Skips blocks of unknown types, which later versions may have; an unknown role is kept.
 *
 * @throws OrsProtocolError naming the field that is invalid.
 */
export function parseMessages(value: unknown): Message[] {
  if (!Array.isArray(value)) throw invalid('messages', value);
  return value.map((message: unknown, index) => {
    const at = `messages[${index}]`;
    if (!isRecord(message) || typeof message.role !== 'string') throw invalid(at, message);
    const { role, blocks, detail = null } = message;
    // The formats check the places of blocks.
    return { role, blocks: parseMessageBlocks(blocks, `${at}.blocks`), detail } as Message;
  });
}

function parseMessageBlocks(value: unknown, path: string): MessageBlock[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(path, value);
  return value.flatMap((block: unknown, index): MessageBlock[] => {
    const at = `${path}[${index}]`;
    if (!isRecord(block) || typeof block.type !== 'string') throw invalid(at, block);
    if (!Object.hasOwn(BLOCK_FIELDS, block.type)) return [];
    for (const [field, kind] of BLOCK_FIELDS[block.type as MessageBlock['type']]) {
      const isValid = kind === 'text' ? typeof block[field] === 'string' : isRecord(block[field]);
      if (!isValid) throw invalid(`${at}.${field}`, block[field]);
    }
    // All fields that code reads are validated above.
    if (block.type !== 'tool_result') return [block as MessageBlock];
    const blocks = parseMessageBlocks(block.blocks, `${at}.blocks`).filter(isContent);
    return [{ ...block, blocks, is_error: block.is_error === true } as MessageBlock];
  });
}

/**
 * Parses a list of tools. A missing `input_schema` becomes null, a missing description the empty string. Of several tools
 * with one name, which openreward may list, the first remains: it is the one that a call runs.
 */
export function parseTools(response: unknown): ToolSpec[] {
  const tools = isRecord(response) ? response.tools : response;
  if (!Array.isArray(tools)) throw new OrsProtocolError('the server returned no list of tools');
  const byName = new Map<string, ToolSpec>();
  for (const [index, tool] of tools.entries()) {
    const spec = readToolSpec(fieldsOf(tool));
    if (!spec) warnOnce(`tools[${index}] of the server has no name; it is left out`, WARNING);
    else if (!byName.has(spec.name)) byName.set(spec.name, spec);
  }
  return [...byName.values()];
}

/** Announcements in a list of tools; servers that do not know a field omit it. */
export interface ToolListExtras {
  readonly terminalTool: TerminalTool | null;
  readonly supportsScoreGroup: boolean;
  readonly supportsFork: boolean;
  /** Types of blocks that messages of candidates may have. */
  readonly messageBlockTypes: readonly string[];
}

/** @throws OrsProtocolError for a terminal tool without a name. */
export function parseToolListExtras(response: unknown): ToolListExtras {
  const { terminal_tool, supports_score_group, supports_fork, message_block_types } = fieldsOf(response);
  const types = Array.isArray(message_block_types) ? message_block_types : ['text', 'image'];
  return {
    terminalTool: parseTerminalTool(terminal_tool),
    supportsScoreGroup: supports_score_group === true,
    supportsFork: supports_fork === true,
    messageBlockTypes: types.filter((type) => typeof type === 'string'),
  };
}

function parseTerminalTool(value: unknown): TerminalTool | null {
  if (value === undefined || value === null) return null;
  const { name, arg, description } = fieldsOf(value);
  if (typeof name !== 'string') throw invalid('terminal_tool.name', name);
  return {
    name,
    arg: typeof arg === 'string' ? arg : null,
    description: typeof description === 'string' ? description : '',
  };
}

/**
 * Parses the result of a scoring.
 *
 * @param count the number of candidates.
 * @throws ScoreGroupError if there is not one finite reward for each of them.
 */
export function parseGroupScores(json: string, type: string, count: number): GroupScore[] {
  const { scores } = fieldsOf(parseResult(json, type));
  if (!Array.isArray(scores)) throw new ScoreGroupError('the server returned no list of scores');
  if (scores.length !== count) {
    throw new ScoreGroupError(`the server returned ${scores.length} scores for ${count} candidates`);
  }
  return scores.map((score: unknown, index) => {
    const { reward, metadata } = fieldsOf(score);
    if (typeof reward !== 'number' || !Number.isFinite(reward)) {
      throw new ScoreGroupError(`scores[${index}] of the server has no finite reward`);
    }
    return { reward, metadata: isRecord(metadata) ? (metadata as JSONObject) : null };
  });
}

function invalid(path: string, value: unknown): OrsProtocolError {
  // JSON.parse turns a number such as 1e999 into Infinity.
  const isTooLarge = typeof value === 'number' && !Number.isFinite(value);
  const shown = isTooLarge ? 'a number that is too large' : value === undefined ? 'missing' : previewJson(value);
  return new OrsProtocolError(`invalid ${path} in the response of the server: ${shown}`);
}
