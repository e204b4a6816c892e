import {
  createResolver,
  isRecord,
  type JSONSchema,
  mapSchemas,
  pointerSegment,
  type SchemaResolver,
  schemasIn,
} from '../core/index.ts';

/** Whether a value is valid by the schema at a place of the document; `pointer` leads to that schema. */
export type ValidatesAtPointer = (pointer: string, value: unknown) => boolean;

export function hasDefaults(json: JSONSchema): boolean {
  for (const { schema } of schemasIn(json)) if ('default' in schema) return true;
  return false;
}

/** Returns a schema in which properties with a default may be absent, also if `required` names them. */
export const withDefaultedOptional = (json: JSONSchema): JSONSchema =>
  mapSchemas(json, (schema) => {
    const { required, properties } = schema;
    if (!Array.isArray(required)) return schema;
    const optional = new Set<unknown>(defaultsOf(properties).map(([name]) => name));
    return { ...schema, required: required.filter((name) => !optional.has(name)) };
  });

/**
 * Creates a function that fills in the defaults of absent properties in a valid value, at every depth. Within `anyOf`
 * and `oneOf` it goes by the first form that fits, unlike `useDefaults` of ajv, which skips plain forms and fills in
 * from forms that do not fit. What is filled in is new, the rest is shared with the value.
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
  for (const at of formsThatApply(filled, schema, pointer, context)) {
    filled = fill(filled, at.schema, at.pointer, context);
  }
  if (Array.isArray(filled)) return fillItems(filled, schema, pointer, context);
  return isRecord(filled) ? fillProperties(filled, schema, pointer, context) : filled;
}

interface SchemaLocation {
  readonly schema: unknown;
  readonly pointer: string;
}

/** The schemas that speak of the same value: all of `allOf`, one of each union, the branch of a condition. */
function formsThatApply(
  value: unknown,
  schema: JSONSchema,
  pointer: string,
  { fits }: Context,
): readonly SchemaLocation[] {
  const list = (keyword: string): readonly SchemaLocation[] => {
    const forms: unknown = schema[keyword];
    if (!Array.isArray(forms)) return [];
    return forms.map((form, i) => ({ schema: form, pointer: pointer + pointerSegment(keyword) + pointerSegment(i) }));
  };
  const fitting = (places: readonly SchemaLocation[]) =>
    places.filter((place) => fits(place.pointer, value)).slice(0, 1);

  const branch = 'if' in schema ? (fits(`${pointer}/if`, value) ? 'then' : 'else') : undefined;
  return [
    ...list('allOf'),
    ...fitting(list('anyOf')),
    ...fitting(list('oneOf')),
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
    const places = value === undefined ? [] : placesOfProperty(key, schema, at);
    return [key, places.reduce((inner, place) => fill(inner, place.schema, place.pointer, context), value)] as const;
  });
  const added = defaultsOf(schema.properties)
    .filter(([name]) => !Object.hasOwn(object, name) || object[name] === undefined)
    .map(([name, property]) => {
      const value: unknown = ownCopy(property.default);
      return [name, fill(value, property, `${at}/properties${pointerSegment(name)}`, context)] as const;
    });

  const isChanged = added.length > 0 || filled.some(([key, value]) => value !== object[key]);
  return isChanged ? Object.fromEntries([...filled, ...added]) : object;
}

/** The schemas of a property: by its name and by patterns, else that of additional properties. */
function placesOfProperty(key: string, schema: JSONSchema, at: string): readonly SchemaLocation[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const places: SchemaLocation[] = [];
  if (isRecord(properties) && Object.hasOwn(properties, key)) {
    places.push({ schema: properties[key], pointer: `${at}/properties${pointerSegment(key)}` });
  }
  for (const [pattern, inner] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
    const pointer = `${at}/patternProperties${pointerSegment(pattern)}`;
    if (new RegExp(pattern, 'u').test(key)) places.push({ schema: inner, pointer });
  }
  return places.length > 0 ? places : [{ schema: additionalProperties, pointer: `${at}/additionalProperties` }];
}

/** The properties that have a default, with their schemas. */
function defaultsOf(properties: unknown): readonly (readonly [string, JSONSchema])[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isRecord(property) && 'default' in property ? [[name, property] as const] : [],
  );
}

function ownCopy(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
