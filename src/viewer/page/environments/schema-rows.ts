import { noun } from '../../../core/index.ts';
import type { JSONValue } from '../../../protocol/index.ts';
import { asSchema, resolved, type Schema, typeName } from '../playground/form/schema.ts';

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

const DEEPEST = 3;

/** The fields of a tool's input, nested ones below what they stand in; none where the schema names none. */
export const schemaRows = (schema: Schema): readonly SchemaRow[] => rowsOf(schema, schema, '', 0);

function rowsOf(schema: Schema, root: Schema, prefix: string, depth: number): readonly SchemaRow[] {
  const plain = resolved(schema, root);
  if (depth >= DEEPEST) return [];
  const required = Array.isArray(plain.required) ? plain.required : [];
  return Object.entries(asSchema(plain.properties)).flatMap(([name, value]) => {
    const own = resolved(asSchema(value), root);
    const isList = own.properties === undefined && own.items !== undefined;
    const inner = isList ? asSchema(own.items) : own;
    const row: SchemaRow = {
      name: prefix + name,
      type: typeName(own, root),
      isRequired: required.includes(name),
      description: typeof own.description === 'string' ? own.description : '',
      notes: notesOf(own),
    };
    return [row, ...rowsOf(inner, root, `${prefix}${name}${isList ? '[].' : '.'}`, depth + 1)];
  });
}

const entries = (limit: JSONValue) => `${limit} ${noun(Number(limit), 'entry', 'entries')}`;

const NOTES: readonly (readonly [string, (limit: JSONValue) => string])[] = [
  ['default', (value) => `default ${JSON.stringify(value)}`],
  ['minimum', (limit) => `≥ ${limit}`],
  ['exclusiveMinimum', (limit) => `> ${limit}`],
  ['maximum', (limit) => `≤ ${limit}`],
  ['exclusiveMaximum', (limit) => `< ${limit}`],
  ['multipleOf', (limit) => `a multiple of ${limit}`],
  ['minLength', (limit) => `at least ${limit} characters`],
  ['maxLength', (limit) => `at most ${limit} characters`],
  ['pattern', (limit) => `matches ${limit}`],
  ['format', (limit) => `format ${limit}`],
  ['minItems', (limit) => `at least ${entries(limit)}`],
  ['maxItems', (limit) => `at most ${entries(limit)}`],
  ['uniqueItems', (limit) => (limit === true ? 'no entry twice' : '')],
];

const notesOf = (schema: Schema): readonly string[] =>
  NOTES.flatMap(([keyword, say]) => {
    const limit = schema[keyword];
    const note = limit === undefined ? '' : say(limit);
    return note === '' ? [] : [note];
  });
