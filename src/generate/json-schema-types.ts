import { errorMessage } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './json.ts';
import { optionalPackage } from './optional-package.ts';

/** The types of a JSON Schema, one per definition, in readable unions. */
export async function jsonSchemaTypes(schema: JsonObject, name: string): Promise<string> {
  const { compile } = await optionalPackage('json-schema-to-typescript', () => import('json-schema-to-typescript'));
  try {
    const types = await compile(structuredClone(schema), name, {
      bannerComment: '',
      additionalProperties: false,
      unreachableDefinitions: true,
    });
    return types.trimStart();
  } catch (error) {
    throw new GenerateError(`the schema is not valid: ${errorMessage(error)}`, { cause: error });
  }
}

/** The names that a module of types exports. */
export const exportedTypes = (code: string): Set<string> =>
  new Set(Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), (match) => match[1] ?? ''));
