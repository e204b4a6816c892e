import { type Awaitable, createResolver, fieldsOf, isRecord, type JSONSchema, schemasIn } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';

declare const described: unique symbol;

/**
 * JSON Schema with the type of the values that it describes; the type exists only for the compiler.
 *
 * @example
 * const input: TypedJsonSchema<{ answer: string }> = jsonSchema({ type: 'object', required: ['answer'] });
 */
export interface TypedJsonSchema<T> {
  readonly [keyword: string]: unknown;
  readonly [described]: T;
}

/**
 * Declares the type of the values that a plain JSON Schema, or a schema of TypeBox 1.x, describes. Returns its argument;
 * nothing checks that `T` matches the schema.
 *
 * @example
 * const input = jsonSchema<{ answer: string }>({
 *   type: 'object',
 *   properties: { answer: { type: 'string' } },
 *   required: ['answer'],
 * });
 */
export function jsonSchema<T>(schema: object): TypedJsonSchema<T> {
  return schema as TypedJsonSchema<T>; // the brand does not exist at run time
}

/** Type of a valid value, with defaults and transforms applied; a JSON object if the schema has no type information. */
export type InferOutput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : S extends { readonly [described]: infer Described }
    ? Described
    : S extends { readonly static: infer Static }
      ? Static
      : JSONObject;

/** Reason why a value is invalid. */
export interface ValueIssue {
  /** JSON pointer to the invalid part; empty for the value itself. */
  readonly path: string;
  /** Sentence without its subject, such as `must be a number`. */
  readonly message: string;
}

/** Result of a validation. */
export type SchemaValidation<T> = { ok: true; value: T } | { ok: false; issues: readonly ValueIssue[] };

/** Returns the issues of a validation; empty for a valid value. */
export const issuesOf = (validation: SchemaValidation<unknown>): readonly ValueIssue[] =>
  validation.ok ? [] : validation.issues;

/** Schema of any library in a common form. */
export interface Schema<T> {
  /** JSON Schema of values before defaults and transforms, without `$schema`, `$id` and external references. */
  readonly json: JSONSchema;
  /**
   * Validates a value by the library, or by `json` if there is none, and returns a copy with defaults. The issues are
   * those by `json`, if it refuses the value too. Returns a promise only if the library validates asynchronously. Throws
   * only errors of the author's transforms and refinements.
   */
  validate(value: unknown): Awaitable<SchemaValidation<T>>;
}

/** Returns true if the schema accepts only objects, by `type` or by its `$ref`, `allOf`, `anyOf` and `oneOf`. */
export function isObjectSchema(json: JSONSchema): boolean {
  const resolver = createResolver(json);
  const seen = new Set<unknown>();

  const only = (schema: unknown): boolean => {
    if (!isRecord(schema) || seen.has(schema)) return false; // a circular reference restricts nothing
    const { type, $ref, allOf, anyOf, oneOf } = schema;
    if (type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object')) return true;

    seen.add(schema);
    const isOnly =
      ($ref !== undefined && only(resolver.resolve($ref)?.schema)) ||
      (Array.isArray(allOf) && allOf.some(only)) ||
      [anyOf, oneOf].some((union) => Array.isArray(union) && union.length > 0 && union.every(only));
    seen.delete(schema);
    return isOnly;
  };
  return only(json);
}

/**
 * Returns the pointer of a schema that declares a property `__proto__`; undefined if none does. No request may have this
 * key: see docs/decisions/0005.
 */
export const findProtoProperty = (json: JSONSchema): string | undefined =>
  [...schemasIn(json)].find(
    ({ schema: { properties, required } }) =>
      Object.hasOwn(fieldsOf(properties), '__proto__') || (Array.isArray(required) && required.includes('__proto__')),
  )?.pointer;
