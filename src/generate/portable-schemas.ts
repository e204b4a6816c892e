import { type JSONSchema, modernizeLimits, schemasIn } from '../core/index.ts';
import type { JsonObject } from './load-spec.ts';
import { createSchemaSet, type SchemaSet } from './schema-set.ts';

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
