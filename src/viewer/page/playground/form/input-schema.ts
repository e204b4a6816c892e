import {
  asSchema,
  createResolver,
  describeType,
  flattenSchema,
  type JSONSchema,
  localizeSchema,
  type SchemaResolver,
} from '../../../../core/index.ts';

/** Schema of a tool's input, with what follows its references. */
export interface InputSchema {
  readonly schema: JSONSchema;
  readonly resolver: SchemaResolver;
}

/** Reads the schema of a tool's input; that of a tool without parameters is null. Source: data types, "ToolSpec". */
export function inputSchema(given: unknown): InputSchema {
  const schema = localizeSchema(given === null ? { type: 'object' } : asSchema(given));
  return { schema, resolver: createResolver(schema) };
}

/** Schemas that one field may be merged from. */
const MAX_MERGED = 1_000;

/** Merges a schema with what it refers to and with its `allOf`. */
export const flat = (schema: unknown, resolver: SchemaResolver): JSONSchema =>
  flattenSchema(asSchema(schema), resolver, { left: MAX_MERGED }).schema;

/** Describes a type as people who write schemas do: `string[]`, `"north" | "east"`, `integer | null`. */
export const typeName = (schema: JSONSchema, resolver: SchemaResolver): string =>
  describeType(schema, resolver, { fields: false, limits: false });
