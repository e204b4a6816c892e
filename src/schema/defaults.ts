import {
  checkValue,
  createResolver,
  isRecord,
  type JSONSchema,
  type JSONValue,
  mapSchemas,
  pointerSegment,
  type SchemaResolver,
  schemasIn,
} from '../core/index.ts';
import type { ValueIssue } from './schema.ts';

/** Returns whether a value is valid by the schema at a pointer of the document. */
export type ValidatesAtPointer = (pointer: string, value: unknown) => boolean;

/** Returns true if a schema, or a schema within it, has a default. */
export const hasDefaults = (json: JSONSchema): boolean =>
  Array.from(schemasIn(json)).some(({ schema }) => 'default' in schema);

/** Default that its own schema refuses. */
interface InvalidDefault {
  /** Pointer of the schema that has the default. */
  readonly pointer: string;
  readonly issues: readonly ValueIssue[];
}

/** Returns the defaults that their own schemas refuse. */
export function invalidDefaults(json: JSONSchema, fits: ValidatesAtPointer): readonly InvalidDefault[] {
  const resolver = createResolver(json);
  return [...schemasIn(json)].flatMap(({ schema, pointer }) => {
    if (!Object.hasOwn(schema, 'default') || fits(pointer, schema.default)) return [];
    const issues = checkValue(schema, schema.default as JSONValue, { resolver });
    return [{ pointer, issues: issues.length > 0 ? issues : [{ path: '', message: 'is refused by its schema' }] }];
  });
}

/** Returns a copy of a schema in which properties with a default are optional, even if `required` lists them. */
export const withDefaultedOptional = (json: JSONSchema): JSONSchema =>
  mapSchemas(json, (schema) => {
    const { required, properties } = schema;
    if (!Array.isArray(required)) return schema;
    const optional = new Set<unknown>(defaultsOf(properties).map(([name]) => name));
    return { ...schema, required: required.filter((name) => !optional.has(name)) };
  });

/**
 * Creates a function that adds the defaults of absent properties to a valid value, at every depth. In `anyOf` and `oneOf`
 * it uses the first valid branch, unlike `useDefaults` of ajv, which skips plain branches and uses invalid ones. The
 * result shares unchanged parts with the value.
 */
export function defaultsFiller(document: JSONSchema, fits: ValidatesAtPointer): (value: unknown) => unknown {
  const context = { resolver: createResolver(document), fits };
  return (value) => fill(value, document, '', context);
}

type JsonRecord = { readonly [key: string]: unknown };

interface Context {
  readonly resolver: SchemaResolver;
  readonly fits: ValidatesAtPointer;
}

function fill(value: unknown, schema: unknown, pointer: string, context: Context): unknown {
  if (!isRecord(schema)) return value;

  let filled = value;
  const target = context.resolver.resolve(schema.$ref);
  if (target) filled = fill(filled, target.schema, target.pointer, context);
  for (const at of applicableSchemas(filled, schema, pointer, context)) {
    filled = fill(filled, at.schema, at.pointer, context);
  }
  if (Array.isArray(filled)) return fillItems(filled, schema, pointer, context);
  return isRecord(filled) ? fillProperties(filled, schema, pointer, context) : filled;
}

interface SchemaLocation {
  readonly schema: unknown;
  readonly pointer: string;
}

/** Returns the subschemas that apply to the value: all of `allOf`, one of each union, and one branch of a condition. */
function applicableSchemas(
  value: unknown,
  schema: JSONSchema,
  pointer: string,
  { fits }: Context,
): readonly SchemaLocation[] {
  const list = (keyword: string): readonly SchemaLocation[] => {
    const branches: unknown = schema[keyword];
    if (!Array.isArray(branches)) return [];
    return branches.map((each, i) => ({
      schema: each,
      pointer: pointer + pointerSegment(keyword) + pointerSegment(i),
    }));
  };
  const firstValid = (branches: readonly SchemaLocation[]) =>
    branches.filter((branch) => fits(branch.pointer, value)).slice(0, 1);

  const branch = 'if' in schema ? (fits(`${pointer}/if`, value) ? 'then' : 'else') : undefined;
  return [
    ...list('allOf'),
    ...firstValid(list('anyOf')),
    ...firstValid(list('oneOf')),
    ...(branch ? [{ schema: schema[branch], pointer: `${pointer}/${branch}` }] : []),
  ];
}

function fillItems(items: readonly unknown[], schema: JSONSchema, pointer: string, context: Context) {
  const { prefixItems, items: others } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  const filled = items.map((item, i) =>
    i < first.length
      ? fill(item, first[i], `${pointer}/prefixItems/${i}`, context)
      : fill(item, others, `${pointer}/items`, context),
  );
  return filled.some((item, i) => item !== items[i]) ? filled : items;
}

function fillProperties(object: JsonRecord, schema: JSONSchema, at: string, context: Context): JsonRecord {
  const filled = Object.entries(object).map(([key, value]) => {
    const schemas = value === undefined ? [] : schemasOfProperty(key, schema, at);
    return [key, schemas.reduce((inner, each) => fill(inner, each.schema, each.pointer, context), value)] as const;
  });
  const added = defaultsOf(schema.properties)
    .filter(([name]) => !Object.hasOwn(object, name) || object[name] === undefined)
    .map(([name, property]) => {
      const value: unknown = copyDefault(property.default);
      return [name, fill(value, property, `${at}/properties${pointerSegment(name)}`, context)] as const;
    });

  const isChanged = added.length > 0 || filled.some(([key, value]) => value !== object[key]);
  return isChanged ? Object.fromEntries([...filled, ...added]) : object;
}

/** Returns the schemas of a property by name and by pattern, else that of additional properties. */
function schemasOfProperty(key: string, schema: JSONSchema, at: string): readonly SchemaLocation[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const schemas: SchemaLocation[] = [];
  if (isRecord(properties) && Object.hasOwn(properties, key)) {
    schemas.push({ schema: properties[key], pointer: `${at}/properties${pointerSegment(key)}` });
  }
  for (const [pattern, inner] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
    const pointer = `${at}/patternProperties${pointerSegment(pattern)}`;
    if (new RegExp(pattern, 'u').test(key)) schemas.push({ schema: inner, pointer });
  }
  return schemas.length > 0 ? schemas : [{ schema: additionalProperties, pointer: `${at}/additionalProperties` }];
}

/** Returns the properties that have a default, with their schemas. */
function defaultsOf(properties: unknown): readonly (readonly [string, JSONSchema])[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isRecord(property) && 'default' in property ? [[name, property] as const] : [],
  );
}

function copyDefault(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
