import type {
  BlockInput,
  ContentPart,
  JSONValue,
  MessagePayload,
  ThinkBlockInput,
  ToolResultBlockInput,
  ToolResultOutput,
} from '../../../generated/trace.ts';
import { isJsonObject, isRecord, parseExactJson, stringifyJson, toHex, wellFormedPrefix } from '../../core/index.ts';
import { fromBase64, toBase64 } from '../../protocol/index.ts';
import { fieldBytes, type TraceLimits } from '../model/index.ts';

/** Bytes that are stored outside of blocks. */
export interface StoredBlob {
  /** Key of the blob, in lower-case hex. */
  readonly sha256: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** The body of a write: a block, a new trace or a change of one. */
export interface SerializedContent {
  /** JSON. */
  readonly text: string;
  /** Blobs that the text refers to; they must be stored first. */
  readonly blobs: readonly StoredBlob[];
}

/** Splits and offloads a block so that it is within the limits. Returns the blocks to write and their blobs. */
export async function splitAndOffloadBlock(block: BlockWithId, limits: TraceLimits) {
  const contents = await Promise.all(splitBlock(block, limits, true).map((piece) => offloadBlock(piece, limits)));
  return {
    blocks: contents.map(({ text }) => parseExactJson(text) as BlockInput),
    blobs: contents.flatMap(({ blobs }) => blobs),
  };
}

/** A larger `raw` is offloaded, so that the request stays within its limit. */
const MAX_RAW_BYTES = 1024 * 1024;
/** Blocks below this length are not measured if they cannot exceed the smallest limit. */
const SMALL_LENGTH = 8 * 1024;
const MAX_BYTES_PER_CODE_UNIT = 3;

export type BlockWithId = BlockInput & { id: string };

/** Returns true if a block with JSON of this length cannot have a field above its limit. */
export const fitsLimits = (length: number, { message, think, toolArguments, toolResult }: TraceLimits): boolean =>
  length <= SMALL_LENGTH && length * MAX_BYTES_PER_CODE_UNIT <= Math.min(message, think, toolArguments, toolResult);

/**
 * Splits a thought or result above its limit into several blocks. A thought becomes thoughts with `part` (from 0) and
 * `parts`. A result becomes deltas with `seq` (from 0) and `parts`: pieces of its text, or of its JSON with
 * `media_type: application/json`. The last block has the id, `raw` and `extra`.
 *
 * @param isFirstResult false keeps a result whole, because earlier results of its call have used the values of seq.
 */
export function splitBlock(block: BlockWithId, limits: TraceLimits, isFirstResult: boolean): BlockWithId[] {
  if (block.sub_type === 'THINK') return splitThought(block, limits.think);
  if (block.sub_type === 'TOOL_RESULT' && isFirstResult) return splitResult(block, limits.toolResult);
  return [block];
}

function splitThought(block: ThinkBlockInput & { id: string }, limit: number): BlockWithId[] {
  const { text } = block.payload;
  if (typeof text !== 'string' || fieldBytes(text) <= limit) return [block];
  const pieces = splitText(text, limit);
  return pieces.map((piece, part) =>
    pieceOf(block, part, pieces.length, { ...block.payload, text: piece, part, parts: pieces.length }),
  );
}

function splitResult(block: ToolResultBlockInput & { id: string }, limit: number): BlockWithId[] {
  const { output, delta, seq: _, ...payload } = block.payload as ToolResultOutput;
  const isOutput = output !== undefined && (delta === undefined || delta === null);
  if (!isOutput || fieldBytes(output) <= limit) return [block];
  const isText = typeof output === 'string';
  const pieces = splitText(isText ? output : stringifyJson(output), limit);
  const type = { ...(isText ? {} : { media_type: 'application/json' }), parts: pieces.length };
  return pieces.map((piece, seq) => pieceOf(block, seq, pieces.length, { ...payload, ...type, delta: piece, seq }));
}

/** Maximum length of a block id. */
const MAX_ID_LENGTH = 'tb_'.length + 64;

function pieceOf(block: BlockWithId, index: number, count: number, payload: object): BlockWithId {
  // The pieces of a block have its sub type.
  if (index === count - 1) return { ...block, payload } as BlockWithId;
  const { raw: _, extra: __, ...rest } = block;
  const suffix = `_${index}`;
  return { ...rest, id: block.id.slice(0, MAX_ID_LENGTH - suffix.length) + suffix, payload } as BlockWithId;
}

/** Serializes a block and replaces large fields by references to blobs. */
export async function offloadBlock(block: BlockWithId, limits: TraceLimits): Promise<SerializedContent> {
  const { blobs, add } = createBlobList();
  const fitted = { ...block, payload: await fitPayload() };
  if (block.raw !== undefined && fieldBytes(block.raw) > MAX_RAW_BYTES) fitted.raw = await offloadJson(block.raw, add);
  return { text: stringifyJson(fitted), blobs };

  async function fitPayload() {
    if (block.sub_type === 'MESSAGE') {
      const { payload } = block;
      return { ...payload, content: await offloadContent(payload.content, limits.message, add) };
    }
    if (block.sub_type === 'TOOL_CALL') {
      return { ...block.payload, arguments: await offloadAbove(limits.toolArguments, block.payload.arguments) };
    }
    if (block.sub_type === 'TOOL_RESULT' && block.payload.output !== undefined) {
      return { ...block.payload, output: await offloadAbove(limits.toolResult, block.payload.output) };
    }
    return block.payload;
  }

  async function offloadAbove(limit: number, value: JSONValue): Promise<JSONValue> {
    return value === undefined || fieldBytes(value) <= limit ? value : offloadJson(value, add);
  }
}

/** Replaces the fields of an object that are larger than `maxBytes` by references to blobs. */
export async function offloadFields(
  fields: Readonly<Record<string, JSONValue>>,
  maxBytes: number,
): Promise<{ readonly fields: Record<string, JSONValue>; readonly blobs: readonly StoredBlob[] }> {
  const { blobs, add } = createBlobList();
  const fitted: Record<string, JSONValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    fitted[name] = fieldBytes(value) <= maxBytes ? value : await offloadJson(value, add);
  }
  return { fields: fitted, blobs };
}

function createBlobList(): { readonly blobs: StoredBlob[]; readonly add: AddBlob } {
  const blobs: StoredBlob[] = [];
  const add: AddBlob = async (data, media_type) => {
    const digest = await crypto.subtle.digest('SHA-256', data as BufferSource);
    const sha256 = toHex(new Uint8Array(digest));
    blobs.push({ sha256, media_type, data });
    return sha256;
  };
  return { blobs, add };
}

/** Splits a text into pieces of at most `maxBytes` of UTF-8, without splitting a character. */
function splitText(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  const encoder = new TextEncoder();
  // The longest character has four bytes.
  const buffer = new Uint8Array(Math.max(4, maxBytes));
  for (let start = 0; start < text.length; ) {
    const { read } = encoder.encodeInto(text.slice(start, start + buffer.length), buffer);
    pieces.push(text.slice(start, start + read));
    start += read;
  }
  return pieces;
}

/** Larger images are offloaded. Source: trace data model, images in prompts. */
const MAX_IMAGE_BYTES = 8 * 1024;
const BASE64_RATIO = 4 / 3;

type MessageContent = MessagePayload['content'];

/**
 * Brings the content of a message within its limit: offloads images and a long text, then the longest parts, or else the
 * whole content.
 */
async function offloadContent(content: MessageContent, limit: number, add: AddBlob): Promise<MessageContent> {
  if (typeof content === 'string') return fieldBytes(content) <= limit ? content : [await offloadText(content, add)];
  if (!Array.isArray(content)) return content;
  // The content was serialized before, so it is JSON.
  const parts = content as readonly JSONValue[];
  const withRefs = await Promise.all(parts.map((part) => offloadLargeImage(part, add)));
  const fitted = fieldBytes(withRefs) <= limit ? withRefs : await offloadLongestParts(withRefs, limit, add);
  if (fieldBytes(fitted) > limit) return [await offloadText([...parts], add)];
  return fitted as unknown as [ContentPart, ...ContentPart[]];
}

/** Replaces a large ORS image by an `image_ref`, unless its base64 is not canonical and could not be restored exactly. */
async function offloadLargeImage(part: JSONValue, add: AddBlob): Promise<JSONValue> {
  if (!isJsonObject(part)) return part;
  const { type, data, mimeType, ...others } = part;
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return part;
  const bytes = data.length > MAX_IMAGE_BYTES * BASE64_RATIO ? decodeCanonicalBase64(data) : undefined;
  if (!bytes) return part;
  return { ...others, type: 'image_ref', sha256: await add(bytes, mimeType), mimeType, bytes: bytes.length };
}

/** Replaces parts by references, the longest first, until the content is within the limit. */
async function offloadLongestParts(parts: readonly JSONValue[], limit: number, add: AddBlob): Promise<JSONValue[]> {
  const shortened = [...parts];
  const sizes = parts.map(fieldBytes);
  const longestFirst = [...parts.keys()].sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  let total = fieldBytes(parts);
  for (const index of longestFirst) {
    const part = parts[index];
    if (total <= limit || !isJsonObject(part)) break;
    const reference = await offloadText(part, add);
    const saved = (sizes[index] ?? 0) - fieldBytes(reference);
    if (saved <= 0) break;
    shortened[index] = reference;
    total -= saved;
  }
  return shortened;
}

const PREVIEW_LENGTH = 200;

/** Adds a blob and returns its SHA-256. */
type AddBlob = (data: Uint8Array, media_type: string) => Promise<string>;

const encode = (text: string) => new TextEncoder().encode(text);

/**
 * Returns a `text_ref` part for a whole content or one part of it. The blob is `text/plain` for a well-formed string,
 * else `application/json`.
 */
async function offloadText(value: JSONValue, add: AddBlob) {
  const isPlain = typeof value === 'string' && value.isWellFormed();
  const text = isPlain ? value : stringifyJson(value);
  const media_type = isPlain ? 'text/plain' : 'application/json';
  const data = encode(text);
  const preview = wellFormedPrefix(previewText(value), PREVIEW_LENGTH).toWellFormed();
  return { type: 'text_ref', sha256: await add(data, media_type), media_type, bytes: data.length, preview };
}

function previewText(value: JSONValue): string {
  if (typeof value === 'string') return value;
  if (isRecord(value) && typeof value.text === 'string') return value.text;
  return stringifyJson(value);
}

function decodeCanonicalBase64(base64: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const bytes = fromBase64(base64);
    return toBase64(bytes) === base64 ? bytes : undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Returns a reference for arguments, an output or `raw`. */
async function offloadJson(value: JSONValue, add: AddBlob) {
  const data = encode(stringifyJson(value));
  const media_type = 'application/json';
  return { $blob: await add(data, media_type), media_type, bytes: data.length };
}
