import { isRecord } from '../core/index.ts';
import { clientModule } from './client.ts';
import { documentModule } from './document-module.ts';
import { type GeneratedFile, type GenerateOptions, headerFor } from './generated-file.ts';
import type { LoadedSpec } from './load-spec.ts';
import { openapiTypes } from './openapi-types.ts';
import { listOperations, operationTable } from './operations.ts';
import { portableSchemas, schemaFile } from './portable-schema.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** The files of an OpenAPI document. */
export async function generateFromOpenapi(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
  const { name, document } = spec;
  const { importSuffix = '.js' } = options;
  const header = headerFor(spec.file);
  const title = isRecord(document.info) ? String(document.info.title) : name;
  const operations = listOperations(document);
  const schemas = portableSchemas(document);
  const types = await openapiTypes(document);
  const names = validatedNames(Object.keys(schemas.definitions), options.validators);
  const keys = options.validators
    ? names.map((each) => JSON.stringify(each)).join(' | ')
    : `keyof components['schemas']`;
  const validators = validatorsModule({
    root: { definitions: schemas.definitions },
    keyword: 'definitions',
    names,
    draft07: false,
    typeImport: `import type { components } from './${name}${importSuffix}';`,
    tableType:
      names.length === 0
        ? 'Record<string, never>'
        : `{ readonly [Name in ${keys}]: Validator<components['schemas'][Name]> }`,
  });
  return [
    { name: `${name}.ts`, text: `// ${header}\n\n${types}` },
    { name: `${name}-operations.ts`, text: `// ${header}\n\n${operationTable(operations)}` },
    { name: `${name}-document.ts`, text: `// ${header}\n\n${documentModule(document, 'The OpenAPI document')}` },
    { name: `${name}-validators.ts`, text: `// @ts-nocheck\n// ${header}\n\n${validators}` },
    { name: `${name}-client.ts`, text: `// ${header}\n\n${clientModule({ name, title, operations }, options)}` },
    { name: `${name}.schema.json`, text: schemaFile(schemas, title, header) },
  ];
}
