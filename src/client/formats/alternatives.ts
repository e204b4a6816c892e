import {
  asSchema,
  canonicalJson,
  flattenSchema,
  type JSONSchema,
  listAt,
  mergeSchemas,
  namedTypes,
  type SchemaBudget,
  type SchemaResolver,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../../core/index.ts';

/** Returns the alternatives that a schema has by `anyOf` or else by `oneOf`; undefined if it has neither. */
export function alternativesOf(
  schema: JSONSchema,
): { readonly keyword: 'anyOf' | 'oneOf'; readonly schemas: JSONSchema[] } | undefined {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const schemas = listAt(schema, keyword).map(asSchema);
    if (schemas.length > 0) return { keyword, schemas };
  }
  return undefined;
}

/**
 * Returns an object schema without `anyOf` and `oneOf` that allows what any of the alternatives allows, and more. A
 * property that they describe differently gets `anyOf` of their descriptions; required is what all of them require.
 */
export function unite(schema: JSONSchema, resolver: SchemaResolver, budget: SchemaBudget, depth = 0): JSONSchema {
  const alternatives = alternativesOf(schema);
  const base = withoutKeywords(schema, 'anyOf', 'oneOf');
  if (alternatives === undefined || depth > 8) return base;
  const shapes = alternatives.schemas
    .filter(() => budget.left > 0)
    .map((each) => unite(flattenSchema(each, resolver, budget).schema, resolver, budget, depth + 1))
    .filter(mayBeObject);
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return mergeSchemas(base, only);

  const properties = unitedProperties(schemasByName(base, 'properties'), shapes, budget);
  // What all of them say is known only if all were read.
  if (budget.left <= 0 || shapes.length === 0) return { ...base, properties };
  const required = shapes.map((shape) => stringsAt(shape, 'required'));
  const always = required[0]?.filter((name) => required.every((names) => names.includes(name))) ?? [];
  const closed = shapes.every((shape) => shape.additionalProperties === false);
  return {
    ...base,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(always.length > 0 ? { required: [...new Set([...stringsAt(base, 'required'), ...always])] } : {}),
    ...(closed && !Object.hasOwn(base, 'additionalProperties') ? { additionalProperties: false } : {}),
  };
}

function unitedProperties(own: JSONSchema, shapes: readonly JSONSchema[], budget: SchemaBudget): JSONSchema {
  const seen = new Map<string, Map<string, unknown>>();
  for (const shape of shapes) {
    for (const [name, value] of Object.entries(schemasByName(shape, 'properties'))) {
      budget.left -= 1;
      const versions = seen.get(name) ?? new Map<string, unknown>();
      seen.set(name, versions.set(canonicalJson(value), value));
    }
  }
  const added = [...seen]
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, versions]) => {
      const [first, ...others] = versions.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    });
  return { ...own, ...Object.fromEntries(added) };
}

const mayBeObject = (schema: JSONSchema): boolean => schema.type === undefined || namedTypes(schema).includes('object');
