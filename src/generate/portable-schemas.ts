import { isRecord, modernizeLimits } from '../core/index.ts';
import { GenerateError } from './errors.ts';
import type { JsonObject } from './load-spec.ts';

/** Schemas with the same meaning in draft-07 and 2020-12, if possible. */
interface PortableSchemas {
  readonly definitions: { readonly [name: string]: unknown };
  /** True if a keyword is used that draft-07 does not have. */
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
 * Converts the schemas of an OpenAPI document to plain JSON Schema: removes or translates keywords of OpenAPI, moves a
 * `$ref` with siblings (which draft-07 ignores) to `allOf`, and changes references to `#/definitions/`.
 */
export function portableSchemas(document: JsonObject): PortableSchemas {
  const { schemas } = isRecord(document.components) ? document.components : {};
  const old = String(document.openapi).startsWith('3.0');
  const translation = new SchemaTranslation(old);
  const definitions = translation.map(isRecord(schemas) ? schemas : {});
  return { definitions, only2020: translation.only2020 };
}

/** Translates schemas and records whether they use keywords of 2020-12. */
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
