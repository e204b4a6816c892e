import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { isJsonObject, parseDataUrl } from '../../../core/index.ts';

/** Bytes of JSON that are stored beside a block. */
export interface BlobReference {
  readonly sha256: string;
  readonly bytes: number;
}

/** What a tool gave, in the form that people read. */
export type DisplayOutput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: JSONValue; readonly otherFields: JSONObject }
  | { readonly kind: 'reference'; readonly reference: BlobReference }
  | { readonly kind: 'json'; readonly value: JSONValue }
  | BlocksOutput;

/** A ToolOutput of the standard, or what other protocols have for it. */
export interface BlocksOutput {
  readonly kind: 'blocks';
  readonly blocks: readonly JSONValue[];
  /** What the model does not get to see. */
  readonly metadata: JSONValue;
  readonly reward: number | undefined;
  readonly isFinished: boolean;
  readonly isError: boolean;
  /** Fields that nothing is known of. */
  readonly otherFields: JSONObject;
}

/** Reads the output of a tool. Source: data types, "ToolOutput" and "RunToolOutput". */
export function parseOutput(value: JSONValue): DisplayOutput {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (Array.isArray(value)) return isBlocks(value) ? blocksOf(value, {}) : { kind: 'json', value };
  if (!isJsonObject(value)) return { kind: 'json', value };
  const reference = parseBlobReference(value);
  if (reference) return { kind: 'reference', reference };
  const { ok, error, output, ...rest } = value;
  if (ok === false) return { kind: 'error', error: error ?? 'the tool failed and gave no reason', otherFields: rest };
  if (ok === true && output !== undefined && Object.keys(rest).length === 0) return readWrapped(output);
  const blocks = value.blocks ?? value.content;
  return Array.isArray(blocks) && (blocks.length === 0 ? 'blocks' in value : isBlocks(blocks))
    ? blocksOf(blocks, value)
    : { kind: 'json', value };
}

/** What stands in a RunToolOutput is in no other. */
const readWrapped = (output: JSONValue): DisplayOutput =>
  isJsonObject(output) && output.ok !== undefined ? { kind: 'json', value: output } : parseOutput(output);

const isBlocks = (values: readonly JSONValue[]): boolean =>
  values.length > 0 && values.every((value) => isJsonObject(value) && typeof value.type === 'string');

function blocksOf(blocks: readonly JSONValue[], { ...fields }: JSONObject): BlocksOutput {
  const { blocks: _, content, metadata, reward, finished, isError, ...rest } = fields;
  return {
    kind: 'blocks',
    blocks,
    metadata: metadata ?? null,
    reward: typeof reward === 'number' ? reward : undefined,
    isFinished: finished === true,
    isError: isError === true,
    otherFields: content !== undefined && content !== blocks ? { content, ...rest } : rest,
  };
}

/** What stands for JSON that is stored beside a block. */
export function parseBlobReference(value: JSONValue | undefined): BlobReference | undefined {
  if (!isJsonObject(value) || value.media_type !== 'application/json') return undefined;
  const { $blob, bytes } = value;
  return typeof $blob === 'string' && typeof bytes === 'number' ? { sha256: $blob, bytes } : undefined;
}

/** A part of a message, or a block of an output. */
export type OutputPart =
  | { readonly kind: 'text'; readonly text: string; readonly detail: JSONValue }
  | { readonly kind: 'picture'; readonly data: string; readonly mimeType: string; readonly detail: JSONValue }
  | { readonly kind: 'picture-reference'; readonly reference: BlobReference; readonly mimeType: string }
  | {
      readonly kind: 'text-reference';
      readonly reference: BlobReference;
      readonly isJson: boolean;
      readonly preview: string;
    }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'other'; readonly value: JSONValue };

/** Reads a part: those of the standard, references of this store, and pictures as model providers have them. */
export function parsePart(value: unknown): OutputPart {
  // What comes here was JSON.
  const json = value as JSONValue;
  if (typeof json === 'string') return { kind: 'text', text: json, detail: null };
  if (!isJsonObject(json)) return { kind: 'other', value: json };
  const { type, text, data, mimeType, detail = null } = json;
  if (typeof text === 'string' && isTextType(type)) return { kind: 'text', text, detail };
  if (type === 'image' && typeof data === 'string')
    return { kind: 'picture', data, mimeType: String(mimeType), detail };
  return readReference(json) ?? readProvided(json) ?? readAnnounced(json) ?? { kind: 'other', value: json };
}

const isTextType = (type: JSONValue | undefined) => ['text', 'input_text', 'output_text'].includes(String(type));

function readReference({ type, sha256, bytes, mimeType, media_type, preview }: JSONObject): OutputPart | undefined {
  if (typeof sha256 !== 'string' || typeof bytes !== 'number') return undefined;
  const reference = { sha256, bytes };
  if (type === 'image_ref') return { kind: 'picture-reference', reference, mimeType: String(mimeType) };
  if (type !== 'text_ref') return undefined;
  return {
    kind: 'text-reference',
    reference,
    isJson: media_type === 'application/json',
    preview: String(preview ?? ''),
  };
}

/** A call that a message announces: what it is called with stands in a block of its own. */
function readAnnounced({ type, id: _, name, ...rest }: JSONObject): OutputPart | undefined {
  const isBare = type === 'tool_use' && Object.keys(rest).length === 0;
  return isBare && typeof name === 'string' ? { kind: 'call', name } : undefined;
}

function readProvided({ type, source, image_url }: JSONObject): OutputPart | undefined {
  if (type === 'image' && isJsonObject(source) && typeof source.data === 'string') {
    return { kind: 'picture', data: source.data, mimeType: String(source.media_type), detail: null };
  }
  const url = isJsonObject(image_url) ? image_url.url : image_url;
  const found = typeof url === 'string' ? parseDataUrl(url) : undefined;
  return found && { kind: 'picture', data: found.base64, mimeType: found.mediaType, detail: null };
}
