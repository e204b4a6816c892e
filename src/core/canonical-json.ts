import { stringifyJson } from './exact-number.ts';
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
