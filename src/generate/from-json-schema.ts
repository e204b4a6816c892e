import { isRecord } from '../core/index.ts';
import { documentModule } from './document-module.ts';
import { type GeneratedFile, type GenerateOptions, headerFor } from './generated-file.ts';
import type { JsonObject } from './json.ts';
import { exportedTypes, jsonSchemaTypes } from './json-schema-types.ts';
import type { Spec } from './load-spec.ts';
import { pascalCase } from './names.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** The files of a JSON Schema. */
export async function fromJsonSchema(spec: Spec, options: GenerateOptions): Promise<GeneratedFile[]> {
  const { name, document } = spec;
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
    draft07: String(document.$schema).includes('draft-07'),
    typeImport: `import type * as types from './${name}${options.importSuffix ?? '.js'}';`,
    tableType: ['{', ...rows, '}'].join('\n'),
  });
  return [
    { name: `${name}.ts`, text: `// ${header}\n\n${types}` },
    { name: `${name}-document.ts`, text: `// ${header}\n\n${documentModule(document, 'The JSON Schema')}` },
    { name: `${name}-validators.ts`, text: `// @ts-nocheck\n// ${header}\n\n${validators}` },
  ];
}

/** The schema with its root as one definition among the others, if the root says anything beyond them. */
function withRoot(document: JsonObject, name: string): { root: JsonObject; keyword: '$defs' | 'definitions' } {
  const keyword = isRecord(document.definitions) && !isRecord(document.$defs) ? 'definitions' : '$defs';
  const { $schema, $id, $defs = {}, definitions = {}, ...own } = document;
  const rootName = typeof own.title === 'string' ? own.title.replaceAll(/\W/g, '') : pascalCase(name);
  const named = isRecord(document[keyword]) ? document[keyword] : {};
  const silent = Object.keys(own).every((each) => ['title', 'description', '$comment'].includes(each));
  const all = silent || rootName in named ? named : { ...named, [rootName]: own };
  const root = rebased({ $defs, definitions, [keyword]: all }, `#/${keyword}/${rootName}`);
  return { root, keyword };
}

/** The same, with references into the old root leading to where the root is now. */
const rebased = (document: JsonObject, root: string): JsonObject =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#(?!\/(\$defs|definitions)\/)/, root) : value,
  );
