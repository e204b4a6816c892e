import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  errorMessage,
  hasNestedIds,
  isRecord,
  type JSONSchema,
  localizeSchema,
  MissingPackageError,
  mapSchemas,
  modernizeLimits,
  pointerSegment,
  schemasIn,
  toFragment,
  uniqueName,
} from '../core/index.ts';
import { fileProblem, makeFolder } from '../core/node/index.ts';
import { clientModule, operationTable } from './client.ts';
import { documentModule, type GeneratedFile, type GenerateOptions, headerFor, toPascalCase } from './generated-file.ts';
import { jsonSchemaTypes } from './json-schema-types.ts';
import { GenerateError, type JsonObject, type LoadedSpec, loadSpec } from './load-spec.ts';
import { loadCompiler, openapiTypes } from './openapi-types.ts';
import { bodyType, listOperations, parameterStyles, successMediaTypes } from './operations.ts';
import { createSchemaSet, type SchemaSet } from './schema-set.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/**
 * Generates TypeScript from a specification, in memory. From an OpenAPI document: types, operation table, document,
 * validators, client and JSON Schema; from a JSON Schema: types, document and validators. The output is deterministic.
 *
 * @param path path of the specification, YAML or JSON.
 * @throws GenerateError if the specification cannot be read or is not valid, or if a package is missing.
 * @example
 * await writeFiles('generated', await generate('spec/shop.openapi.yaml'));
 */
export async function generate(path: string, options: GenerateOptions = {}): Promise<GeneratedFile[]> {
  try {
    const loaded = await loadSpec(path);
    const spec = { ...loaded, name: options.name ?? loaded.name };
    const files = await (spec.kind === 'openapi'
      ? generateFromOpenapi(spec, options)
      : generateFromJsonSchema(spec, options));
    await assertSyntax(files);
    return files;
  } catch (error) {
    const reason = errorMessage(error).replaceAll(/\s+/g, ' ').trim();
    throw new GenerateError(error instanceof MissingPackageError ? reason : `${path}: ${reason}`, { cause: error });
  }
}

/** @throws GenerateError if a file is not valid TypeScript, which would be an error of the generator. */
export async function assertSyntax(files: readonly GeneratedFile[]): Promise<void> {
  const ts = await loadCompiler();
  const options = { noLib: true, noResolve: true, types: [] };
  for (const { name, text } of files.filter((file) => file.name.endsWith('.ts'))) {
    const host = ts.createCompilerHost(options);
    host.getSourceFile = (file, target) => ts.createSourceFile(file, text, target);
    const [error] = ts.createProgram([name], options, host).getSyntacticDiagnostics();
    if (!error) continue;
    throw new GenerateError(
      `the generated ${name} is not valid: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
    );
  }
}

/**
 * Writes files into a folder; creates the folder if it does not exist.
 *
 * @throws GenerateError if the folder is not writable.
 * @example
 * await writeFiles('generated', files);
 */
export async function writeFiles(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  try {
    await makeFolder(folder);
    for (const { name, text } of files) await writeFile(join(folder, name), text);
  } catch (error) {
    const reason = fileProblem(error, 'write');
    throw new GenerateError(`cannot write into ${folder}: ${reason}; choose another folder with --out`, {
      cause: error,
    });
  }
}

/**
 * Returns the paths of files that are missing in a folder or have another text there.
 *
 * @example
 * if ((await staleFiles('generated', files)).length > 0) process.exitCode = 1;
 */
export async function staleFiles(folder: string, files: readonly GeneratedFile[]): Promise<string[]> {
  const stale: string[] = [];
  for (const { name, text } of files) {
    const written = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (written !== text) stale.push(join(folder, name));
  }
  return stale;
}

/** Generates the files of a JSON Schema. */
async function generateFromJsonSchema(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
  const { name, document: written } = spec;
  const document = hasNestedIds(written) ? localizeSchema(written) : written;
  const header = headerFor(spec.file);
  const { root, keyword } = withRoot(document, name);
  const set = createSchemaSet({ document: root, pointer: `/${keyword}` });
  const types = await jsonSchemaTypes(set);
  const names = validatedNames(set.names, options.validators);
  const rows = names.map((each) => `  readonly ${JSON.stringify(each)}: Validator<types.${types.names.get(each)}>;`);
  const validators = validatorsModule({
    set,
    names,
    onNotice: options.onNotice,
    draft07: String(written.$schema).includes('draft-07'),
    typeImport: `import type * as types from './${name}${options.importSuffix ?? '.js'}';`,
    tableType: ['{', ...rows, '}'].join('\n'),
  });
  return [
    { name: `${name}.ts`, text: `// ${header}\n\n${types.text}` },
    { name: `${name}-document.ts`, text: `// ${header}\n\n${documentModule(written, 'The JSON Schema')}` },
    { name: `${name}-validators.ts`, text: `// @ts-nocheck\n// ${header}\n\n${validators}` },
  ];
}

/** Moves the root schema to the definitions, if it has other keywords too. */
function withRoot(document: JsonObject, name: string): { root: JsonObject; keyword: '$defs' | 'definitions' } {
  const keyword = isRecord(document.definitions) && !isRecord(document.$defs) ? 'definitions' : '$defs';
  const { $schema, $id, $defs = {}, definitions = {}, ...own } = document;
  const named = isRecord(document[keyword]) ? document[keyword] : {};
  const title = typeof own.title === 'string' ? own.title.replaceAll(/\W/g, '') : '';
  const rootName = uniqueName(title || toPascalCase(name), (each) => Object.hasOwn(named, each), { separator: '' });
  const isEmpty = Object.keys(own).every((each) => ['title', 'description', '$comment'].includes(each));
  // First, as its type comes first.
  const all = isEmpty ? named : { [rootName]: own, ...named };
  const root = rebased({ $defs, definitions, [keyword]: all }, toFragment(`/${keyword}${pointerSegment(rootName)}`));
  return { root, keyword };
}

/** Updates references to the moved root schema. */
const rebased = (document: JSONSchema, root: string): JSONSchema =>
  mapSchemas(document, (schema) => {
    const { $ref } = schema;
    return typeof $ref === 'string'
      ? { ...schema, $ref: $ref.replace(/^#(?!\/(\$defs|definitions)\/)/, root) }
      : schema;
  });

/** Generates the files of an OpenAPI document. */
async function generateFromOpenapi(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
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

const NEW_IN_2020 = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const OPENAPI_ONLY = new Set(['discriminator', 'externalDocs', 'nullable', 'xml', '$schema', '$id']);

/**
 * Creates the set of the schemas of an OpenAPI document, as plain JSON Schema with the same meaning in draft-07 and 2020-12,
 * if possible: keywords of OpenAPI are removed or translated.
 */
export function portableSchemas(document: JsonObject): SchemaSet {
  const isOld = String(document.openapi).startsWith('3.0');
  return createSchemaSet({
    document,
    pointer: '/components/schemas',
    convert(schema) {
      const converted = isOld ? convertOpenapi30Schema(schema) : schema;
      const entries = Object.entries(converted).flatMap(([keyword, value]) => {
        if (keyword === 'example') return 'examples' in converted ? [] : [['examples', [value]]];
        return OPENAPI_ONLY.has(keyword) || keyword.startsWith('x-') ? [] : [[keyword, value]];
      });
      return Object.fromEntries(entries);
    },
  });
}

/** Generates a JSON Schema file with all definitions of a set, valid in draft-07 and 2020-12 if possible. */
export function schemaFile({ definitions }: SchemaSet, title: string, comment: string): string {
  const only2020 = Object.values(definitions).some((definition) =>
    Array.from(schemasIn(definition)).some(({ schema }) => Object.keys(schema).some((each) => NEW_IN_2020.has(each))),
  );
  const $schema = only2020 ? { $schema: 'https://json-schema.org/draft/2020-12/schema' } : {};
  return `${JSON.stringify({ ...$schema, $comment: comment, title, definitions }, null, 2)}\n`;
}

/** Converts keywords of OpenAPI 3.0 to JSON Schema: `nullable` and Boolean exclusive bounds. */
function convertOpenapi30Schema(schema: JSONSchema): JSONSchema {
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, ...rest } = schema;
  const plain = modernizeLimits(rest);
  return nullable === true ? orNull(plain) : plain;
}

function orNull(schema: JSONSchema): JSONSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, type: [schema.type, 'null'], ...choices };
}
