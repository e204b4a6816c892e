import type {
  JSONObject,
  JSONValue,
  MessageBlock,
  MessagePayload,
  ThinkBlock,
  Timestamp,
  ToolCallBlock,
  ToolResultBlock,
  Trace,
} from '../../../generated/trace.ts';
import {
  type Awaitable,
  andThen,
  fieldsOf,
  isPromiseLike,
  isRecord,
  stringifyJson,
  toBase64,
  toDataUrl,
} from '../../core/index.ts';
import { readToolSpec, type ToolSpec } from '../../protocol/index.ts';
import {
  assemble,
  type Batches,
  blockReward,
  collectBatches,
  flatMapBatches,
  forEachBatch,
  hasDelta,
  isErrorResult,
  type StoredBlock,
  type TraceReader,
} from '../model/index.ts';
import { type AssistantTurnEntry, type Conversation, callResultOrdinals, isToolUse } from './conversation.ts';
import type { TraceSource } from './format.ts';
import { joinStreamed, streamedText } from './streamed-json.ts';

export interface ConversationMessage {
  /** Undefined for a turn without a message. */
  readonly block: MessageBlock | undefined;
  readonly role: string;
  readonly pieces: readonly DisplayPart[];
}

/** Reads a message; 0 returns an empty one. */
export function readMessage(conversation: Conversation, message: number): Awaitable<ConversationMessage> {
  return andThen(readBlocksAt(conversation, message === 0 ? [] : [message]), ([stored]) => {
    if (!stored) return { block: undefined, role: 'assistant', pieces: [] };
    const block = stored.block as MessageBlock;
    const { role, content } = block.payload;
    return andThen(messageParts(content, conversation), (pieces) => ({ block, role, pieces }));
  });
}

/** Reads the message of a turn. Without text, the argument of the terminal tool is its text. */
export function readTurnMessage(
  conversation: Conversation,
  { message, answer }: AssistantTurnEntry,
): Awaitable<ConversationMessage> {
  const { arg } = fieldsOf(conversation.trace.metadata.terminal_tool);
  const answerPart = ({ block }: StoredBlock) => {
    const value = fieldsOf((block as ToolCallBlock).payload.arguments)[String(arg)] ?? '';
    return textPiece(typeof value === 'string' ? value : stringifyJson(value));
  };
  return andThen(readMessage(conversation, message), (read) => {
    if (answer === undefined || read.pieces.some((piece) => partToText(piece).trim() !== '')) return read;
    return andThen(readBlocksAt(conversation, [answer]), (calls) => ({ ...read, pieces: calls.map(answerPart) }));
  });
}

/** Reads a few blocks into memory. */
export const readBlocksAt = ({ reader }: Conversation, ords: readonly number[]): Awaitable<readonly StoredBlock[]> =>
  collectBatches(reader.read(ords));

/** Reads the texts of thoughts. */
export const readThoughts = ({ reader }: Conversation, thinks: readonly number[]): Batches<string> =>
  flatMapBatches(reader.read(thinks), ({ block }) => [(block as ThinkBlock).payload.text]);

/** Returns the field `reasoning_content` of a turn with thoughts. */
export const reasoningField = (conversation: Conversation, thinks: readonly number[]): object =>
  thinks.length === 0
    ? {}
    : { reasoning_content: streamedText(() => joinStreamed(readThoughts(conversation, thinks), '\n\n')) };

/** Reads the times at which blocks were written. */
export const readTimes = (conversation: Conversation, ords: readonly number[]): Awaitable<readonly Timestamp[]> =>
  andThen(readBlocksAt(conversation, ords), (all) => all.map(({ block }) => block.created_at));

/** Returns the calls that have a result. */
export const callsWithResult = ({ reader: { layout } }: Conversation, calls: readonly number[]): readonly number[] =>
  calls.filter((call) => callResultOrdinals(layout, call).length > 0);

/** Part of a message or result in a form that all formats can show. */
export type DisplayPart = TextDisplayPart | ImageDisplayPart;

interface TextDisplayPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ImageDisplayPart {
  readonly kind: 'image';
  /** Null if only the URL is known. */
  readonly mediaType: string | null;
  /** A data URL, or another one. */
  readonly url: string;
}

type BlobReader = Pick<TraceSource, 'blob'>;

/** Returns the parts of a message, without announcements of calls. Unknown types become their JSON. */
export function messageParts(content: MessagePayload['content'], blobs: BlobReader): Awaitable<readonly DisplayPart[]> {
  if (typeof content === 'string') return [textPiece(content)];
  return piecesOf(
    content.filter((part) => !isToolUse(part)),
    blobs,
  );
}

/**
 * Returns the parts of a result that the model sees: the blocks of an ORS tool output, the message of an error, the parts
 * of a content list, or else JSON.
 */
export function outputParts(value: JSONValue, blobs: BlobReader): Awaitable<readonly DisplayPart[]> {
  if (typeof value === 'string') return [textPiece(value)];
  if (isContent(value)) return piecesOf(value, blobs);
  if (isRecord(value)) {
    if (isContent(value.blocks)) return outputParts(value.blocks, blobs);
    if (value.ok === false && typeof value.error === 'string') return [textPiece(value.error)];
    if (value.ok === true && isRecord(value.output)) return outputParts(value.output, blobs);
  }
  return [textPiece(stringifyJson(value))];
}

/** Joins parts to a text, one line each; images become `[image: image/png]`. */
export const partsToText = (pieces: readonly DisplayPart[]): string => pieces.map(partToText).join('\n');

export const partToText = (piece: DisplayPart): string =>
  piece.kind === 'text' ? piece.text : `[image: ${piece.mediaType ?? piece.url}]`;

const textPiece = (text: string): TextDisplayPart => ({ kind: 'text', text });

type JsonPart = Readonly<Record<string, JSONValue>>;

const isContent = (value: unknown): value is JsonPart[] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => isRecord(part) && typeof part.type === 'string');

function piecesOf(parts: readonly Readonly<Record<string, unknown>>[], blobs: BlobReader) {
  const pieces = parts.map((part) => pieceOf(part, blobs));
  const isReady = (piece: Awaitable<DisplayPart>): piece is DisplayPart => !isPromiseLike(piece);
  return pieces.every(isReady) ? pieces : Promise.all(pieces);
}

function pieceOf(part: Readonly<Record<string, unknown>>, blobs: BlobReader): Awaitable<DisplayPart> {
  if (part.type === 'text' && typeof part.text === 'string') return textPiece(part.text);
  if (part.type === 'image_ref' && typeof part.sha256 === 'string') return storedImage(part.sha256, blobs);
  return imageOf(part) ?? textPiece(stringifyJson(part));
}

async function storedImage(sha256: string, { blob }: BlobReader): Promise<DisplayPart> {
  const image = await blob(sha256);
  return image ? base64Image(image.media_type, toBase64(image.data)) : textPiece(`[image not stored: ${sha256}]`);
}

/** Converts an image in the format of ORS, Anthropic or OpenAI. */
function imageOf(part: Readonly<Record<string, unknown>>): DisplayPart | undefined {
  const { type, data, mimeType } = part;
  const source = fieldsOf(part.source);
  const { url } = fieldsOf(part.image_url);
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') return base64Image(mimeType, data);
  if (type === 'image' && typeof source.data === 'string' && typeof source.media_type === 'string') {
    return base64Image(source.media_type, source.data);
  }
  if (type !== 'image_url' || typeof url !== 'string') return undefined;
  const [, mediaType = null] = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(url) ?? [];
  return { kind: 'image', mediaType, url };
}

const base64Image = (mediaType: string, base64: string): ImageDisplayPart => ({
  kind: 'image',
  mediaType,
  url: toDataUrl(mediaType, base64),
});

/** A call with its results. */
export interface ExportedCall {
  readonly ord: number;
  readonly block: ToolCallBlock;
  /** Undefined without a result. */
  readonly results: CallResults | undefined;
}

/** The assembled results of a call. */
interface CallResults {
  readonly value: JSONValue;
  readonly isFailed: boolean;
  /** The `extra` of each result that has one. */
  readonly extras: readonly JSONValue[];
  /** Times of the first and last result. */
  readonly times: readonly [Timestamp, Timestamp];
}

/** Reads calls with their results; at most one call is in memory unless they were prefetched. */
export const readCalls = ({ reader }: Conversation, calls: readonly number[]): Batches<ExportedCall> =>
  flatMapBatches(reader.read(calls), ({ ord, block }) =>
    andThen(readResults(reader, ord), (results) => [{ ord, block: block as ToolCallBlock, results }]),
  );

/** Reads the parts of results that the model sees; calls without a result are left out. */
export const readOutputs = (conversation: Conversation, calls: readonly number[]): Batches<CallOutput> =>
  flatMapBatches(readAllOutputs(conversation, calls), (output) => (output.isMissing ? [] : [output]));

/** Like `readOutputs`, with a text for calls without a result. */
export const readAllOutputs = (
  conversation: Conversation,
  calls: readonly number[],
): Batches<CallOutput & { readonly isMissing: boolean }> =>
  flatMapBatches(readCalls(conversation, calls), ({ ord, block, results }) => {
    const parts = results ? outputParts(results.value, conversation) : [textPiece('(no result)')];
    return andThen(parts, (pieces) => [{ ord, block, pieces, isMissing: results === undefined }]);
  });

export interface CallOutput extends Pick<ExportedCall, 'ord' | 'block'> {
  readonly pieces: readonly DisplayPart[];
}

function readResults({ layout, read }: TraceReader, call: number): Awaitable<CallResults | undefined> {
  // The last output, or else all deltas.
  let output: ToolResultBlock | undefined;
  let deltas: ToolResultBlock[] = [];
  let isFailed = false;
  const extras: JSONValue[] = [];
  let times: CallResults['times'] | undefined;
  const reading = forEachBatch(read(callResultOrdinals(layout, call)), ({ block }) => {
    const result = block as ToolResultBlock;
    if (!hasDelta(result.payload)) {
      output = result;
      deltas = [];
    } else if (!output) deltas.push({ ...result, raw: null });
    isFailed ||= isErrorResult(result);
    if (result.extra !== null) extras.push(result.extra);
    times = extendRange(times, result.created_at);
  });
  const value = () => (output ? (output.payload.output ?? null) : assemble(deltas).value);
  return andThen(reading, () => times && { value: value(), isFailed, extras, times });
}

function extendRange(times: CallResults['times'] | undefined, time: Timestamp): CallResults['times'] {
  const [first, last] = times ?? [time, time];
  return [time < first ? time : first, time > last ? time : last];
}

/** Returns the rewards of results. */
export const callRewards = ({ extras }: CallResults): number[] =>
  extras.flatMap((extra) => blockReward({ extra }) ?? []);

/** Tool in OpenAI's format. */
interface FunctionTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JSONObject };
}

/** Converts the tool specs in `metadata.tools` of a trace to OpenAI's format; skips other values. */
export function toOpenAIFunctions({ metadata }: Pick<Trace, 'metadata'>): FunctionTool[] {
  const { tools } = metadata;
  return Array.isArray(tools) ? tools.flatMap(functionOf) : [];
}

function functionOf(tool: JSONValue): FunctionTool[] {
  if (!isRecord(tool) || typeof tool.name !== 'string') return [];
  const { name, description, input_schema: parameters } = tool;
  return [
    {
      type: 'function',
      function: {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isRecord(parameters) ? { parameters: parameters as JSONObject } : {}),
      },
    },
  ];
}

/** Converts tools in OpenAI's format to tool specs; skips other values. */
export function toToolSpecs(functions: unknown): ToolSpec[] {
  if (!Array.isArray(functions)) return [];
  return functions.flatMap((tool) => {
    const spec = fieldsOf(isRecord(tool) && isRecord(tool.function) ? tool.function : tool);
    return readToolSpec({ ...spec, input_schema: spec.parameters }) ?? [];
  });
}
