import { errorMessage, type JSONSchema, mapSchemas, withoutKeywords } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './load-spec.ts';
import { loadOptionalPackage } from './optional-package.ts';

/** The types of a JSON Schema, one per definition, in readable unions. */
export async function jsonSchemaTypes(schema: JsonObject, name: string): Promise<string> {
  const { compile } = await loadOptionalPackage('json-schema-to-typescript', () => import('json-schema-to-typescript'));
  try {
    const types = await compile(withoutRefsInData(schema), name, {
      bannerComment: '',
      additionalProperties: false,
      unreachableDefinitions: true,
    });
    return types.trimStart();
  } catch (error) {
    throw new GenerateError(`the schema is not valid: ${errorMessage(error)}`, { cause: error });
  }
}

/** Returns a copy without examples and defaults that contain `$ref`, which the package would follow. */
const withoutRefsInData = (document: JSONSchema): JSONSchema =>
  mapSchemas(structuredClone(document), (schema) => {
    const data = ['examples', 'default'].filter((keyword) => JSON.stringify(schema[keyword])?.includes('"$ref"'));
    return data.length > 0 ? withoutKeywords(schema, ...data) : schema;
  });

/** The names that a module of types exports. */
export const exportedTypes = (code: string): Set<string> =>
  new Set(Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), (match) => match[1] ?? ''));
