import type { Schema, Schemas } from './json.ts';

/** A stranger's schema, ready to make values of it. */
export interface Source {
  readonly root: Schema;
  /** What a reference leads to. */
  readonly follow: (reference: unknown) => Schema | undefined;
  /** Whether an input is valid. */
  readonly accepts: (input: unknown) => boolean;
  /** Whether an input is invalid for everybody, those who take no notice of `format` among them. */
  readonly refuses: (input: unknown) => boolean;
  /** Whether a value matches parts of the schema; those that do not stand in it are passed over. */
  readonly fits: (parts: Schemas, value: unknown) => boolean;
  /** Texts that ought to match a pattern. */
  readonly matching: (pattern: string) => readonly string[];
}
