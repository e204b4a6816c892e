import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { isJsonObject, parseDataUrl, toDataUrl } from '../../../core/index.ts';

/** Reference to offloaded JSON. */
export interface BlobReference {
  readonly sha256: string;
  readonly bytes: number;
}

/** Tool output in a form to render. */
type DisplayOutput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly error: JSONValue; readonly otherFields: JSONObject }
  | { readonly kind: 'reference'; readonly reference: BlobReference }
  | { readonly kind: 'json'; readonly value: JSONValue }
  | BlocksOutput;

/** ToolOutput of the standard, or the equivalent of another protocol. */
export interface BlocksOutput {
  readonly kind: 'blocks';
  readonly blocks: readonly JSONValue[];
  /** Metadata, which the model does not see. */
  readonly metadata: JSONValue;
  readonly reward: number | undefined;
  readonly isFinished: boolean;
  readonly isError: boolean;
  /** Fields that are not part of the format. */
  readonly otherFields: JSONObject;
}

/** Parses the output of a tool. Source: data types, "ToolOutput" and "RunToolOutput". */
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

/** A RunToolOutput cannot be nested. */
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

/** Parses the reference to offloaded JSON. */
export function parseBlobReference(value: JSONValue | undefined): BlobReference | undefined {
  if (!isJsonObject(value) || value.media_type !== 'application/json') return undefined;
  const { $blob, bytes } = value;
  return typeof $blob === 'string' && typeof bytes === 'number' ? { sha256: $blob, bytes } : undefined;
}

/** Part of a message, or block of an output. */
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

/** Parses a part: those of the standard, references of this store, and images of model providers. */
export function parsePart(value: unknown): OutputPart {
  // The value was parsed from JSON.
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

/** Parses a call that a message announces; its arguments are in a separate block. */
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

/** Image as a data URL, or the reason why it is invalid. */
type ImageSource = { readonly url: string } | { readonly problem: string };

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Validates an image before the browser receives it. */
export function toImageSource(data: string, mimeType: string): ImageSource {
  if (!/^image\/[\w.+-]{1,80}$/.test(mimeType)) {
    return { problem: `Its type ${JSON.stringify(mimeType)} is not an image type.` };
  }
  const text = /\s/.test(data) ? data.replaceAll(/\s+/g, '') : data;
  if (text === '') return { problem: 'It has no data.' };
  if (!BASE64.test(text)) return { problem: problemOf(text) };
  if (text.replace(/=+$/, '').length % 4 === 1) {
    return { problem: `Its data is not valid base64: the length of ${text.length} characters is invalid.` };
  }
  return { url: toDataUrl(mimeType, text) };
}

function problemOf(text: string): string {
  const at = text.search(/[^A-Za-z0-9+/]/);
  return `Its data is not valid base64: character ${at + 1} of ${text.length} is ${JSON.stringify(text[at])}.`;
}

/** Returns the number of bytes that base64 encodes. */
export function base64ByteLength(data: string): number {
  const length = data.length - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return Math.floor((length * 3) / 4);
}
