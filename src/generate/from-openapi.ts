import type { OpenAPI3 } from 'openapi-typescript';
import { isRecord, loadOptionalPackage } from '../core/index.ts';
import { clientModule, listOperations, operationTable } from './client.ts';
import { documentModule, type GeneratedFile, type GenerateOptions, headerFor } from './generated-file.ts';
import { GenerateError, type JsonObject, type LoadedSpec } from './load-spec.ts';
import { portableSchemas, schemaFile } from './portable-schemas.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** Generates the files of an OpenAPI document. */
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

/** Recursive type, which openapi-typescript cannot generate; schemas refer to it by `x-typescript: JSONValue`. */
const JSON_VALUE =
  'export type JSONValue = string | number | boolean | null | { [key: string]: JSONValue } | JSONValue[];';

/** Generates the types of an OpenAPI document: `paths`, `operations`, `components`. */
async function openapiTypes(document: JsonObject): Promise<string> {
  // First, because openapi-typescript requires it too, but reports its absence without advice.
  const { default: ts } = await loadOptionalPackage('typescript', 'ors generate', () => import('typescript'));
  const { default: openapiTS, astToString } = await loadOptionalPackage(
    'openapi-typescript',
    'ors generate',
    () => import('openapi-typescript'),
  );
  const requested = findTypeNames(document);
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, {
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    ...(requested.size > 0 && { inject: JSON_VALUE }),
    transform: (schema) =>
      'x-typescript' in schema ? ts.factory.createTypeReferenceNode(String(schema['x-typescript'])) : undefined,
  });
  return astToString(nodes);
}

/** Finds the names in `x-typescript` keywords. @throws GenerateError for a name other than JSONValue. */
function findTypeNames(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key !== 'x-typescript') findTypeNames(member, found);
    else if (member === 'JSONValue') found.add(member);
    else throw new GenerateError(`invalid x-typescript: expected "JSONValue", got ${JSON.stringify(member)}`);
  }
  return found;
}
