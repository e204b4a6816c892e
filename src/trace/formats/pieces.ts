import type { JSONValue, MessagePayload } from '../../../generated/trace.ts';
import { type Awaitable, isPromiseLike, isRecord } from '../../core/index.ts';
import { toBase64 } from '../../protocol/index.ts';
import { isToolUse } from './conversation.ts';
import type { TraceSource } from './format.ts';

/** A piece of what a message or a result shows. */
export type DisplayPart = TextDisplayPart | ImageDisplayPart;

export interface TextDisplayPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ImageDisplayPart {
  readonly kind: 'image';
  /** Null where only its address is known. */
  readonly mediaType: string | null;
  /** A data URL, or where it is found. */
  readonly url: string;
}

type BlobReader = Pick<TraceSource, 'blob'>;

/** What a message shows. Parts that announce calls are left out; parts of unknown types are shown as their JSON. */
export function messageParts(content: MessagePayload['content'], blobs: BlobReader): Awaitable<readonly DisplayPart[]> {
  if (typeof content === 'string') return [textPiece(content)];
  return piecesOf(
    content.filter((part) => !isToolUse(part)),
    blobs,
  );
}

/**
 * What a model sees of the result of a call: of an ORS tool output its blocks, of a failure its error, of a list of
 * content its parts, of any other value its JSON.
 */
export function outputParts(value: JSONValue, blobs: BlobReader): Awaitable<readonly DisplayPart[]> {
  if (typeof value === 'string') return [textPiece(value)];
  if (isContent(value)) return piecesOf(value, blobs);
  if (isRecord(value)) {
    if (isContent(value.blocks)) return outputParts(value.blocks, blobs);
    if (value.ok === false && typeof value.error === 'string') return [textPiece(value.error)];
    if (value.ok === true && isRecord(value.output)) return outputParts(value.output, blobs);
  }
  return [textPiece(JSON.stringify(value))];
}

/** The pieces as one text, a line for each; images as `[image: image/png]`. */
export const partsToText = (pieces: readonly DisplayPart[]): string => pieces.map(partToText).join('\n');

export const partToText = (piece: DisplayPart): string =>
  piece.kind === 'text' ? piece.text : `[image: ${piece.mediaType ?? piece.url}]`;

const textPiece = (text: string): TextDisplayPart => ({ kind: 'text', text });

type JsonPart = Readonly<Record<string, JSONValue>>;

const isContent = (value: unknown): value is JsonPart[] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => isRecord(part) && typeof part.type === 'string');

function piecesOf(
  parts: readonly Readonly<Record<string, unknown>>[],
  blobs: BlobReader,
): Awaitable<readonly DisplayPart[]> {
  const pieces = parts.map((part) => pieceOf(part, blobs));
  const isThere = (piece: Awaitable<DisplayPart>): piece is DisplayPart => !isPromiseLike(piece);
  return pieces.every(isThere) ? pieces : Promise.all(pieces);
}

function pieceOf(part: Readonly<Record<string, unknown>>, blobs: BlobReader): Awaitable<DisplayPart> {
  if (part.type === 'text' && typeof part.text === 'string') return textPiece(part.text);
  if (part.type === 'image_ref' && typeof part.sha256 === 'string') return storedImage(part.sha256, blobs);
  return imageOf(part) ?? textPiece(JSON.stringify(part));
}

async function storedImage(sha256: string, { blob }: BlobReader): Promise<DisplayPart> {
  const image = await blob(sha256);
  return image ? base64Image(image.media_type, toBase64(image.data)) : textPiece(`[image not stored: ${sha256}]`);
}

/** An image as ORS, Anthropic or OpenAI write it. */
function imageOf({
  type,
  data,
  mimeType,
  source,
  image_url,
}: Readonly<Record<string, unknown>>): DisplayPart | undefined {
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') return base64Image(mimeType, data);
  if (
    type === 'image' &&
    isRecord(source) &&
    typeof source.media_type === 'string' &&
    typeof source.data === 'string'
  ) {
    return base64Image(source.media_type, source.data);
  }
  if (type === 'image_url' && isRecord(image_url) && typeof image_url.url === 'string') {
    const [, mediaType = null] = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(image_url.url) ?? [];
    return { kind: 'image', mediaType, url: image_url.url };
  }
  return undefined;
}

const base64Image = (mediaType: string, base64: string): ImageDisplayPart => ({
  kind: 'image',
  mediaType,
  url: `data:${mediaType};base64,${base64}`,
});
