import { joinWords, truncate } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { allowedTypes, type JsonType, typeOf } from './schema-types.ts';

const SHOWN_CHARACTERS = 80;

/**
 * A value that a person wrote, by the types that its schema lets through: text where that is the only one, otherwise
 * JSON of one of them, otherwise text. Without a schema: JSON if it is JSON, otherwise text.
 *
 * @throws TypeError with what it must be, a sentence without subject.
 */
export function readValue(text: string, schema: unknown, root: JSONObject): JSONValue {
  const types = allowedTypes(schema, root);
  if (types?.size === 1 && types.has('string')) return text;
  const parsed = parsedJson(text);
  if (parsed !== undefined && (!types || fits(parsed.value, types))) return parsed.value;
  if (!types || types.has('string')) return text;
  if (types.has('integer') && isTooLong(text)) throw new TypeError('has more digits than a number can keep');
  throw new TypeError(`must be ${named(types)}; '${truncate(text, SHOWN_CHARACTERS)}' is not`);
}

const fits = (value: JSONValue, types: ReadonlySet<JsonType>): boolean => types.has(typeOf(value));

/** JSON that JavaScript keeps as it is; undefined for everything else. */
function parsedJson(text: string): { readonly value: JSONValue } | undefined {
  if (isTooLong(text)) return undefined;
  try {
    const value: JSONValue = JSON.parse(text);
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** Whether it is a whole number that would lose digits: one that is neither kept exactly nor written again as it was. */
function isTooLong(text: string): boolean {
  if (!/^\s*-?\d+\s*$/.test(text)) return false;
  const value = Number(text);
  return !Number.isFinite(value) || (BigInt(text) !== BigInt(value) && String(value) !== text.trim());
}

const NAMES: Readonly<Record<JsonType, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a JSON array',
  null: 'null',
};

function named(types: ReadonlySet<JsonType>): string {
  const shown = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  const names = shown.map((type) => NAMES[type] ?? type);
  return joinWords(names, { conjunction: 'or' }) || 'something that its schema forbids';
}
