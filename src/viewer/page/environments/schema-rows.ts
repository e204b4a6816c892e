import {
  asSchema,
  describeLimits,
  type JSONSchema,
  previewJson,
  type SchemaResolver,
  schemasByName,
  stringsAt,
} from '../../../core/index.ts';
import { flat, type InputSchema, typeName } from '../playground/form/input-schema.ts';

/** A field of a tool's input, as people read it. */
export interface SchemaRow {
  /** With the names of what it stands in: `point.x`, `points[].x`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Default and limits, in words. */
  readonly notes: readonly string[];
}

const MAX_DEPTH = 3;

/** Returns the fields of a tool's input, nested ones after the field that they are in; empty if the schema names none. */
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
