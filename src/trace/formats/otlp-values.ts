import type { Timestamp } from '../../../generated/trace.ts';
import { isStreamed, type StreamedJson, streamedObject } from './streamed-json.ts';

/** Values by name; what is null or undefined is left out. */
export type OtlpAttributes = Readonly<Record<string, unknown>>;

/**
 * Attributes as OTLP writes them. Numbers with a fraction are doubles; objects and lists are their JSON. What is streamed
 * is a text.
 */
export const toOtlpAttributes = (attributes: OtlpAttributes): unknown[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return [isStreamed(value) ? streamedText(key, value) : { key, value: anyValue(key, value) }];
  });

const streamedText = (key: string, stringValue: StreamedJson): unknown =>
  streamedObject({ key, value: streamedObject({ stringValue }) });

/** Rewards are doubles also where they are whole, so that a backend sees one type. */
const isDouble = (key: string): boolean => /(^|[._])reward(_sum|_last|_max)?$/.test(key);

function anyValue(key: string, value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !isDouble(key) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { stringValue: (typeof value === 'string' ? value : wellFormedJson(value)).toWellFormed() };
}

/** How JSON writes half of a surrogate pair; also the text of such an escape, which does no harm here. */
const HALF = /\\ud[89a-f]/;

/** JSON whose escapes hold no half of a surrogate pair either. */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!HALF.test(json)) return json;
  return JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.toWellFormed() : part));
}

const NANOS_PER_MS = 1_000_000n;

/** Nanoseconds since 1970, as text: JavaScript's numbers are too short. */
export function toNanoseconds(timestamp: Timestamp): string {
  const [, seconds = timestamp, decimals = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return String(BigInt(Date.parse(`${seconds}Z`)) * NANOS_PER_MS + BigInt(decimals.slice(0, 9).padEnd(9, '0')));
}

export const earliest = (nanos: readonly string[]): string =>
  nanos.reduce((min, one) => (BigInt(one) < BigInt(min) ? one : min));

export const latest = (nanos: readonly string[]): string =>
  nanos.reduce((max, one) => (BigInt(one) > BigInt(max) ? one : max));
