import { allowedTypes, createResolver, isRecord, type JSONType, ownProperty, propertiesOf } from '../core/index.ts';
import type { TerminalTool, ToolSpec } from '../protocol/index.ts';
import type { Schema } from '../schema/index.ts';

/** The tools of an environment or episode as agents see them. */
export interface ToolListing {
  /** All tools except terminal ones. */
  readonly tools: readonly ToolSpec[];
  /** The tool that grades the final message, or null. */
  readonly terminalTool: TerminalTool | null;
}

interface ListedTool {
  readonly spec: ToolSpec;
  readonly terminal: TerminalTool | undefined;
}

/** Lists tools. Of several terminal tools, that of the toolset comes last and counts. */
export function listTools(tools: Iterable<ListedTool>): ToolListing {
  const all = [...tools];
  return {
    tools: all.filter(({ terminal }) => !terminal).map(({ spec }) => spec),
    terminalTool: all.findLast(({ terminal }) => terminal)?.terminal ?? null,
  };
}

/** Returns the names of the tools that agents see, for messages. */
export const toolNames = (tools: Iterable<ListedTool>): string =>
  listTools(tools)
    .tools.map(({ name }) => name)
    .join(', ') || 'none';

/**
 * Describes a terminal tool. Source: openreward 0.1.167, `terminal_tool`.
 *
 * @throws TypeError if the tool has more than one parameter.
 */
export function toTerminalTool(
  { name, description }: Pick<ToolSpec, 'name' | 'description'>,
  schema: Schema<unknown> | undefined,
  where: string,
): TerminalTool {
  const names = schema ? propertiesOf(schema.json, createResolver(schema.json)).map((property) => property.name) : [];
  if (names.length <= 1) return { name, arg: names[0] ?? null, description };
  throw new TypeError(
    `${where}: a terminal tool receives only the text of a message, but has ${names.length} parameters ` +
      `(${names.join(', ')}); keep at most one.`,
  );
}

/**
 * Adds a conversion to the schema of a terminal tool: a text is converted to the number or boolean that the parameter
 * requires, as by pydantic, since clients send only texts. Other texts are left to the validation.
 */
export function convertingSchema(schema: Schema<unknown>, arg: string): Schema<unknown> {
  const resolver = createResolver(schema.json);
  const property = propertiesOf(schema.json, resolver).find(({ name }) => name === arg);
  const types = allowedTypes(property?.schema, resolver);
  if (!types || types.has('string')) return schema;
  return {
    json: schema.json,
    validate(value) {
      const text = ownProperty(value, arg);
      const converted = typeof text === 'string' ? convertText(text, types) : undefined;
      return schema.validate(converted === undefined || !isRecord(value) ? value : { ...value, [arg]: converted });
    },
  };
}

function convertText(text: string, types: ReadonlySet<JSONType>): number | boolean | undefined {
  const number = types.has('number') ? parseFloatText(text) : types.has('integer') ? parseIntegerText(text) : undefined;
  return number ?? (types.has('boolean') ? BOOLEANS.get(text.toLowerCase()) : undefined);
}

/** Parses the integers that pydantic accepts, such as `42`, ` 42 `, `+1_000` and `42.0`, if they are exact. */
function parseIntegerText(text: string): number | undefined {
  const number = /^[+-]?\d+(_\d+)*(\.0+)?$/.test(text.trim()) ? Number(text.replaceAll('_', '')) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Parses the numbers that pydantic accepts, except infinity and NaN, which JSON does not have. */
function parseFloatText(text: string): number | undefined {
  const isNumber = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+)?$/i.test(text.trim());
  const number = isNumber ? Number(text.replaceAll('_', '')) : undefined;
  return Number.isFinite(number) ? number : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((text) => [text, true] as const),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((text) => [text, false] as const),
]);
