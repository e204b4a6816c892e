import {
  hasNestedIds,
  isRecord,
  type JSONSchema,
  localizeSchema,
  mapSchemas,
  pointerSegment,
  toFragment,
} from '../core/index.ts';
import { documentModule } from './document-module.ts';
import { type GeneratedFile, type GenerateOptions, headerFor } from './generated-file.ts';
import { exportedTypes, jsonSchemaTypes } from './json-schema-types.ts';
import type { JsonObject, LoadedSpec } from './load-spec.ts';
import { toPascalCase } from './names.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** The files of a JSON Schema. */
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

/** The schema with its root as one definition among the others, if the root says anything beyond them. */
function withRoot(document: JsonObject, name: string): { root: JsonObject; keyword: '$defs' | 'definitions' } {
  const keyword = isRecord(document.definitions) && !isRecord(document.$defs) ? 'definitions' : '$defs';
  const { $schema, $id, $defs = {}, definitions = {}, ...own } = document;
  const rootName = typeof own.title === 'string' ? own.title.replaceAll(/\W/g, '') : toPascalCase(name);
  const named = isRecord(document[keyword]) ? document[keyword] : {};
  const silent = Object.keys(own).every((each) => ['title', 'description', '$comment'].includes(each));
  const all = silent || rootName in named ? named : { ...named, [rootName]: own };
  const root = rebased({ $defs, definitions, [keyword]: all }, toFragment(`/${keyword}${pointerSegment(rootName)}`));
  return { root, keyword };
}

/** Returns the same schemas, with references to the old root and into it leading to where the root is now. */
const rebased = (document: JSONSchema, root: string): JSONSchema =>
  mapSchemas(document, (schema) => {
    const { $ref } = schema;
    return typeof $ref === 'string'
      ? { ...schema, $ref: $ref.replace(/^#(?!\/(\$defs|definitions)\/)/, root) }
      : schema;
  });
