import { isRecord } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './load-spec.ts';
import { convertOpenapi30Schema } from './openapi-30.ts';

/** Schemas that say the same to every reader of JSON Schema. */
export interface PortableSchemas {
  readonly definitions: { readonly [name: string]: unknown };
  /** Whether a keyword is used that draft-07 does not have, so that only a 2020-12 reader understands all. */
  readonly only2020: boolean;
}

const ONE = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
];
const ONE_2020 = ['unevaluatedItems', 'unevaluatedProperties'];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['$defs', 'dependentSchemas', 'patternProperties', 'properties'];
const NEW_IN_2020 = new Set([
  ...ONE_2020,
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'prefixItems',
]);
const OPENAPI_ONLY = new Set(['discriminator', 'example', 'externalDocs', 'nullable', 'xml', '$schema', '$id']);

const SCHEMAS = '#/components/schemas/';

/**
 * Takes the schemas out of an OpenAPI document and says them in plain JSON Schema: what OpenAPI adds is dropped or
 * translated, a `$ref` with siblings (which draft-07 ignores) moves into `allOf`, references lead to `#/definitions/`.
 */
export function portableSchemas(document: JsonObject): PortableSchemas {
  const { schemas } = isRecord(document.components) ? document.components : {};
  const old = String(document.openapi).startsWith('3.0');
  const translation = new SchemaTranslation(old);
  const definitions = translation.map(isRecord(schemas) ? schemas : {});
  return { definitions, only2020: translation.only2020 };
}

/** One walk through the schemas; remembers what it has met. */
class SchemaTranslation {
  only2020 = false;
  readonly #old: boolean;

  constructor(old: boolean) {
    this.#old = old;
  }

  map(schemas: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.schema(schema)]));
  }

  schema(schema: unknown): unknown {
    if (!isRecord(schema)) return schema;
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(this.#old ? convertOpenapi30Schema(schema) : schema)) {
      if (keyword === 'example') result.examples ??= [value];
      if (OPENAPI_ONLY.has(keyword) || keyword.startsWith('x-')) continue;
      this.only2020 ||= NEW_IN_2020.has(keyword);
      result[keyword] = this.#value(keyword, value);
    }
    if (!('$ref' in result) || Object.keys(result).length === 1) return result;
    const { $ref, ...siblings } = result;
    return { ...siblings, allOf: [{ $ref }, ...(Array.isArray(siblings.allOf) ? siblings.allOf : [])] };
  }

  #value(keyword: string, value: unknown): unknown {
    if (keyword === '$ref') return definitionReference(String(value));
    if (ONE.includes(keyword) || ONE_2020.includes(keyword)) return this.schema(value);
    if (LIST.includes(keyword) && Array.isArray(value)) return value.map((each) => this.schema(each));
    if (MAP.includes(keyword) && isRecord(value)) return this.map(value);
    return value;
  }
}

function definitionReference(reference: string): string {
  if (reference.startsWith(SCHEMAS)) return `#/definitions/${reference.slice(SCHEMAS.length)}`;
  throw new GenerateError(`the schema reference ${reference} leads out of ${SCHEMAS}; move what it names there`);
}

/** All component schemas as one JSON Schema file, valid under draft-07 and 2020-12 alike where that is possible. */
export function schemaFile({ definitions, only2020 }: PortableSchemas, title: string, comment: string): string {
  const $schema = only2020 ? { $schema: 'https://json-schema.org/draft/2020-12/schema' } : {};
  return `${JSON.stringify({ ...$schema, $comment: comment, title, definitions }, null, 2)}\n`;
}
