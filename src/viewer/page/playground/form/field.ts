import {
  asSchema,
  choicesOf,
  isRecord,
  type JSONSchema,
  mergeSchemas,
  namedTypes,
  type SchemaResolver,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../../../../core/index.ts';
import type { JSONValue } from '../../../../protocol/index.ts';
import { flat, typeName } from '../../environments/input-schema.ts';

interface FieldBase {
  /** Schema without references. */
  readonly schema: JSONSchema;
  readonly description: string | undefined;
}

/** Field of a form; values that no other kind can express are entered as JSON. */
export type FormField = FieldBase &
  (
    | { readonly kind: 'text'; readonly isLong: boolean }
    | { readonly kind: 'number'; readonly isWhole: boolean }
    | { readonly kind: 'choice'; readonly options: readonly JSONValue[] }
    | { readonly kind: 'object'; readonly properties: readonly FieldProperty[] }
    | { readonly kind: 'list'; readonly item: JSONSchema }
    | { readonly kind: 'union'; readonly branches: readonly FieldBranch[] }
    | { readonly kind: 'json' }
  );

export interface FieldProperty {
  readonly name: string;
  readonly schema: JSONSchema;
  readonly isRequired: boolean;
}

interface FieldBranch {
  readonly label: string;
  readonly schema: JSONSchema;
}

export type FormFieldOf<Kind extends FormField['kind']> = Extract<FormField, { readonly kind: Kind }>;

/** Maximum depth of a form; deeper values are entered as JSON, because a schema may contain itself. */
const MAX_DEPTH = 5;
const LONG = /code|script|text|content|message|body|patch|diff|html|essay|sql|source|program|markdown/i;
const SHORT_LENGTH = 200;

/**
 * Returns the field for a schema.
 *
 * @param depth depth of the value within the input.
 * @param name name of the property; texts that are often long get a large input.
 */
export function toFormField(given: JSONSchema, resolver: SchemaResolver, depth = 0, name = ''): FormField {
  const schema = flat(given, resolver);
  const description = typeof schema.description === 'string' ? schema.description : undefined;
  return { schema, description, ...kindOf(schema, resolver, depth, name) } as FormField;
}

type Kind<F = FormField> = F extends FormField ? Omit<F, keyof FieldBase> : never;

function kindOf(schema: JSONSchema, resolver: SchemaResolver, depth: number, name: string): Kind {
  // A schema that could not be merged is only validated.
  if (schema.allOf !== undefined) return { kind: 'json' };
  const options = optionsOf(schema);
  if (options) return { kind: 'choice', options };
  const branches = branchesOf(schema, resolver);
  if (branches) return depth > MAX_DEPTH ? { kind: 'json' } : { kind: 'union', branches };
  const [type = schema.properties ? 'object' : undefined] = namedTypes(schema);
  switch (type) {
    case 'string':
      return { kind: 'text', isLong: isLong(schema, name) };
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: type === 'integer' };
    case 'object':
      return depth > MAX_DEPTH ? { kind: 'json' } : objectOf(schema, depth);
    case 'array':
      return depth > MAX_DEPTH ? { kind: 'json' } : listOf(schema);
    default:
      return { kind: 'json' };
  }
}

function optionsOf(schema: JSONSchema): readonly JSONValue[] | undefined {
  const types = namedTypes(schema);
  const [only] = types.length === 1 ? types : [];
  return choicesOf(schema) ?? (only === 'boolean' ? [true, false] : only === 'null' ? [null] : undefined);
}

function branchesOf(schema: JSONSchema, resolver: SchemaResolver): readonly FieldBranch[] | undefined {
  const { anyOf, oneOf, ...rest } = schema;
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && alternatives.length > 0) {
    if (anyOf && oneOf) return undefined;
    // Properties next to the alternatives belong to each of them.
    const schemas = alternatives.map((each) => within(rest, asSchema(each), resolver));
    return labelled(schemas, resolver);
  }
  const schemas = namedTypes(schema).map((type) => ({ ...rest, type }));
  return schemas.length > 1 ? labelled(schemas, resolver) : undefined;
}

function within(outer: JSONSchema, branch: JSONSchema, resolver: SchemaResolver): JSONSchema {
  return mergeSchemas(withoutKeywords(outer, 'title', 'description', 'default'), flat(branch, resolver));
}

function labelled(schemas: readonly JSONSchema[], resolver: SchemaResolver): readonly FieldBranch[] {
  const labels = schemas.map((schema) => labelOf(schema, resolver));
  return schemas.map((schema, index) => {
    const label = labels[index] ?? '';
    const isTaken = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { schema, label: isTaken ? `${label} (${index + 1})` : label };
  });
}

/** Returns the label of a branch: its title, a constant property, or its type. */
function labelOf(schema: JSONSchema, resolver: SchemaResolver): string {
  if (typeof schema.title === 'string') return schema.title;
  const properties = Object.entries(schemasByName(schema, 'properties'));
  const fixed = properties.find(([, each]) => isRecord(each) && each.const !== undefined);
  if (fixed) return `${fixed[0]}: ${JSON.stringify(asSchema(fixed[1]).const)}`;
  if (properties.length > 0) return properties.map(([name]) => name).join(', ');
  return typeName(schema, resolver);
}

function isLong({ maxLength, pattern, format }: JSONSchema, name: string): boolean {
  if (pattern !== undefined || format !== undefined) return false;
  return typeof maxLength === 'number' ? maxLength > SHORT_LENGTH : LONG.test(name);
}

/** A map with arbitrary keys has no form, except at the top, where it may be empty. */
function objectOf(schema: JSONSchema, depth: number): Kind {
  const names = stringsAt(schema, 'required');
  const properties = Object.entries(schemasByName(schema, 'properties'));
  const unknown = names.filter((name) => !properties.some(([each]) => each === name));
  if (properties.length === 0 && (unknown.length > 0 || depth > 0)) return { kind: 'json' };
  const all = [...properties, ...unknown.map((name) => [name, {}] as const)];
  return {
    kind: 'object',
    properties: all.map(([name, each]) => ({ name, schema: asSchema(each), isRequired: names.includes(name) })),
  };
}

const listOf = (schema: JSONSchema): Kind =>
  isRecord(schema.items) && schema.prefixItems === undefined
    ? { kind: 'list', item: asSchema(schema.items) }
    : { kind: 'json' };
