import { hasToJson, isRecord, jsonProblem } from '../core/index.ts';
import type { JSONObject, SerializedBlock, SerializedToolOutput } from '../protocol/index.ts';

/** The return value of an author's function is invalid; the message names the field. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Validates the return value of a tool and adds missing fields. Source: data types, "Output Guarantees".
 *
 * @throws OutputError naming the field that is invalid.
 */
export function serializeOutput(result: unknown): SerializedToolOutput {
  if (!isRecord(result)) throw new OutputError('the tool returned no object; return { text } or { blocks }');
  const { text, blocks, reward = null, finished = false, metadata = null } = result;
  if ((text === undefined) === (blocks === undefined)) {
    throw new OutputError('the tool returned neither text nor blocks, or both; return one of them');
  }
  if (reward !== null && (typeof reward !== 'number' || !Number.isFinite(reward))) {
    throw new OutputError(`reward is ${show(reward)}; it must be a finite number or null`);
  }
  if (typeof finished !== 'boolean') throw new OutputError(`finished is ${show(finished)}; it must be true or false`);
  return {
    blocks: serializeBlocks(blocks === undefined ? [{ type: 'text', text }] : blocks, 'blocks'),
    metadata: serializeObject(metadata, 'metadata'),
    reward,
    finished,
  };
}

/**
 * Validates blocks and adds missing fields. An empty list stays empty.
 *
 * @param where name of the list in errors.
 * @throws OutputError naming the field that is invalid.
 */
export function serializeBlocks(blocks: unknown, where: string): SerializedBlock[] {
  if (!Array.isArray(blocks)) throw new OutputError(`${where} is ${show(blocks)}; it must be an array of blocks`);
  return blocks.map((block: unknown, index) => serializeBlock(block, `${where}[${index}]`));
}

function serializeBlock(block: unknown, where: string): SerializedBlock {
  if (!isRecord(block)) throw new OutputError(`${where} is ${show(block)}; make it with text(...) or image(...)`);
  const detail = serializeObject(block.detail ?? null, `${where}.detail`);
  if (block.type === 'text') return { text: asString(block.text, `${where}.text`), detail, type: 'text' };
  if (block.type !== 'image') throw new OutputError(`${where}.type must be text or image`);
  const data = asString(block.data, `${where}.data`);
  const mimeType = asString(block.mimeType, `${where}.mimeType`);
  if (!mimeType.startsWith('image/')) throw new OutputError(`${where}.mimeType must begin with image/`);
  if (!isBase64(data)) throw new OutputError(`${where}.data is not base64; make the block with image(bytes)`);
  return { data, mimeType, detail, type: 'image' };
}

function asString(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new OutputError(`${where} is ${show(value)}; it must be a string`);
}

function serializeObject(value: unknown, where: string): JSONObject | null {
  if (value === null) return null;
  if (!isRecord(value) || hasToJson(value)) {
    throw new OutputError(`${where} is ${show(value)}; it must be a plain object or null`);
  }
  const problem = jsonProblem(value, where);
  if (problem) throw new OutputError(`${problem}, which JSON cannot keep`);
  return value as JSONObject;
}

const isBase64 = (data: string) => data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

/** Describes a value without the text of a string, which may be a secret. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? 'a string' : String(value);
}
