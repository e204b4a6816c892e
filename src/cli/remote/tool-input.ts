import {
  asSchema,
  choicesOf,
  createResolver,
  describeType,
  flattenSchema,
  type JSONSchema,
  localizeSchema,
  propertiesOf,
  type SchemaResolver,
} from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** For people. */
  readonly type: string;
  readonly description: string;
  /** undefined where there is none. */
  readonly default: JSONValue | undefined;
  /** The only values that it may have; undefined where that is not said. */
  readonly choices: readonly JSONValue[] | undefined;
  readonly schema: unknown;
}

/** The input of a tool. */
export interface ToolInput {
  /** In the order of the schema, those of alternatives included. */
  readonly parameters: readonly Parameter[];
  /** Schema of the keys that are no parameters; undefined where nothing is said of them. */
  readonly others: unknown;
  /** Follows references in these schemas. */
  readonly resolver: SchemaResolver;
}

/** Schemas that a parameter may be merged from. */
const MAX_MERGED = 1_000;

export function toolInput(inputSchema: JSONObject | null): ToolInput {
  const schema = localizeSchema(inputSchema ?? {});
  const resolver = createResolver(schema);
  const flat = (part: unknown): JSONSchema => flattenSchema(asSchema(part), resolver, { left: MAX_MERGED }).schema;
  const parameters = propertiesOf(schema, resolver).map((property): Parameter => {
    const merged = flat(property.schema);
    return {
      ...property,
      type: describeType(property.schema, resolver),
      description: typeof merged.description === 'string' ? merged.description : '',
      // A schema is JSON, and so is its default.
      default: merged.default as JSONValue | undefined,
      choices: choicesOf(merged),
    };
  });
  return { parameters, others: flat(schema).additionalProperties, resolver };
}

/** The parameters of a tool. */
export const parametersOf = (inputSchema: JSONObject | null): readonly Parameter[] => toolInput(inputSchema).parameters;
