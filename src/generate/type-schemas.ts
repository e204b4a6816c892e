import {
  allowedTypes,
  choicesOf,
  commonTypes,
  fieldsOf,
  isRecord,
  type JSONSchema,
  type JSONType,
  jsonTypeOf,
  listAt,
  modernizeTuple,
  ownProperty,
  schemasByName,
  stringsAt,
  withoutKeywords,
} from '../core/index.ts';
import { definitionName, type SchemaSet } from './schema-set.ts';

/** Schema that applies to the same value as the one within it. */
interface Enclosing {
  readonly schema: JSONSchema;
  /** JSON types that it and those around it allow; undefined for all. */
  readonly types: ReadonlySet<JSONType> | undefined;
  readonly outer: Enclosing | undefined;
}

const ANNOTATIONS = ['title', 'description', 'format', 'default', 'deprecated', 'examples'];
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY_KEYWORDS = ['items', 'prefixItems'];
/** Properties that TypeScript knows of every object. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith('__')));

const UNKNOWN: JSONSchema = { tsType: 'unknown' };
const NEVER: JSONSchema = { type: 'object', tsType: 'never' };

/**
 * Rewrites schemas so that all packages that write types understand them alike. Each schema of the result has one form: a
 * reference, literals, one JSON type, a tuple in the form of draft 7, `allOf`, `anyOf`, or `tsType` with the text of a type.
 *
 * A type is never narrower than its schema, with two exceptions that make types useful: objects that name their properties
 * have no others unless `additionalProperties` is declared, and keywords of objects or arrays imply that type if none is
 * declared. Limits such as `minLength`, `not` and `if` cannot be types; `oneOf` has the type of `anyOf`.
 */
export class TypeSchemas {
  readonly #set: SchemaSet;
  /** Schemas that are being rewritten, to which a required property can lead back. */
  readonly #open = new Set<unknown>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** Rewrites a schema of the set. */
  simplify(schema: unknown, outer?: Enclosing): JSONSchema {
    if (!isRecord(schema)) return schema === false ? NEVER : UNKNOWN;
    if (this.#open.has(schema)) return UNKNOWN;
    this.#open.add(schema);
    const form = this.#form(modernizeTuple(schema), outer);
    this.#open.delete(schema);
    const annotations = annotationsOf(schema);
    if (Object.keys(annotations).length === 0) return form;
    return { ...('$ref' in form ? { allOf: [form] } : form), ...annotations };
  }

  #form(schema: JSONSchema, outer: Enclosing | undefined): JSONSchema {
    const allowed = allowedTypes(schema, this.#set.resolver);
    if (allowed?.size === 0 || allowsAll(schema.not)) return NEVER;
    const own: Enclosing = { schema, types: commonTypes(allowed, outer?.types), outer };
    const literals = choicesOf(schema)?.filter((value) => own.types?.has(jsonTypeOf(value)) ?? true);
    const parts = [
      ...('$ref' in schema ? [{ $ref: schema.$ref }] : []),
      ...(literals ? [literalsOf(schema, literals)] : []),
      ...listAt(schema, 'allOf').map((part) => this.simplify(part, own)),
      ...['anyOf', 'oneOf'].flatMap((keyword) => {
        const branches = listAt(schema, keyword).map((branch) => this.simplify(branch, own));
        return branches.length === 0 ? [] : [anyOf(branches)];
      }),
    ];
    const types = literals ? undefined : namedOrImpliedTypes(schema, own);
    if (!types || isImplied(schema, types, allowedTypes({ allOf: parts }, this.#set.resolver))) return allOf(parts);
    const forms = [...types].map((type) => {
      if (type === 'array') return this.#array(schema);
      return type === 'object' ? this.#object(schema, own, parts.length > 0) : { type };
    });
    return allOf([anyOf(forms), ...parts]);
  }

  #array(schema: JSONSchema): JSONSchema {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    const prefix = listAt(schema, 'prefixItems').map((item) => this.simplify(item));
    if (prefix.length === 0 && items !== false) {
      const limits = Object.entries(schema).filter(([keyword]) => /^(min|max)Items$/.test(keyword));
      return { type: 'array', items: this.simplify(items), ...Object.fromEntries(limits) };
    }
    const isClosed = items === false || Number(maxItems) <= prefix.length;
    return {
      type: 'array',
      items: prefix.slice(0, Number(maxItems)),
      additionalItems: isClosed ? false : this.simplify(items),
      minItems: Math.min(Number(minItems), prefix.length),
    };
  }

  #object(schema: JSONSchema, own: Enclosing, isPart: boolean): JSONSchema {
    const { additionalProperties: additional } = schema;
    const required = stringsAt(schema, 'required');
    const properties = new Map(
      Object.entries(schemasByName(schema, 'properties')).map(([name, property]) => {
        // An object without such a property inherits one.
        const inherited = !required.includes(name) && INHERITED.has(name);
        const form = this.simplify(property);
        return [name, inherited ? anyOf([form, { type: 'object', tsType: `Object["${name}"]` }]) : form];
      }),
    );
    for (const name of required.filter((each) => !properties.has(each))) {
      const declared = this.#enclosingSchemas(name, own);
      // A pattern may match the name.
      const schemas = declared.length > 0 || 'patternProperties' in schema ? declared : [additional];
      properties.set(name, allOf(schemas.map((each) => withoutKeywords(this.simplify(each), 'title'))));
    }
    const object = { type: 'object', properties: Object.fromEntries(properties), required };
    if ((additional !== undefined && additional !== false) || 'patternProperties' in schema) {
      const patterns = Object.values(schemasByName(schema, 'patternProperties')).map((each) => this.simplify(each));
      const others = additional === false ? [] : [this.simplify(additional)];
      return { ...object, additionalProperties: anyOf([...patterns, ...others]) };
    }
    if (properties.size > 0) return { ...object, additionalProperties: false };
    return { type: 'object', ...(additional === false && !isPart && { additionalProperties: NEVER }) };
  }

  /** Returns the schemas that the schemas of the same value have for a property. */
  #enclosingSchemas(name: string, enclosing: Enclosing | undefined): unknown[] {
    if (!enclosing) return [];
    return [...this.#propertySchemas(enclosing.schema, name), ...this.#enclosingSchemas(name, enclosing.outer)];
  }

  #propertySchemas(schema: unknown, name: string, seen = new Set<unknown>()): unknown[] {
    if (!isRecord(schema) || seen.has(schema)) return [];
    seen.add(schema);
    const properties = schemasByName(schema, 'properties');
    const definition = definitionName(schema.$ref);
    const parts = [
      ...(definition === undefined ? [] : [ownProperty(this.#set.definitions, definition)]),
      ...listAt(schema, 'allOf'),
    ];
    return [
      ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
      ...parts.flatMap((part) => this.#propertySchemas(part, name, seen)),
    ];
  }
}

/** Returns the keywords of a schema that become comments or names. */
export const annotationsOf = (schema: unknown): JSONSchema =>
  Object.fromEntries(Object.entries(fieldsOf(schema)).filter(([keyword]) => ANNOTATIONS.includes(keyword)));

const allowsAll = (schema: unknown): boolean =>
  schema === true || (isRecord(schema) && Object.keys(schema).length === 0);

/** Returns the types that a schema names or implies, without `integer`; undefined if it does neither. */
function namedOrImpliedTypes(schema: JSONSchema, { types }: Enclosing): Set<JSONType> | undefined {
  const isObject = hasAny(schema, OBJECT_KEYWORDS);
  const isArray = hasAny(schema, ARRAY_KEYWORDS);
  if (!isObject && !isArray && !('type' in schema)) return undefined;
  if (types) return new Set([...types].map((type) => (type === 'integer' ? 'number' : type)));
  if (isObject && isArray) return new Set(['string', 'number', 'boolean', 'object', 'array', 'null']);
  return isObject || isArray ? new Set([isObject ? 'object' : 'array']) : undefined;
}

/** Returns true if the other parts of a schema, with their types, already have all that its own type says. */
function isImplied(schema: JSONSchema, types: ReadonlySet<JSONType>, ofParts: Enclosing['types']): boolean {
  const { additionalProperties } = schema;
  if (hasAny(schema, ['properties', 'required', 'patternProperties', ...ARRAY_KEYWORDS])) return false;
  if (isRecord(additionalProperties) || !ofParts) return false;
  return [...ofParts].every((type) => types.has(type === 'integer' ? 'number' : type));
}

/** Joins schemas that apply to the same value: one that allows everything adds nothing. */
function allOf(parts: readonly JSONSchema[]): JSONSchema {
  const needed = parts.filter((part) => part.tsType !== UNKNOWN.tsType);
  if (needed.some((part) => part.tsType === NEVER.tsType)) return NEVER;
  return needed.length > 1 ? { allOf: needed } : (needed[0] ?? UNKNOWN);
}

/** Joins alternatives: one that allows everything absorbs all others. */
export function anyOf(parts: readonly JSONSchema[]): JSONSchema {
  const possible = parts.filter((part) => part.tsType !== NEVER.tsType);
  if (possible.some((part) => part.tsType === UNKNOWN.tsType)) return UNKNOWN;
  return possible.length > 1 ? { anyOf: possible } : (possible[0] ?? NEVER);
}

/** Returns a schema of values. Its type becomes part of a comment; openapi-typescript needs that of arrays in `items`. */
function literalsOf({ type, const: only = null }: JSONSchema, values: readonly unknown[]): JSONSchema {
  if (values.length === 0) return NEVER;
  const literals = only === null ? { enum: values } : { const: only };
  if (typeof type === 'string' && type !== 'object') return { ...literals, type };
  return Array.isArray(values[0]) ? { ...literals, type: 'array' } : literals;
}

const hasAny = (schema: JSONSchema, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => keyword in schema);
