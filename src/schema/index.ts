export { describeIssues } from './describe-issues.ts';
export {
  findProtoProperty,
  type InferOutput,
  isObjectSchema,
  jsonSchema,
  type Schema,
  type SchemaValidation,
  type TypedJsonSchema,
} from './schema.ts';
export { toSchema, withoutInvalidDefaults } from './to-schema.ts';
