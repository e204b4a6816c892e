import { isRecord } from '../core/index.ts';
import { clientModule, operationTable } from './client.ts';
import { documentModule, type GeneratedFile, type GenerateOptions, headerFor } from './generated-file.ts';
import type { LoadedSpec } from './load-spec.ts';
import { openapiTypes } from './openapi-types.ts';
import { bodyType, listOperations, successMediaTypes } from './operations.ts';
import { parameterStyles } from './parameter-styles.ts';
import { portableSchemas, schemaFile } from './portable-schemas.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** Generates the files of an OpenAPI document. */
export async function generateFromOpenapi(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
  const { name, document } = spec;
  const { importSuffix = '.js' } = options;
  const header = headerFor(spec.file);
  const title = isRecord(document.info) ? String(document.info.title) : name;
  const operations = listOperations(document, options.onNotice);
  const schemas = portableSchemas(document);
  const names = validatedNames(schemas.names, options.validators);
  const keys = options.validators
    ? names.map((each) => JSON.stringify(each)).join(' | ')
    : `keyof components['schemas']`;
  const validators = validatorsModule({
    set: schemas,
    names,
    draft07: false,
    onNotice: options.onNotice,
    typeImport: `import type { components } from './${name}${importSuffix}';`,
    tableType:
      names.length === 0
        ? 'Record<string, never>'
        : `{ readonly [Name in ${keys}]: Validator<components['schemas'][Name]> }`,
  });
  // Before the schemas of operations are added to the set.
  const schemaText = schemaFile(schemas, title, header);
  const types = await openapiTypes(document, schemas, operations);
  const methods = operations.map(({ id, method, path, definition, parameters }) => ({
    id,
    method,
    path,
    summary: typeof definition.summary === 'string' ? definition.summary : undefined,
    mediaTypes: successMediaTypes(document, definition),
    styles: parameterStyles(parameters, schemas),
    contentType: bodyType(document, definition),
  }));
  return [
    { name: `${name}.ts`, text: `// ${header}\n\n${types}` },
    { name: `${name}-operations.ts`, text: `// ${header}\n\n${operationTable(operations)}` },
    { name: `${name}-document.ts`, text: `// ${header}\n\n${documentModule(document, 'The OpenAPI document')}` },
    { name: `${name}-validators.ts`, text: `// @ts-nocheck\n// ${header}\n\n${validators}` },
    { name: `${name}-client.ts`, text: `// ${header}\n\n${clientModule({ name, title, methods }, options)}` },
    { name: `${name}.schema.json`, text: schemaText },
  ];
}
