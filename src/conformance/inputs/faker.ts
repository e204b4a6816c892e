import type { Schema } from './json.ts';

/** Random values of a schema; the same seed gives the same value. */
export type Faker = (schema: Schema, seed: number) => unknown;

/** The generator of json-schema-faker; undefined where the package is not installed. */
export async function loadFaker(load = () => import('json-schema-faker')): Promise<Faker | undefined> {
  try {
    const { generateSync } = await load();
    return (schema, seed) => generateSync(schema, { seed });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // as import rejects
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'json-schema-faker'")) return undefined;
    throw error;
  }
}
