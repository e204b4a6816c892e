import { hasToJson, isRecord, type JSONObject, jsonProblem } from '../core/index.ts';
import type { SerializedBlock } from './types.ts';

/** The return value of an author's function is invalid; the message names the field. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Validates blocks and adds missing fields. An empty list stays empty.
 *
 * @param where name of the list in errors.
 * @throws OutputError naming the field that is invalid.
 */
export function serializeBlocks(blocks: unknown, where: string): SerializedBlock[] {
  return itemsOf(blocks, where, 'blocks').map((block, index) => serializeBlock(block, `${where}[${index}]`));
}

/** Returns the items of an array. @throws OutputError for another value. */
export function itemsOf(value: unknown, where: string, items: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new OutputError(`${where} is ${describeValue(value)}; it must be an array of ${items}`);
}

export interface SerializeBlockOptions {
  /** Accepts images whose data is not base64, and media types other than those of images. @default false */
  readonly anyImage?: boolean;
}

/** Validates a block and adds missing fields. @throws OutputError */
export function serializeBlock(
  block: unknown,
  where: string,
  { anyImage = false }: SerializeBlockOptions = {},
): SerializedBlock {
  if (!isRecord(block)) {
    throw new OutputError(`${where} is ${describeValue(block)}; make it with text(...) or image(...)`);
  }
  const detail = serializeObject(block.detail ?? null, `${where}.detail`);
  if (block.type === 'text') return { text: asString(block.text, `${where}.text`), detail, type: 'text' };
  if (block.type !== 'image') throw new OutputError(`${where}.type must be text or image`);
  const data = asString(block.data, `${where}.data`);
  const mimeType = asString(block.mimeType, `${where}.mimeType`);
  if (anyImage) return { data, mimeType, detail, type: 'image' };
  if (!mimeType.startsWith('image/')) throw new OutputError(`${where}.mimeType must begin with image/`);
  if (!isBase64(data)) throw new OutputError(`${where}.data is not base64; make the block with image(bytes)`);
  return { data, mimeType, detail, type: 'image' };
}

/** Returns a string. @throws OutputError for another value. */
export function asString(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new OutputError(`${where} is ${describeValue(value)}; it must be a string`);
}

/** Returns an object that JSON preserves, or null. @throws OutputError for another value. */
export function serializeObject(value: unknown, where: string): JSONObject | null {
  if (value === null) return null;
  if (!isRecord(value) || hasToJson(value)) {
    throw new OutputError(`${where} is ${describeValue(value)}; it must be a plain object or null`);
  }
  const problem = jsonProblem(value, where);
  if (problem) throw new OutputError(`${problem}, which JSON cannot keep`);
  return value as JSONObject;
}

const isBase64 = (data: string) => data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

/** Describes a value without the text of a string, which may be a secret. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? 'a string' : String(value);
}
