import { modernizeLimits } from '../core/index.ts';
import type { JsonObject } from './load-spec.ts';

/** Says in JSON Schema what OpenAPI 3.0 says in its own way: `nullable` and Boolean exclusive bounds. */
export function convertOpenapi30Schema(schema: JsonObject): JsonObject {
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
