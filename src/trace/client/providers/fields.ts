import { fieldsOf, parseDataUrl } from '../../../core/index.ts';
import type { ItemContent, Part } from './items.ts';

/** Reads what providers send, of whom only the form is known: what is not there is empty. */

export type Fields = Readonly<Record<string, unknown>>;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Those of the fields that are there. */
export const present = (value: Fields): Record<string, never> =>
  // Read from JSON, and written as JSON.
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== null)) as never;

/** A data URL as an image of ORS. */
export function imageOf(url: unknown): Part | undefined {
  const data = parseDataUrl(text(url));
  return data?.mediaType ? { type: 'image', data: data.base64, mimeType: data.mediaType } : undefined;
}

/** The parts of a content, each made neutral by `toPart`; a single text as such. */
export function contentOf(content: unknown, toPart: (part: Fields) => Part): ItemContent {
  if (typeof content === 'string') return content;
  const parts = list(content).map((part) => toPart(fieldsOf(part)));
  const [first, ...others] = parts;
  return first?.type === 'text' && others.length === 0 ? text(first.text) : parts;
}

/** The parts of what a model said; of an empty text none. */
export function partsOf(content: unknown, toPart: (part: Fields) => Part): Part[] {
  const neutral = contentOf(content, toPart);
  if (typeof neutral !== 'string') return [...neutral];
  return neutral === '' ? [] : [{ type: 'text', text: neutral }];
}
