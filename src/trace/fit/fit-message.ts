import type { ContentPart, JSONObject, JSONValue, MessagePayload } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { fieldBytes } from '../model/index.ts';
import { type AddBlob, offloadImage, offloadText } from './blob-refs.ts';

/** Images of more bytes are stored beside their message. Source: trace data model, images in prompts. */
const IMAGE_BYTES = 8 * 1024;
const BASE64_RATIO = 4 / 3;

type MessageContent = MessagePayload['content'];

/**
 * A message's content within its limit: images as references, a long text as one, and if that is not enough the longest
 * parts, or all of them as one.
 */
export async function offloadContent(content: MessageContent, limit: number, add: AddBlob): Promise<MessageContent> {
  if (typeof content === 'string') return fieldBytes(content) <= limit ? content : [await offloadText(content, add)];
  if (!Array.isArray(content)) return content;
  // The message has been JSON just now.
  const parts = content as readonly JSONValue[];
  const withRefs = await Promise.all(parts.map((part) => smaller(part, add)));
  const fitted = fieldBytes(withRefs) <= limit ? withRefs : await shorten(withRefs, limit, add);
  if (fieldBytes(fitted) > limit) return [await offloadText([...parts], add)];
  return fitted as unknown as [ContentPart, ...ContentPart[]];
}

async function smaller(part: JSONValue, add: AddBlob): Promise<JSONValue> {
  if (!isRecord(part) || typeof part.data !== 'string' || part.data.length <= IMAGE_BYTES * BASE64_RATIO) return part;
  return (await offloadImage(part as JSONObject, add)) ?? part;
}

/** References in place of parts, the longest first, until the rest has room. */
async function shorten(parts: readonly JSONValue[], limit: number, add: AddBlob): Promise<JSONValue[]> {
  const shortened = [...parts];
  const sizes = parts.map(fieldBytes);
  const longestFirst = [...parts.keys()].sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  let total = fieldBytes(parts);
  for (const index of longestFirst) {
    const part = parts[index];
    if (total <= limit || !isRecord(part)) break;
    const reference = await offloadText(part as JSONObject, add);
    const saved = (sizes[index] ?? 0) - fieldBytes(reference);
    if (saved <= 0) break;
    shortened[index] = reference;
    total -= saved;
  }
  return shortened;
}
