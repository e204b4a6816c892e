/**
 * The part of Standard Schema and Standard JSON Schema (version 1) that we use: what a schema library puts
 * under the key `~standard`, so that one may use its schemas without knowing the library.
 */
interface StandardSchema {
  readonly '~standard': StandardProps;
}

export interface StandardProps {
  /** The library's name, such as `zod`. */
  readonly vendor: string;
  /** Checks a value and gives it as the library sees it: defaults filled in, transforms and refinements run. */
  readonly validate?: (value: unknown) => StandardResult | Promise<StandardResult>;
  /** The schema as JSON Schema; `input` describes values before any default or transform. Throws where there is none. */
  readonly jsonSchema?: { readonly input: (options: StandardJsonSchemaOptions) => object };
}

export interface StandardJsonSchemaOptions {
  readonly target: 'draft-2020-12';
  /** Options that only one library knows. */
  readonly libraryOptions?: { readonly [option: string]: unknown };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  /** From the outside to the inside; a step is a key, or an object that holds one. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the schema has under `~standard`; undefined for one that is JSON Schema itself, such as TypeBox's. */
export function getStandardProps(schema: object): StandardProps | undefined {
  return '~standard' in schema ? (schema as StandardSchema)['~standard'] : undefined; // a reserved key: whoever has it keeps the interface
}
