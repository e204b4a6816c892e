import { errorMessage } from '../core/index.ts';
import { generateFromJsonSchema } from './from-json-schema.ts';
import { generateFromOpenapi } from './from-openapi.ts';
import { GenerateError, MissingPackageError } from './generate-error.ts';
import type { GeneratedFile, GenerateOptions } from './generated-file.ts';
import { loadSpec } from './load-spec.ts';

/**
 * Everything that follows from a specification, in memory. From an OpenAPI file: types, operation table, document,
 * validators, client and JSON Schema; from a JSON Schema file: types, document and validators. The same specification
 * gives the same bytes.
 *
 * @param path The specification, YAML or JSON: `spec/ors.openapi.yaml`.
 * @throws {GenerateError} If the specification cannot be read, is not valid, or a package is missing.
 */
export async function generate(path: string, options: GenerateOptions = {}): Promise<GeneratedFile[]> {
  try {
    const loaded = await loadSpec(path);
    const spec = { ...loaded, name: options.name ?? loaded.name };
    return await (spec.kind === 'openapi' ? generateFromOpenapi(spec, options) : generateFromJsonSchema(spec, options));
  } catch (error) {
    if (error instanceof MissingPackageError) throw error;
    const reason = errorMessage(error);
    throw new GenerateError(`${path}: ${reason.replaceAll(/\s+/g, ' ').trim()}`, { cause: error });
  }
}
