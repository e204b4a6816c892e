import {
  errorMessage,
  hasNestedIds,
  isRecord,
  type JSONSchema,
  loadOptionalPackage,
  localizeSchema,
  mapSchemas,
  pointerSegment,
  toFragment,
  withoutKeywords,
} from '../core/index.ts';
import { documentModule, type GeneratedFile, type GenerateOptions, headerFor, toPascalCase } from './generated-file.ts';
import { GenerateError, type JsonObject, type LoadedSpec } from './load-spec.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** Generates the files of a JSON Schema. */
export async function generateFromJsonSchema(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
  const { name, document: written } = spec;
  const document = hasNestedIds(written) ? localizeSchema(written) : written;
  const header = headerFor(spec.file);
  const types = await jsonSchemaTypes(document, name);
  const exported = exportedTypes(types);
  const definitions = withRoot(document, name);
  const names = validatedNames(Object.keys(definitions.root[definitions.keyword] ?? {}), options.validators);
  const rows = names.map(
    (each) => `  readonly ${JSON.stringify(each)}: Validator<${exported.has(each) ? `types.${each}` : 'unknown'}>;`,
  );
  const validators = validatorsModule({
    ...definitions,
    names,
    draft07: String(written.$schema).includes('draft-07'),
    typeImport: `import type * as types from './${name}${options.importSuffix ?? '.js'}';`,
    tableType: ['{', ...rows, '}'].join('\n'),
  });
  return [
    { name: `${name}.ts`, text: `// ${header}\n\n${types}` },
    { name: `${name}-document.ts`, text: `// ${header}\n\n${documentModule(written, 'The JSON Schema')}` },
    { name: `${name}-validators.ts`, text: `// @ts-nocheck\n// ${header}\n\n${validators}` },
  ];
}

/** Moves the root schema to the definitions, if it has other keywords too. */
function withRoot(document: JsonObject, name: string): { root: JsonObject; keyword: '$defs' | 'definitions' } {
  const keyword = isRecord(document.definitions) && !isRecord(document.$defs) ? 'definitions' : '$defs';
  const { $schema, $id, $defs = {}, definitions = {}, ...own } = document;
  const rootName = typeof own.title === 'string' ? own.title.replaceAll(/\W/g, '') : toPascalCase(name);
  const named = isRecord(document[keyword]) ? document[keyword] : {};
  const isEmpty = Object.keys(own).every((each) => ['title', 'description', '$comment'].includes(each));
  const all = isEmpty || rootName in named ? named : { ...named, [rootName]: own };
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

/** Generates one type per definition. */
async function jsonSchemaTypes(schema: JsonObject, name: string): Promise<string> {
  const { compile } = await loadOptionalPackage(
    'json-schema-to-typescript',
    'ors generate',
    () => import('json-schema-to-typescript'),
  );
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

/** Returns a copy without examples and defaults that contain `$ref`, which the package would resolve. */
const withoutRefsInData = (document: JSONSchema): JSONSchema =>
  mapSchemas(structuredClone(document), (schema) => {
    const data = ['examples', 'default'].filter((keyword) => JSON.stringify(schema[keyword])?.includes('"$ref"'));
    return data.length > 0 ? withoutKeywords(schema, ...data) : schema;
  });

/** Returns the names that a module of types exports. */
const exportedTypes = (code: string): Set<string> =>
  new Set(Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), (match) => match[1] ?? ''));
