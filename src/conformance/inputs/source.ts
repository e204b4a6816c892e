import type { JSONSchema } from '../../core/index.ts';

export type Schema = JSONSchema | boolean;
/** Schemas that all hold for the same value. */
export type Schemas = readonly Schema[];

/** A stranger's schema, ready to make values of it. */
export interface CompiledSchema {
  readonly root: Schema;
  /** Returns the schema that a reference within `from` leads to; undefined if there is none. */
  readonly follow: (reference: unknown, from: JSONSchema) => Schema | undefined;
  /** Whether an input is valid. */
  readonly accepts: (input: unknown) => boolean;
  /** Whether an input is invalid for everybody, those who take no notice of `format` among them. */
  readonly refuses: (input: unknown) => boolean;
  /** Whether a value matches parts of the schema; those that do not stand in it are passed over. */
  readonly fits: (parts: Schemas, value: unknown) => boolean;
  /** Texts that ought to match a pattern. */
  readonly matching: (pattern: string) => readonly string[];
}
