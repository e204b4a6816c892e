export { describeIssues } from './describe-error.ts';
export { toSchema } from './input-schema.ts';
export { isObjectSchema } from './object-schema.ts';
export {
  type InferOutput,
  jsonSchema,
  type Schema,
  type SchemaValidation,
  type TypedJsonSchema,
} from './schema.ts';
