import {
  hasNestedIds,
  isRecord,
  type JSONSchema,
  localizeSchema,
  mapSchemas,
  pointerSegment,
  toFragment,
  uniqueName,
} from '../core/index.ts';
import { documentModule, type GeneratedFile, type GenerateOptions, headerFor, toPascalCase } from './generated-file.ts';
import { jsonSchemaTypes } from './json-schema-types.ts';
import type { JsonObject, LoadedSpec } from './load-spec.ts';
import { createSchemaSet } from './schema-set.ts';
import { validatedNames, validatorsModule } from './validators.ts';

/** Generates the files of a JSON Schema. */
export async function generateFromJsonSchema(spec: LoadedSpec, options: GenerateOptions): Promise<GeneratedFile[]> {
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
