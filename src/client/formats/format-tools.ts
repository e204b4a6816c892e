import { schemasByName, stringsAt } from '../../core/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import { entryForFormat } from './by-format.ts';
import { addSentence } from './describe-keywords.ts';
import { toGoogleSchema } from './google-schema.ts';
import { type NameRule, originalName, toAllowedNames } from './names.ts';
import { type InputSchemaRules, type ToolInputSchema, toObjectSchema, withoutDanglingRefs } from './object-schema.ts';
import type { NamedToolCall, ObjectSchema, ToolFormat, ToolFormats } from './types.ts';

interface FormatRules extends InputSchemaRules {
  readonly toolName: NameRule;
  /** Of the properties at the top of the input; absent: any name. */
  readonly inputName?: NameRule;
  /** Characters of a tool's description; absent: no limit. */
  readonly longestDescription?: number;
}

const combinations = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const inputName: NameRule = { refused: /[^a-zA-Z0-9_.-]/g, allowsAnyStart: true, maxLength: 64 };
const openAI: FormatRules = {
  toolName: { refused: /[^a-zA-Z0-9_-]/g, allowsAnyStart: true, maxLength: 64 },
  longestDescription: 1024,
  rejectedAtTop: [...combinations, 'enum', 'const', 'not'],
  complete: true,
};

/** What each provider asks of a tool, by its reference and by the errors with which it refuses others. */
const RULES: { readonly [F in ToolFormat]: FormatRules } = {
  openai: openAI,
  'openai-responses': openAI,
  // It hands tools on to models of every provider, so a name has to suit all of them.
  openrouter: { ...openAI, toolName: { ...openAI.toolName, allowsAnyStart: false }, inputName },
  anthropic: { toolName: openAI.toolName, inputName, rejectedAtTop: combinations, complete: false },
  google: {
    toolName: { refused: /[^a-zA-Z0-9_.-]/g, allowsAnyStart: false, maxLength: 64 },
    inputName: { refused: /[^a-zA-Z0-9_]/g, allowsAnyStart: false, maxLength: 64 },
    rejectedAtTop: [...combinations, 'enum', 'const'],
    complete: false,
  },
  mcp: {
    toolName: { refused: /[^a-zA-Z0-9_.-]/g, allowsAnyStart: true, maxLength: 128 },
    rejectedAtTop: [],
    complete: false,
  },
};

/** The parts of a tool from which each format is put together. */
interface ToolFormatParts {
  readonly name: string;
  /** Nothing where a tool says nothing of itself. */
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
 * Converts tools to the format of a model provider. What a provider takes stays as it is. The rest:
 *
 * | format | changed, and how |
 * |---|---|
 * | all | no schema: an object without properties (google: no `parameters`); tuples as `items: [...]` and boolean `exclusiveMinimum` and `required`: their form of 2020-12; a `type` that it does not know, such as `any`: left out; references to nothing: anything, with a note; JSON below level 128: cut |
 * | openai, openai-responses, openrouter | `$ref`, `allOf`, `anyOf`, `oneOf`, `enum`, `const`, `not` at the top: merged into the properties, and told in the description; arrays without `items`: `items: {}`; a description over 1024 characters: whole in the description of the parameters |
 * | openai-responses | `strict: false`, as left out it would make optional inputs required |
 * | anthropic | `$ref`, `allOf`, `anyOf`, `oneOf` at the top: as for openai |
 * | google | `parameters` in the subset of OpenAPI that the Gemini API and Vertex AI share: `$ref` opened (inside itself for two rounds), `oneOf` as `anyOf`, null as `nullable`, `const` as `enum`, `allOf` merged, lists of types and missing types as `anyOf`; all other keywords, `default` too, as JSON in the description if it is short, else left out |
 * | mcp | nothing more |
 *
 * A tool's name that the provider refuses (`a.b`, over 64 characters) is replaced by one that it takes, and for
 * anthropic, openrouter and google so are names of inputs at the top; `restoreCall` leads back. The environment checks
 * inputs itself, so no format has to say everything.
 *
 * @param format `google` gives function declarations, to be sent as `tools: [{ functionDeclarations }]`. For a model
 *   that takes all of JSON Schema there: `{ name, description, parametersJsonSchema: input_schema }`.
 * @throws TypeError for a format that does not exist.
 */
export function formatTools<F extends ToolFormat>(tools: readonly ToolSpec[], format: F): ToolFormats[F][] {
  const rules = entryForFormat(RULES, format);
  const names = toAllowedNames(
    tools.map(({ name }) => name),
    rules.toolName,
  );
  return tools.map((tool) => {
    const { input, description } = shortened(renamedInput(tool, rules).input, tool.description, rules);
    const name = names.get(tool.name) ?? tool.name;
    return FORMATS[format]({ name, description: description ? { description } : {}, input });
  });
}

/**
 * The call that a model made, in the names of the environment: where `formatTools` replaced a name, this leads back.
 *
 * @param call the name and the input as the model wrote them, the input parsed from JSON.
 * @param tools the same tools in the same order as they were given to `formatTools`.
 * @returns the call to make; a name that is no tool's stays, and the environment will say so.
 */
export function restoreCall(call: NamedToolCall, tools: readonly ToolSpec[], format: ToolFormat): NamedToolCall {
  const rules = entryForFormat(RULES, format);
  const name = originalName(
    call.name,
    toAllowedNames(
      tools.map((tool) => tool.name),
      rules.toolName,
    ),
  );
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return { name, input: call.input };
  const { names } = renamedInput(tool, rules);
  const restored = Object.entries(call.input).map(([key, value]) => [originalName(key, names), value]);
  return { name, input: Object.fromEntries(restored) };
}

function renamedInput(
  tool: ToolSpec,
  rules: FormatRules,
): { input: ToolInputSchema; names: ReadonlyMap<string, string> } {
  const input = toObjectSchema(tool.input_schema, rules);
  const properties = schemasByName(input.schema, 'properties');
  const all = [...Object.keys(properties), ...stringsAt(input.schema, 'required')];
  const names = rules.inputName ? toAllowedNames(all, rules.inputName) : new Map<string, string>();
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

/** Moves a description that is too long to where there is room for it. */
function shortened(
  input: ToolInputSchema,
  description: string,
  { longestDescription: longest = Infinity }: FormatRules,
) {
  if (description.length <= longest) return { input, description };
  const start = description.slice(0, longest - 3).replace(/[\uD800-\uDBFF]$/, '');
  const { description: own } = input.schema;
  const whole = typeof own === 'string' ? addSentence(description, own) : description;
  return { input: { ...input, schema: { ...input.schema, description: whole } }, description: `${start}...` };
}

function openAITool({ name, description, input }: ToolFormatParts): ToolFormats['openai'] {
  const parameters = withoutDanglingRefs(input.schema);
  return { type: 'function', function: { name, ...description, parameters } };
}
