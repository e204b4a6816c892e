import { fieldsOf, parseDataUrl } from '../../../core/index.ts';
import type { ConversationContent, MessagePart } from './items.ts';

/** Reads what providers send, of whom only the form is known: what is not there is empty. */

export type JsonFields = Readonly<Record<string, unknown>>;

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const toStringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Those of the fields that are there. */
export const omitMissing = (value: JsonFields): Record<string, never> =>
  // Read from JSON, and written as JSON.
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== null)) as never;

/** A data URL as an image of ORS. */
export function imageOf(url: unknown): MessagePart | undefined {
  const data = parseDataUrl(toStringOrEmpty(url));
  return data?.mediaType ? { type: 'image', data: data.base64, mimeType: data.mediaType } : undefined;
}

/** The parts of a content, each made neutral by `toPart`; a single text as such. */
export function toItemContent(content: unknown, toPart: (part: JsonFields) => MessagePart): ConversationContent {
  if (typeof content === 'string') return content;
  const parts = toList(content).map((part) => toPart(fieldsOf(part)));
  const [first, ...others] = parts;
  return first?.type === 'text' && others.length === 0 ? toStringOrEmpty(first.text) : parts;
}

/** The parts of what a model said; of an empty text none. */
export function toParts(content: unknown, toPart: (part: JsonFields) => MessagePart): MessagePart[] {
  const neutral = toItemContent(content, toPart);
  if (typeof neutral !== 'string') return [...neutral];
  return neutral === '' ? [] : [{ type: 'text', text: neutral }];
}
