import type { JSONSchema } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';

declare const described: unique symbol;

/** A JSON Schema that carries, for the compiler alone, the type of the values that it describes. */
export interface TypedJsonSchema<T> {
  readonly [keyword: string]: unknown;
  readonly [described]: T;
}

/**
 * Gives plain JSON Schema, or a schema of TypeBox 1.x, the type of the values that it describes.
 * The schema is handed back as it is; whether `T` is right is the author's word.
 */
export function jsonSchema<T>(schema: object): TypedJsonSchema<T> {
  return schema as TypedJsonSchema<T>; // the brand is for the compiler and does not exist at run time
}

/** The type of a valid value of the schema, defaults and transforms included; a JSON object where the schema does not tell. */
export type InferOutput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : S extends { readonly [described]: infer Described }
    ? Described
    : S extends { readonly static: infer Static }
      ? Static
      : JSONObject;

/** Something wrong in a value. */
export interface SchemaIssue {
  /** JSON pointer to the place; empty for the value itself. */
  readonly path: string;
  /** What is wrong there; a sentence without its subject, such as `must be a number`. */
  readonly message: string;
}

export type SchemaValidation<T> = { ok: true; value: T } | { ok: false; issues: readonly SchemaIssue[] };

/** A schema of any library, in the one form that the rest of the project knows. */
export interface Schema<T> {
  /** What is advertised: the form of a value before defaults and transforms, without `$schema`, `$id` and outside references. */
  readonly json: JSONSchema;
  /**
   * Checks a value against `json`, then against what the library adds to it, and gives it with its defaults.
   * The value given is left as it is. A promise only where the library's own check is asynchronous. What the author's
   * own transform or refinement throws goes through; nothing else throws.
   */
  validate(value: unknown): SchemaValidation<T> | Promise<SchemaValidation<T>>;
}
