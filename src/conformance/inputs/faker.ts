import { isMissingPackage } from '../../core/index.ts';
import type { Schema } from './source.ts';

/** A random value, the same for the same seed. Undefined where the generator does not understand the schema. */
export type Faker = (schema: Schema, seed: number) => unknown;

/** The generator of json-schema-faker; undefined where the package is not installed. */
export async function loadFaker(load = () => import('json-schema-faker')): Promise<Faker | undefined> {
  try {
    const { generateSync } = await load();
    return (schema, seed) => {
      try {
        return generateSync(schema, { seed });
      } catch {
        return undefined;
      }
    };
  } catch (error) {
    if (isMissingPackage(error, 'json-schema-faker')) return undefined;
    throw error;
  }
}
