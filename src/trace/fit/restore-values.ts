import type { ContentPart, JSONObject, JSONValue, MessagePayload } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { toBase64 } from '../../protocol/index.ts';

/** Reads a blob by its SHA-256. A reference to a missing blob stays in the restored value. */
export type ReadBlob = (sha256: string) => Promise<Uint8Array | undefined>;

type StoredMessageContent = MessagePayload['content'];

/** Restores the blobs in the content of a message. */
export async function restoreContent(content: StoredMessageContent, readBlob: ReadBlob): Promise<StoredMessageContent> {
  if (typeof content === 'string') return content;
  const [first] = content;
  if (content.length === 1 && first.type === 'text_ref') {
    const value = await readTextRef(first, readBlob);
    if (value === undefined) return content;
    return isRecord(value) ? [value as ContentPart] : (value as StoredMessageContent);
  }
  const parts = await Promise.all(content.map((part) => restorePart(part, readBlob)));
  return parts as unknown as [ContentPart, ...ContentPart[]];
}

async function restorePart(part: ContentPart, readBlob: ReadBlob): Promise<ContentPart> {
  if (part.type === 'text_ref') return ((await readTextRef(part, readBlob)) ?? part) as ContentPart;
  if (part.type !== 'image_ref') return part;
  const { type: _, sha256, bytes: __, ...others } = part;
  const data = await readBlob(String(sha256));
  return data ? { ...others, type: 'image', data: toBase64(data) } : part;
}

async function readTextRef({ sha256, media_type }: ContentPart, readBlob: ReadBlob): Promise<JSONValue | undefined> {
  const data = await readBlob(String(sha256));
  if (!data) return undefined;
  const text = decode(data);
  return media_type === 'application/json' ? (JSON.parse(text) as JSONValue) : text;
}

/** Restores arguments, an output or `raw` if the value is a reference. */
export async function restoreValue<V extends JSONValue>(value: V, readBlob: ReadBlob): Promise<V> {
  if (!isBlobReference(value)) return value;
  // The blob contains the value that the reference replaced, so it has type V.
  const data = await readBlob(value.$blob);
  return data ? (JSON.parse(decode(data)) as V) : value;
}

/** Returns true for a reference to a blob of JSON. */
export const isBlobReference = (value: JSONValue): value is JSONObject & { $blob: string } =>
  isRecord(value) && typeof value.$blob === 'string' && value.media_type === 'application/json';

// A byte order mark is part of a text.
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
