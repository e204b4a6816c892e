import { text } from 'node:stream/consumers';
import {
  allowedTypes,
  asSchema,
  choicesOf,
  createResolver,
  describeType,
  flattenSchema,
  isJsonObject,
  type JSONSchema,
  type JSONType,
  JsonSyntaxError,
  joinWords,
  jsonTypeOf,
  localizeSchema,
  parseJson,
  pointerPath,
  propertiesOf,
  type SchemaProperty,
  type SchemaResolver,
  truncate,
  typePhrase,
} from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { CliError, readTextFile } from '../failure.ts';

/** A parameter of a tool. */
export interface Parameter extends SchemaProperty {
  /** Description of the type. */
  readonly type: string;
  readonly description: string;
  readonly default: JSONValue | undefined;
  /** Allowed values, if the schema lists them. */
  readonly choices: readonly JSONValue[] | undefined;
}

/** Maximum number of schemas that are merged for a parameter. */
const MAX_MERGED = 1_000;

/** Returns the parameters of a tool in the order of the schema, including those of alternatives. */
export function toolInput(inputSchema: JSONObject | null) {
  const schema = localizeSchema(inputSchema ?? {});
  const resolver = createResolver(schema);
  const flat = (part: unknown): JSONSchema => flattenSchema(asSchema(part), resolver, { left: MAX_MERGED }).schema;
  const parameters = propertiesOf(schema, resolver).map((property): Parameter => {
    const merged = flat(property.schema);
    return {
      ...property,
      type: describeType(property.schema, resolver),
      description: typeof merged.description === 'string' ? merged.description : '',
      // Part of a schema, so it is JSON.
      default: merged.default as JSONValue | undefined,
      choices: choicesOf(merged),
    };
  });
  const { additionalProperties, patternProperties } = flat(schema);
  // Schema of additional keys, if there is one; a key may be allowed by its pattern instead.
  const others = patternProperties !== undefined && additionalProperties === false ? undefined : additionalProperties;
  return { parameters, others, resolver };
}

const SHOWN_CHARACTERS = 80;

/**
 * Converts a typed text to the types that a schema accepts: text if that is the only type, otherwise JSON of one of the
 * types, otherwise text. Without a schema: JSON if it is valid JSON, otherwise text. JSON with a number that JavaScript
 * cannot represent exactly counts as text.
 *
 * @throws TypeError with a message without subject, such as `must be an integer`.
 */
export function parseValue(text: string, schema: unknown, resolver: SchemaResolver): JSONValue {
  const types = allowedTypes(schema, resolver);
  if (types?.size === 1 && types.has('string')) return text;
  const json = readJson(text);
  const isOfType = json !== undefined && (!types || types.has(jsonTypeOf(json.value)));
  if (isOfType && !json.inexact) return json.value;
  if (!types || types.has('string')) return text;
  if (isOfType) throw new TypeError('has more digits than a number can hold');
  throw new TypeError(`must be ${named(types)}; '${truncate(text, SHOWN_CHARACTERS)}' is not`);
}

/** Parses JSON; `inexact` is a number in it that JavaScript cannot represent exactly. Undefined for other texts. */
function readJson(text: string) {
  try {
    const { value, problems } = parseJson(text);
    return { value: value as JSONValue, inexact: problems.find(({ kind }) => kind === 'number') };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function named(types: ReadonlySet<JSONType>): string {
  const shown = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  return joinWords(shown.map(typePhrase), { conjunction: 'or' }) || 'left out: its schema accepts no value';
}

/**
 * Reads the JSON object of a flag: the text itself, `@file`, or `-` for standard input.
 *
 * @throws CliError that names the flag.
 */
export async function readJsonObject(argument: string, option: string): Promise<JSONObject> {
  const { source, written } = await readSource(argument, option);
  const value = parseJsonArgument(written, `${option}${source}`);
  if (isJsonObject(value)) return value;
  throw new CliError(`${option}${source} must be a JSON object, got '${truncate(written.trim(), SHOWN_CHARACTERS)}'`);
}

async function readSource(argument: string, option: string): Promise<{ source: string; written: string }> {
  if (argument === '-') return { source: ' (standard input)', written: await text(process.stdin) };
  if (!argument.startsWith('@')) return { source: '', written: argument };
  const file = argument.slice(1);
  return { source: ` (${file})`, written: await readTextFile(file, option) };
}

/** Parses JSON. @throws CliError if it is invalid, or contains a number that JavaScript cannot represent exactly. */
export function parseJsonArgument(written: string, where: string): JSONValue {
  const json = readJson(written);
  if (!json) {
    const shown = truncate(written.trim(), SHOWN_CHARACTERS);
    const advice = `write it as in '{"answer": "42"}', with double quotes inside`;
    throw new CliError(`${where} is not valid JSON: '${shown}'; ${advice}`);
  }
  const { value, inexact } = json;
  if (!inexact) return value;
  throw new CliError(`${where}: ${pointerPath('', inexact.pointer) || 'the value'} ${inexact.message}`);
}
