import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isRecord, toHex, wellFormedPrefix } from '../../core/index.ts';
import { fromBase64, toBase64 } from '../../protocol/index.ts';
import type { StoredBlob } from './content.ts';

const PREVIEW_LENGTH = 200;

/** Takes bytes that are to be stored beside a block, and gives their SHA-256. */
export type AddBlob = (data: Uint8Array, media_type: string) => Promise<string>;

/** Collects the blobs of one block. */
export function createBlobCollector(): { readonly blobs: StoredBlob[]; readonly add: AddBlob } {
  const blobs: StoredBlob[] = [];
  return {
    blobs,
    async add(data, media_type) {
      const digest = await crypto.subtle.digest('SHA-256', data as BufferSource);
      const sha256 = toHex(new Uint8Array(digest));
      blobs.push({ sha256, media_type, data });
      return sha256;
    },
  };
}

const encode = (text: string) => new TextEncoder().encode(text);

/**
 * A part of a message that stands for a text: the whole content (`text/plain`; JSON where UTF-8 cannot hold it), or JSON
 * of the whole content or of one part (`application/json`).
 */
export async function offloadText(value: JSONValue, add: AddBlob) {
  const isPlain = typeof value === 'string' && value.isWellFormed();
  const text = isPlain ? value : JSON.stringify(value);
  const media_type = isPlain ? 'text/plain' : 'application/json';
  const data = encode(text);
  const preview = wellFormedPrefix(previewText(value), PREVIEW_LENGTH).toWellFormed();
  return { type: 'text_ref', sha256: await add(data, media_type), media_type, bytes: data.length, preview };
}

function previewText(value: JSONValue): string {
  if (typeof value === 'string') return value;
  if (isRecord(value) && typeof value.text === 'string') return value.text;
  return JSON.stringify(value);
}

/** An image of ORS as a reference to its bytes; undefined for one that its bytes would not give back as it is. */
export async function offloadImage(part: JSONObject, add: AddBlob): Promise<JSONObject | undefined> {
  const { type, data, mimeType, ...others } = part;
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  const bytes = bytesOf(data);
  if (!bytes) return undefined;
  return { ...others, type: 'image_ref', sha256: await add(bytes, mimeType), mimeType, bytes: bytes.length };
}

function bytesOf(base64: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const bytes = fromBase64(base64);
    return toBase64(bytes) === base64 ? bytes : undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** An object that stands for any JSON: arguments, an output, `raw`. */
export async function offloadJson(value: JSONValue, add: AddBlob) {
  const data = encode(JSON.stringify(value));
  const media_type = 'application/json';
  return { $blob: await add(data, media_type), media_type, bytes: data.length };
}
