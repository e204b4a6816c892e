import {
  choicesOf,
  claimName,
  type JSONSchema,
  loadOptionalPackage,
  mapSchemas,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../core/index.ts';
import { toPascalCase } from './generated-file.ts';
import { definitionName, referenceTo, type SchemaSet } from './schema-set.ts';
import { annotationsOf, TypeSchemas } from './type-schemas.ts';

/** Names that a module of types cannot declare or uses itself. */
const TAKEN = ['Object', 'Record'];
/** Marks properties that the package would look up in objects that inherit them. */
const MARK = '\uE000';
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Types of a JSON Schema. */
interface JsonSchemaTypes {
  readonly text: string;
  /** Names of the types by definition. */
  readonly names: ReadonlyMap<string, string>;
}

/** Generates one exported type per definition of a JSON Schema, by json-schema-to-typescript. */
export async function jsonSchemaTypes(set: SchemaSet): Promise<JsonSchemaTypes> {
  const { compile } = await loadOptionalPackage(
    'json-schema-to-typescript',
    'ors generate',
    () => import('json-schema-to-typescript'),
  );
  const keys = Object.keys(set.definitions);
  const taken = new Set([...keys.filter(isTypeName), ...TAKEN]);
  const names = new Map(
    keys.map((key) => [key, isTypeName(key) ? key : claimName(toTypeName(key), taken, { separator: '' })]),
  );
  const all = claimName('Definitions', taken, { separator: '' });
  const types = new TypeSchemas(set);
  const definitions = [...names].map(([definition, name]) => {
    const schema = types.simplify(set.definitions[definition]);
    const other = definitionName(schema.$ref);
    // The package would give both definitions the same name.
    if (other !== undefined) return [name, { tsType: names.get(other) }];
    return [name, mapSchemas(withoutKeywords(schema, 'title'), (part) => forPackage(part, names, taken))];
  });
  const list = [...names.values()].map((name) => [name, { $ref: referenceTo(name) }]);
  // The package writes only types that the root refers to.
  const root = {
    title: all,
    type: 'object' as const,
    properties: Object.fromEntries(list),
    additionalProperties: false,
  };
  const text = await compile({ ...root, definitions: Object.fromEntries(definitions) }, all, { bannerComment: '' });
  const own = text
    .replace(new RegExp(`export interface ${all} \\{[^}]*\\}\n`), '')
    .replaceAll(new RegExp(`"${MARK}(\\w+)"`, 'g'), '$1');
  return { text: own.trimStart(), names };
}

/** Returns true if the package leaves a name as it is. */
const isTypeName = (name: string): boolean =>
  /^[A-Z](?!.*(?:_[a-z]|[\d$][a-z]))[\w$]*$/.test(name) && !TAKEN.includes(name);

function toTypeName(definition: string): string {
  const ascii = definition
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z\d]/g, ' ');
  const words = toPascalCase(ascii.replace(/^[ \d]+/, ''));
  return words.replaceAll(/\d[a-z]/g, (match) => match.toUpperCase()) || 'NoName';
}

/** Removes what the package would not understand from one schema, and names what it refers to. */
function forPackage(schema: JSONSchema, names: ReadonlyMap<string, string>, taken: ReadonlySet<string>): JSONSchema {
  const definition = definitionName(schema.$ref);
  if (definition !== undefined) return { $ref: referenceTo(names.get(definition) ?? '') };
  const { title, format: _, default: __, examples: ___, ...rest } = schema;
  // A title becomes the name of a type, and must not take that of a definition.
  const named = typeof title === 'string' && !taken.has(title) ? { title } : {};
  const literals = choicesOf(schema)?.map((value) => JSON.stringify(value));
  if (literals) return { ...annotationsOf(rest), ...named, tsType: `(${literals.join(' | ')})` };
  if (schema.type !== 'object' || 'tsType' in schema) return { ...rest, ...named };
  const mark = (name: string) => (INHERITED.has(name) ? MARK + name : name);
  const properties = Object.entries(schemasByName(schema, 'properties')).map(([name, each]) => [mark(name), each]);
  const { additionalProperties = true } = schema;
  const required = stringsAt(schema, 'required').map(mark);
  return { ...rest, ...named, properties: Object.fromEntries(properties), required, additionalProperties };
}
