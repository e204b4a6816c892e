import { unicodeEscape } from './escape.ts';
import { stringifyJson } from './exact-number.ts';
import type { JSONValue } from './json.ts';
import { hasToJson, isRecord } from './json.ts';

/**
 * Serializes a JSON value with keys sorted by UTF-16 code unit and no white space, so that the order of keys makes no
 * difference. Omits undefined properties. Source: RFC 8785.
 *
 * @throws RangeError for a value that is nested too deeply for the stack, TypeError for a BigInt.
 */
export const canonicalJson = (value: unknown): string =>
  isSorted(value) ? (stringifyJson(value) ?? 'null') : sortedJson(value);

/** Returns true if no keys need sorting, as in most small values. */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  if (hasToJson(value)) return true;
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last || !isSorted((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isRecord(value) || hasToJson(value)) return stringifyJson(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== undefined) members.push(`${JSON.stringify(key)}:${sortedJson(value[key])}`);
  }
  return `{${members.join(',')}}`;
}

/** Depth to which `isEqual` calls itself. */
const MAX_DEPTH = 500;

/**
 * Compares two JSON values. The order of keys does not matter, undefined properties equal absent ones, and -0 equals 0.
 * Accepts values of any depth, and finds only own properties.
 */
export function equalJson(one: unknown, other: unknown): boolean {
  const deeper: unknown[] = [];
  if (!isEqual(one, other, MAX_DEPTH, deeper)) return false;
  while (deeper.length > 0) if (!isEqual(deeper.pop(), deeper.pop(), MAX_DEPTH, deeper)) return false;
  return true;
}

/** @param deeper receives the pairs of values that are nested more deeply than `depth`. */
function isEqual(a: unknown, b: unknown, depth: number, deeper: unknown[]): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth === 0) return deeper.push(a, b) > 0;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!isEqual(a[index], b[index], depth - 1, deeper)) return false;
    }
    return true;
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in one) {
    if (!Object.hasOwn(one, key)) continue;
    if (!isEqual(one[key], Object.hasOwn(other, key) ? other[key] : undefined, depth - 1, deeper)) return false;
  }
  for (const key in other) {
    if (Object.hasOwn(other, key) && other[key] !== undefined && !Object.hasOwn(one, key)) return false;
  }
  return true;
}

/**
 * Formats a JSON value like `json.dumps` of Python with its defaults: a space after `,` and `:`, everything outside of
 * printable ASCII escaped. Equal to Python's text except that JavaScript has no float that is an integer (`1.0`), and puts
 * keys that look like array indexes first.
 */
export function pythonJson(value: JSONValue): string {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return pythonNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${pythonString(key)}: ${pythonJson(item)}`)
    .join(', ')}}`;
}

const pythonString = (text: string): string => JSON.stringify(text).replace(/[\u007f-\uffff]/g, unicodeEscape);

/** Python writes small numbers with an exponent of at least two digits, from 1e-5 on. */
function pythonNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}
