import { mapAllowedNames, type NameRule, PLAIN_NAME, schemasByName, stringsAt } from '../../core/index.ts';
import { ANY_CALL_ID, type Message, type ToolSpec, withUniqueCallIds } from '../../protocol/index.ts';
import { toGoogleSchema } from './google-schema.ts';
import {
  addSentence,
  type InputSchemaRules,
  type ToolInputSchema,
  toObjectSchema,
  withoutDanglingRefs,
} from './input-schema.ts';
import type { NamedToolCall, ObjectSchema, ToolFormat, ToolFormats } from './types.ts';

interface FormatRules extends InputSchemaRules {
  readonly toolName: NameRule;
  /** Rule for ids of calls, which are never empty. */
  readonly callId: NameRule;
  /** Rule for the top-level properties of an input. @default any name */
  readonly inputName?: NameRule;
  /** Maximum length of a tool's description in characters. @default unlimited */
  readonly maxDescription?: number;
}

/** Matches every name except the empty one. */
const ANY_START = /^./;
const combinations = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const inputName: NameRule = { rejected: /[^a-zA-Z0-9_.-]/g, start: ANY_START, maxLength: 64 };
const openAI: FormatRules = {
  toolName: PLAIN_NAME,
  callId: { ...ANY_CALL_ID, maxLength: 40 },
  maxDescription: 1024,
  rejectedAtTop: [...combinations, 'enum', 'const', 'not'],
  complete: true,
};

/** Requirements of each provider, from its reference and from the errors that it returns. */
const RULES: { readonly [F in ToolFormat]: FormatRules } = {
  openai: openAI,
  'openai-responses': { ...openAI, callId: { ...ANY_CALL_ID, maxLength: 64 } },
  // Forwards tools to models of every provider, so names must be valid for all of them.
  openrouter: {
    ...openAI,
    toolName: { ...openAI.toolName, start: /^[a-zA-Z_]/ },
    callId: { ...PLAIN_NAME, maxLength: 40 },
    inputName,
  },
  anthropic: { toolName: openAI.toolName, callId: PLAIN_NAME, inputName, rejectedAtTop: combinations, complete: false },
  google: {
    toolName: { rejected: /[^a-zA-Z0-9_.-]/g, start: /^[a-zA-Z_]/, maxLength: 64 },
    callId: ANY_CALL_ID,
    inputName: { rejected: /[^a-zA-Z0-9_]/g, start: /^[a-zA-Z_]/, maxLength: 64 },
    rejectedAtTop: [...combinations, 'enum', 'const'],
    complete: false,
  },
  mcp: {
    toolName: { rejected: /[^a-zA-Z0-9_.-]/g, start: ANY_START, maxLength: 128 },
    callId: ANY_CALL_ID,
    rejectedAtTop: [],
    complete: false,
  },
};

/** Converted parts of a tool, of which each format is composed. */
interface ToolFormatParts {
  readonly name: string;
  /** Empty for a tool without description. */
  readonly description: { readonly description?: string };
  readonly input: ToolInputSchema;
}

const FORMATS: { readonly [F in ToolFormat]: (parts: ToolFormatParts) => ToolFormats[F] } = {
  openai: openAITool,
  openrouter: openAITool,
  'openai-responses': (parts) => ({ type: 'function', ...openAITool(parts).function, strict: false }),
  anthropic: ({ name, description, input }) => ({
    name,
    ...description,
    input_schema: withoutDanglingRefs(input.schema),
  }),
  google: ({ name, description, input }) => {
    const parameters = toGoogleSchema(input);
    return { name, ...description, ...(parameters === undefined ? {} : { parameters }) };
  },
  mcp: ({ name, description, input }) => ({ name, ...description, inputSchema: withoutDanglingRefs(input.schema) }),
};

/**
 * Converts tools to the format of a model provider. Everything that a provider accepts stays unchanged. Changes:
 *
 * | format | changes |
 * |---|---|
 * | all | no schema: an object without properties (google: no `parameters`); tuples as `items: [...]` and boolean `exclusiveMinimum` and `required`: their 2020-12 form; an unknown `type` such as `any`: removed; dangling references: any value, with a note; JSON nested deeper than 128 levels: cut |
 * | openai, openai-responses, openrouter | `$ref`, `allOf`, `anyOf`, `oneOf`, `enum`, `const`, `not` at the top level: merged into the properties and described in the description; arrays without `items`: `items: {}`; a description of more than 1024 characters: complete in the description of the parameters |
 * | openai-responses | `strict: false`, because the default would make optional inputs required |
 * | anthropic | `$ref`, `allOf`, `anyOf`, `oneOf` at the top level: as for openai |
 * | google | `parameters` in the subset of OpenAPI that the Gemini API and Vertex AI share: `$ref` expanded (recursive ones twice), `oneOf` as `anyOf`, null as `nullable`, `const` as `enum`, `allOf` merged, lists of types and missing types as `anyOf`; all other keywords, including `default`, as JSON in the description if it is short, else removed |
 * | mcp | none |
 *
 * Names of tools that the provider rejects (`a.b`, more than 64 characters) are replaced by names that it accepts; for
 * anthropic, openrouter and google, so are names of top-level inputs. `restoreCall` is the inverse. The environment
 * validates inputs itself, so a format does not have to express every constraint.
 *
 * @param format `google` returns function declarations for `tools: [{ functionDeclarations }]`. Models that accept JSON
 *   Schema there can instead use `{ name, description, parametersJsonSchema: input_schema }`.
 * @throws TypeError for an unknown format.
 * @example
 * const tools = formatTools(await session.tools(), 'anthropic');
 */
export function formatTools<F extends ToolFormat>(tools: readonly ToolSpec[], format: F): ToolFormats[F][] {
  const rules = entryForFormat(RULES, format);
  const names = mapToolNames(tools, rules);
  return tools.map((tool) => {
    const { input, description } = limitDescription(renameInputs(tool, rules).input, tool.description, rules);
    const name = names.get(tool.name) ?? tool.name;
    return FORMATS[format]({ name, description: description ? { description } : {}, input });
  });
}

/**
 * Restores the names of the environment in a call that a model made: the inverse of the renaming by `formatTools`.
 *
 * @param call name and input as the model wrote them, the input parsed from JSON.
 * @param tools the same tools in the same order as for `formatTools`.
 * @returns the call for `session.call`; an unknown name stays unchanged, and the environment will reject it.
 * @throws TypeError for an unknown format.
 * @example
 * const { name, input } = restoreCall(toolCall, await session.tools(), 'anthropic');
 * const result = await session.call(name, input);
 */
export function restoreCall(call: NamedToolCall, tools: readonly ToolSpec[], format: ToolFormat): NamedToolCall {
  const rules = entryForFormat(RULES, format);
  const name = originalName(call.name, mapToolNames(tools, rules));
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return { name, input: call.input };
  const { names } = renameInputs(tool, rules);
  const restored = Object.entries(call.input).map(([key, value]) => [originalName(key, names), value]);
  return { name, input: Object.fromEntries(restored) };
}

/**
 * Maps names of tools to names that the provider accepts, as `formatTools` does.
 *
 * @throws TypeError for an unknown format.
 * @example
 * formatToolNames(['files.read'], 'openai').get('files.read'); // 'files_read'
 */
export const formatToolNames = (names: readonly string[], format: ToolFormat): ReadonlyMap<string, string> =>
  mapAllowedNames(names, entryForFormat(RULES, format).toolName);

/**
 * Returns a conversation in which every call has its own id, which the provider accepts, and each result the id of its
 * call; `formatMessages` does the same. Other ids stay unchanged.
 *
 * @throws TypeError for an unknown format.
 * @example
 * const messages = formatCallIds(await session.messages(), 'anthropic');
 */
export const formatCallIds = (messages: readonly Message[], format: ToolFormat): readonly Message[] =>
  withUniqueCallIds(messages, entryForFormat(RULES, format).callId);

function renameInputs(tool: ToolSpec, rules: FormatRules) {
  const input = toObjectSchema(tool.input_schema, rules);
  const properties = schemasByName(input.schema, 'properties');
  const all = [...Object.keys(properties), ...stringsAt(input.schema, 'required')];
  const names = rules.inputName ? mapAllowedNames(all, rules.inputName) : new Map<string, string>();
  if ([...names].every(([name, allowed]) => name === allowed)) return { input, names };
  const renamed = Object.entries(properties).map(([name, schema]) => [names.get(name), schema]);
  const required = stringsAt(input.schema, 'required').map((name) => names.get(name) ?? name);
  const schema: ObjectSchema = {
    ...input.schema,
    properties: Object.fromEntries(renamed),
    ...(input.schema.required === undefined ? {} : { required }),
  };
  return { input: { ...input, schema }, names };
}

/** Moves a description that is too long to the description of the parameters, which has no limit. */
function limitDescription(input: ToolInputSchema, description: string, { maxDescription = Infinity }: FormatRules) {
  if (description.length <= maxDescription) return { input, description };
  const start = description.slice(0, maxDescription - 3).replace(/[\uD800-\uDBFF]$/, '');
  const { description: own } = input.schema;
  const whole = typeof own === 'string' ? addSentence(description, own) : description;
  return { input: { ...input, schema: { ...input.schema, description: whole } }, description: `${start}...` };
}

function openAITool({ name, description, input }: ToolFormatParts): ToolFormats['openai'] {
  const parameters = withoutDanglingRefs(input.schema);
  return { type: 'function', function: { name, ...description, parameters } };
}

const mapToolNames = (tools: readonly ToolSpec[], { toolName }: FormatRules): ReadonlyMap<string, string> =>
  mapAllowedNames(
    tools.map(({ name }) => name),
    toolName,
  );

/** Inverse of `mapAllowedNames`; returns unknown names unchanged. */
function originalName(allowedName: string, names: ReadonlyMap<string, string>): string {
  for (const [name, allowed] of names) if (allowed === allowedName) return name;
  return allowedName;
}

/** Returns the entry of a table for a format. @throws TypeError for an unknown format. */
export function entryForFormat<Table extends object, F extends keyof Table & string>(
  table: Table,
  format: F,
): Table[F] {
  if (Object.hasOwn(table, format)) return table[format];
  const known = Object.keys(table).join(', ');
  throw new TypeError(`unknown format ${JSON.stringify(format)}; expected one of ${known}`);
}
