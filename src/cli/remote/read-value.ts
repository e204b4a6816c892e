import {
  allowedTypes,
  type JSONType,
  JsonSyntaxError,
  joinWords,
  jsonTypeOf,
  parseJson,
  type SchemaResolver,
  truncate,
  typePhrase,
} from '../../core/index.ts';
import type { JSONValue } from '../../protocol/index.ts';

const SHOWN_CHARACTERS = 80;

/**
 * Reads a value that a person wrote, by the types that its schema accepts: text if that is the only one, else JSON of
 * one of them, else text. Without a schema: JSON if it is JSON, else text. JSON with a number that JavaScript would
 * change counts as text.
 *
 * @throws TypeError with what it must be, a sentence without subject.
 */
export function parseValue(text: string, schema: unknown, resolver: SchemaResolver): JSONValue {
  const types = allowedTypes(schema, resolver);
  if (types?.size === 1 && types.has('string')) return text;
  const json = readJson(text);
  const isOfType = json !== undefined && (!types || types.has(jsonTypeOf(json.value)));
  if (isOfType && json.isExact) return json.value;
  if (!types || types.has('string')) return text;
  if (isOfType) throw new TypeError('has more digits than a number can keep');
  throw new TypeError(`must be ${named(types)}; '${truncate(text, SHOWN_CHARACTERS)}' is not`);
}

function readJson(text: string): { readonly value: JSONValue; readonly isExact: boolean } | undefined {
  try {
    const { value, problems } = parseJson(text);
    return { value: value as JSONValue, isExact: problems.every(({ kind }) => kind !== 'number') };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function named(types: ReadonlySet<JSONType>): string {
  const shown = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  return joinWords(shown.map(typePhrase), { conjunction: 'or' }) || 'left out: its schema accepts no value';
}
