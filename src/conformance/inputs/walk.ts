import type { CompiledSchema, Schemas } from './source.ts';

/**
 * Which of all values is made: the smallest, one with everything optional, or the smallest with the values that the
 * author gives as examples and defaults.
 */
export type GenerationMode = 'minimal' | 'full' | 'authored';

/** What the making of a value asks for the values inside of it. */
export interface ValueGenerator {
  readonly source: CompiledSchema;
  readonly style: GenerationMode;
  /** A value; undefined where none is found. */
  readonly make: (schemas: Schemas) => unknown;
  /** Different values, of which some may not match. */
  readonly vary: (schemas: Schemas) => Iterable<unknown>;
  /** Whether a value matches in the place where one is being made. */
  readonly fits: (value: unknown) => boolean;
}
