import { isRecord, listAt, mapSchemas, modernizeLimits, schemasByName } from '../core/index.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';

/** Schemas with the same meaning in draft-07 and 2020-12, if possible. */
interface PortableSchemas {
  readonly definitions: { readonly [name: string]: unknown };
  /** True if a keyword is used that draft-07 does not have. */
  readonly only2020: boolean;
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
const OPENAPI_ONLY = new Set(['discriminator', 'example', 'externalDocs', 'nullable', 'xml', '$schema', '$id']);

const SCHEMAS = '#/components/schemas/';

/**
 * Converts the schemas of an OpenAPI document to plain JSON Schema: removes or translates keywords of OpenAPI, moves a
 * `$ref` with siblings (which draft-07 ignores) to `allOf`, and changes references to `#/definitions/`.
 */
export function portableSchemas(document: JsonObject): PortableSchemas {
  const { schemas } = isRecord(document.components) ? document.components : {};
  const isOld = String(document.openapi).startsWith('3.0');
  let only2020 = false;
  const translated = mapSchemas({ definitions: schemas }, (schema) => {
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(isOld ? convertOpenapi30Schema(schema) : schema)) {
      if (keyword === 'example') result.examples ??= [value];
      if (OPENAPI_ONLY.has(keyword) || keyword.startsWith('x-')) continue;
      only2020 ||= NEW_IN_2020.has(keyword);
      result[keyword] = value;
    }
    const { $ref, ...siblings } = result;
    if (!('$ref' in result)) return result;
    if (Object.keys(siblings).length === 0) return { $ref: definitionReference(String($ref)) };
    // The walk visits the reference next, without siblings.
    return { ...siblings, allOf: [{ $ref }, ...listAt(siblings, 'allOf')] };
  });
  return { definitions: schemasByName(translated, 'definitions'), only2020 };
}

function definitionReference(reference: string): string {
  if (reference.startsWith(SCHEMAS)) return `#/definitions/${reference.slice(SCHEMAS.length)}`;
  throw new GenerateError(`the schema reference ${reference} is not in ${SCHEMAS}; move its target there`);
}

/** Generates a JSON Schema file with all component schemas, valid in draft-07 and 2020-12 if possible. */
export function schemaFile({ definitions, only2020 }: PortableSchemas, title: string, comment: string): string {
  const $schema = only2020 ? { $schema: 'https://json-schema.org/draft/2020-12/schema' } : {};
  return `${JSON.stringify({ ...$schema, $comment: comment, title, definitions }, null, 2)}\n`;
}

/** Converts keywords of OpenAPI 3.0 to JSON Schema: `nullable` and Boolean exclusive bounds. */
function convertOpenapi30Schema(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, ...rest } = schema;
  const plain = modernizeLimits(rest);
  return nullable === true ? orNull(plain) : plain;
}

function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, type: [schema.type, 'null'], ...choices };
}
