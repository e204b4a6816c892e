import {
  asSchema,
  createResolver,
  describeLimits,
  describeType,
  flattenSchema,
  type JSONSchema,
  localizeSchema,
  previewJson,
  type SchemaResolver,
  schemasByName,
  stringsAt,
} from '../../../core/index.ts';

/** Schema of a tool's input, with a resolver for its references. */
export interface InputSchema {
  readonly schema: JSONSchema;
  readonly resolver: SchemaResolver;
}

/** Reads the schema of a tool's input; null for a tool without parameters. Source: data types, "ToolSpec". */
export function inputSchema(given: unknown): InputSchema {
  const schema = localizeSchema(given === null ? { type: 'object' } : asSchema(given));
  return { schema, resolver: createResolver(schema) };
}

/** Maximum number of schemas that are merged into one field. */
const MAX_MERGED = 1_000;

/** Merges a schema with the schemas of its `$ref` and `allOf`. */
export const flat = (schema: unknown, resolver: SchemaResolver): JSONSchema =>
  flattenSchema(asSchema(schema), resolver, { left: MAX_MERGED }).schema;

/** Formats a type for people who write schemas: `string[]`, `"north" | "east"`, `integer | null`. */
export const typeName = (schema: JSONSchema, resolver: SchemaResolver): string =>
  describeType(schema, resolver, { isShort: true });

/** Field of a tool's input in the list of fields. */
export interface SchemaRow {
  /** Full name of a nested field: `point.x`, `points[].x`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Default and limits. */
  readonly notes: readonly string[];
}

const MAX_DEPTH = 3;

/** Lists the fields of a tool's input, each followed by its nested fields; empty if the schema names none. */
export const schemaRows = ({ schema, resolver }: InputSchema): readonly SchemaRow[] => rowsOf(schema, resolver, '', 0);

function rowsOf(schema: JSONSchema, resolver: SchemaResolver, prefix: string, depth: number): readonly SchemaRow[] {
  if (depth >= MAX_DEPTH) return [];
  const object = flat(schema, resolver);
  const required = stringsAt(object, 'required');
  return Object.entries(schemasByName(object, 'properties')).flatMap(([name, value]) => {
    const own = flat(value, resolver);
    const isList = own.properties === undefined && own.items !== undefined;
    const inner = isList ? asSchema(own.items) : own;
    const row: SchemaRow = {
      name: prefix + name,
      type: typeName(own, resolver),
      isRequired: required.includes(name),
      description: typeof own.description === 'string' ? own.description : '',
      notes: [...(own.default === undefined ? [] : [`default ${previewJson(own.default)}`]), ...describeLimits(own)],
    };
    return [row, ...rowsOf(inner, resolver, `${prefix}${name}${isList ? '[].' : '.'}`, depth + 1)];
  });
}
