import {
  type Awaitable,
  andThen,
  checkValue,
  createResolver,
  errorMessage,
  fieldsOf,
  isRecord,
  isStackOverflow,
  type JSONSchema,
  type JSONValue,
  localizeSchema,
  mapSchemas,
  modernizeTuple,
  orElse,
  schemasIn,
  valueAt,
  withoutKeywords,
} from '../core/index.ts';
import { assertValidPatterns, findInvalidKeyword } from './check-keywords.ts';
import { compileJsonSchema } from './compile-json-schema.ts';
import { defaultsFiller, hasDefaults, invalidDefaults } from './defaults.ts';
import { describeIssues } from './describe-issues.ts';
import { invalidDefault, startConversion, withoutFlags } from './library-conversion.ts';
import type { InferOutput, Schema, SchemaValidation, ValueIssue } from './schema.ts';
import { getStandardProps, type StandardProps, toSchemaValidation } from './standard-schema.ts';

const JSON_SCHEMA_ADVICE = 'or pass JSON Schema: jsonSchema<YourType>({ ... })';

/**
 * Converts a schema of zod 4, ArkType, Valibot (wrapped in `toStandardJsonSchema`) or TypeBox, or a plain JSON Schema, to
 * a common form. The library decides which values are valid; the JSON Schema only shows models what to send.
 *
 * @param where subject of error messages, such as `tool 'submit', input`.
 * @throws TypeError with advice if the schema cannot be used or shown.
 */
export function toSchema<const S extends object>(schema: S, where: string): Schema<InferOutput<S>> {
  try {
    const standard = getStandardProps(schema);
    return standard ? librarySchema(standard, schema, where) : plainSchema(schema);
  } catch (error) {
    throw unusableSchemaError(where, error);
  }
}

/**
 * Removes the defaults that their own schemas refuse. Libraries of other languages write them, such as
 * `{"type": "string", "default": null}`, and an author cannot correct the schemas of others. Returns a schema that is not
 * valid unchanged.
 */
export function withoutInvalidDefaults(schema: JSONSchema): JSONSchema {
  if (!hasDefaults(schema)) return schema;
  try {
    const json = toStandalone(schema);
    const invalid = new Set(invalidDefaults(json, compileJsonSchema(json).fits).map(({ pointer }) => pointer));
    return mapSchemas(json, (each, pointer) => (invalid.has(pointer) ? withoutKeywords(each, 'default') : each));
  } catch {
    return schema;
  }
}

/**
 * Converts a schema to dialect 2020-12 without ids, so that the names of two schemas never collide. TypeBox refers to
 * schemas by `$id`.
 */
const toStandalone = (schema: JSONSchema): JSONSchema =>
  localizeSchema(
    mapSchemas(schema, (each) => {
      const { $schema, $async, ...rest } = modernizeTuple(each);
      return rest;
    }),
  );

const unusableSchemaError = (where: string, error: unknown): TypeError =>
  new TypeError(`${where}: the schema cannot be used: ${describeReason(error)}`, { cause: error });

/** Converts a plain JSON Schema or a schema of TypeBox. */
function plainSchema<T>(schema: object): Schema<T> {
  const json = toStandalone(copyJson(schema));
  assertOnlyJson(schema);
  assertValid(json);
  const { check, fits } = compileJsonSchema(json);
  const [problem] = invalidDefaults(json, fits);
  if (problem) throw new TypeError(invalidDefault(problem.pointer, problem.issues));
  const fill = hasDefaults(json) ? defaultsFiller(json, fits) : (value: unknown) => value;

  const validate = (value: unknown): SchemaValidation<T> => {
    const issues = value === undefined ? IS_MISSING : check(value);
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value: fill(value) as T };
  };
  return { json, validate: (value) => orElse(() => validate(value), rejectDeepValue) };
}

/** Converts a schema of a library that validates values itself. */
function librarySchema<T>(standard: StandardProps, schema: object, where: string): Schema<T> {
  const json = toJsonSchema(standard, schema);
  assertValid(json);
  if (!standard.validate) return plainSchema(json);

  const own = namesInherited(json) ? withoutPrototypes : (value: unknown) => value;
  // Compiled with the first invalid value, so that starting a server does not wait for the compiler.
  const check = (value: unknown): readonly ValueIssue[] => {
    if (value === undefined) return IS_MISSING;
    try {
      return compileJsonSchema(json).check(value);
    } catch (error) {
      if (isStackOverflow(error)) throw error;
      throw unusableSchemaError(where, error);
    }
  };
  const refine = (validation: SchemaValidation<T>, value: unknown): SchemaValidation<T> => {
    if (validation.ok) return validation;
    const issues = check(value);
    return issues.length > 0 ? { ok: false, issues } : validation;
  };
  const validate = (value: unknown): Awaitable<SchemaValidation<T>> =>
    orElse(
      () =>
        andThen(standard.validate?.(own(value)) ?? { value }, (result) => refine(toSchemaValidation<T>(result), value)),
      (error) => {
        // A transform that gets a value of another form than the shown one may fail: that is the caller's mistake.
        const issues = isStackOverflow(error) ? [] : check(value);
        if (issues.length > 0) return { ok: false, issues };
        throw error;
      },
    );
  return { json, validate: (value) => orElse(() => validate(value), rejectDeepValue) };
}

/** Libraries read `value.constructor`, which every object inherits. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

const namesInherited = (json: JSONSchema): boolean =>
  [...schemasIn(json)].some(({ schema }) =>
    Object.keys(fieldsOf(fieldsOf(schema).properties)).some((name) => INHERITED.has(name)),
  );

/** Copies a value of JSON so that its objects inherit nothing. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, each] of Object.entries(value)) copy[key] = withoutPrototypes(each);
  return copy;
}

const IS_MISSING: readonly ValueIssue[] = [{ path: '', message: 'is missing' }];

/** @throws TypeError or SyntaxError for a keyword or a pattern that is not valid. */
function assertValid(json: JSONSchema): void {
  const issue = findInvalidKeyword(json);
  if (issue) throw new TypeError(`it is not valid: ${describeIssues([issue])}`);
  assertValidPatterns(json);
}

/** Converts a stack overflow to an issue, because its cause is the value; rethrows other errors, which are the author's. */
function rejectDeepValue(error: unknown): { ok: false; issues: readonly ValueIssue[] } {
  if (!isStackOverflow(error)) throw error;
  return { ok: false, issues: [{ path: '', message: 'is nested too deeply' }] };
}

function toJsonSchema(standard: StandardProps, schema: object): JSONSchema {
  const { vendor, jsonSchema } = standard;
  if (!jsonSchema) {
    throw new TypeError(`this ${vendor} schema has no JSON Schema form; ${adviceFor(vendor)}, ${JSON_SCHEMA_ADVICE}`);
  }
  const { libraryOptions, patterns, problems, judgesDefaults } = startConversion(standard, schema);
  const converted = convert(() => jsonSchema.input({ target: 'draft-2020-12', libraryOptions }), vendor);
  const json = toStandalone(withoutFlags(converted, patterns));
  const resolver = createResolver(json);
  const invalid = judgesDefaults
    ? []
    : invalidDefaults(
        json,
        (pointer, value) => checkValue(valueAt(json, pointer), value as JSONValue, { resolver }).length === 0,
      );
  const [problem] = [...problems, ...invalid.map(({ pointer, issues }) => invalidDefault(pointer, issues))];
  if (problem !== undefined) throw new TypeError(problem);
  return json;
}

function convert(toJson: () => object, vendor: string): JSONSchema {
  try {
    return copyJson(toJson());
  } catch (error) {
    const advice = `use only types of JSON (strings for dates and big integers), ${JSON_SCHEMA_ADVICE}`;
    throw new TypeError(`${vendor} cannot convert it to JSON Schema (${describeReason(error)}); ${advice}`, {
      cause: error,
    });
  }
}

function adviceFor(vendor: string): string {
  if (vendor === 'valibot') return "wrap it in toStandardJsonSchema() of '@valibot/to-json-schema'";
  if (vendor === 'zod') return "create it with `import { z } from 'zod'`, version 4.2 or newer, not with 'zod/mini'";
  return `use a version or wrapper of ${vendor} with '~standard'.jsonSchema`;
}

/** Copies a JSON Schema without symbols and functions. */
function copyJson(schema: object): JSONSchema {
  if (!isPlain(schema)) {
    throw new TypeError(
      `it is neither JSON Schema nor a schema of a supported library; use zod, ArkType, Valibot or TypeBox, ${JSON_SCHEMA_ADVICE}`,
    );
  }
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  if (!isRecord(copy)) throw new TypeError('it is not a JSON object');
  return copy;
}

/** @throws TypeError for a part of a schema that JSON loses, so that the author's rule would not be applied. */
function assertOnlyJson(root: object): void {
  for (const { schema, pointer } of schemasIn(root)) {
    const vendor = isLibrarySchema(schema) ? getStandardProps(schema)?.vendor : undefined;
    if (vendor !== undefined) {
      throw new TypeError(
        `${pointer} is a schema of ${vendor} within a JSON Schema; write the whole schema in one of them`,
      );
    }
    const rule = TYPEBOX_RULES.find(([key]) => key in schema)?.[1];
    if (rule !== undefined) {
      const subject = pointer === '' ? 'it' : pointer;
      throw new TypeError(
        `${subject} has a ${rule} of TypeBox, which is not part of JSON Schema; apply it in run instead`,
      );
    }
  }
}

/** Returns false for JSON Schema, also for that which zod creates, with a hidden `~standard`. */
const isLibrarySchema = (schema: object): boolean =>
  !isPlain(schema) || Object.prototype.propertyIsEnumerable.call(schema, '~standard');

/** Keys of schemas of TypeBox 0.34 and 1.x whose values are functions. */
const TYPEBOX_RULES: readonly (readonly [PropertyKey, string])[] = [
  [Symbol.for('TypeBox.Transform'), 'transform'],
  ['~codec', 'codec'],
  ['~refine', 'refinement'],
];

function isPlain(schema: object): boolean {
  if (typeof schema !== 'object' || Array.isArray(schema)) return false;
  const prototype: unknown = Object.getPrototypeOf(schema);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // also the Object of another realm
}

const describeReason = (error: unknown): string =>
  isStackOverflow(error) ? 'it is nested too deeply' : errorMessage(error);
