import {
  type Awaitable,
  andThen,
  errorMessage,
  isRecord,
  isStackOverflow,
  type JSONSchema,
  localizeSchema,
  mapSchemas,
  modernizeTuple,
  orElse,
  schemasByName,
  schemasIn,
} from '../core/index.ts';
import { type CompiledJsonSchema, compileJsonSchema } from './compile-json-schema.ts';
import { defaultsFiller, hasDefaults } from './defaults.ts';
import type { InferOutput, Schema, SchemaValidation, ValueIssue } from './schema.ts';
import {
  getStandardProps,
  type StandardJsonSchemaOptions,
  type StandardProps,
  toSchemaValidation,
} from './standard-schema.ts';

const JSON_SCHEMA_ADVICE = 'or pass JSON Schema: jsonSchema<YourType>({ ... })';

/**
 * Converts a schema of zod 4, ArkType, Valibot (wrapped in `toStandardJsonSchema`) or TypeBox, or a plain JSON Schema, to
 * a common form. A value is validated by the advertised JSON Schema first, then by the library, which applies defaults,
 * transforms and refinements.
 *
 * @param where subject of error messages, such as `tool 'submit', input`.
 * @throws TypeError with advice if the schema cannot be used.
 */
export function toSchema<const S extends object>(schema: S, where: string): Schema<InferOutput<S>> {
  try {
    const standard = getStandardProps(schema);
    const json = toStandalone(standard ? toJsonSchema(standard) : copyJson(schema));
    const compiled = standard ? compileLazily(json, where) : compileJsonSchema(json);
    return createSchema(json, compiled, standard);
  } catch (error) {
    throw unusableSchemaError(where, error);
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

/**
 * Compiles a schema with the first value, so that starting a server does not wait for the compiler. Libraries generate
 * valid JSON Schema except for patterns, which are the author's and are checked here. Other errors that authors add by
 * hand are reported with the first value.
 */
function compileLazily(json: JSONSchema, where: string): CompiledJsonSchema {
  assertValidPatterns(json);
  let compiled: CompiledJsonSchema | undefined;
  const compile = () => {
    try {
      compiled ??= compileJsonSchema(json);
      return compiled;
    } catch (error) {
      throw unusableSchemaError(where, error);
    }
  };
  return { check: (value) => compile().check(value), fits: (pointer, value) => compile().fits(pointer, value) };
}

function assertValidPatterns(json: JSONSchema): void {
  for (const { schema } of schemasIn(json)) {
    const patterns = Object.keys(schemasByName(schema, 'patternProperties'));
    if (typeof schema.pattern === 'string') patterns.push(schema.pattern);
    for (const pattern of patterns) new RegExp(pattern, 'u');
  }
}

function createSchema<T>(
  json: JSONSchema,
  { check, fits }: CompiledJsonSchema,
  standard: StandardProps | undefined,
): Schema<T> {
  const fill = hasDefaults(json) ? defaultsFiller(json, fits) : (value: unknown) => value;

  const validated = (value: unknown): Awaitable<SchemaValidation<T>> => {
    const issues = value === undefined ? [{ path: '', message: 'is missing' }] : check(value);
    if (issues.length > 0) return { ok: false, issues };
    const result = standard?.validate ? standard.validate(value) : { value: fill(value) };
    return andThen(result, toSchemaValidation<T>);
  };
  return { json, validate: (value) => orElse(() => validated(value), rejectDeepValue) };
}

/** Converts a stack overflow to an issue, because its cause is the value; rethrows other errors, which are the author's. */
function rejectDeepValue(error: unknown): { ok: false; issues: readonly ValueIssue[] } {
  if (!isStackOverflow(error)) throw error;
  return { ok: false, issues: [{ path: '', message: 'is nested too deeply' }] };
}

function toJsonSchema({ vendor, jsonSchema }: StandardProps): JSONSchema {
  if (!jsonSchema) {
    throw new TypeError(`this ${vendor} schema has no JSON Schema form; ${adviceFor(vendor)}, ${JSON_SCHEMA_ADVICE}`);
  }
  try {
    return copyJson(jsonSchema.input({ target: 'draft-2020-12', ...LIBRARY_OPTIONS[vendor] }));
  } catch (error) {
    const advice = `use only types of JSON (strings for dates and big integers), ${JSON_SCHEMA_ADVICE}`;
    throw new TypeError(`${vendor} cannot convert it to JSON Schema (${describeReason(error)}); ${advice}`, {
      cause: error,
    });
  }
}

/** Valibot cannot convert actions such as `check`. They are omitted in the JSON Schema, but applied to values. */
const LIBRARY_OPTIONS: Readonly<Record<string, Pick<StandardJsonSchemaOptions, 'libraryOptions'>>> = {
  valibot: { libraryOptions: { overrideAction: ({ jsonSchema }: { jsonSchema: object }) => jsonSchema } },
};

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

function isPlain(schema: object): boolean {
  if (typeof schema !== 'object' || Array.isArray(schema)) return false;
  const prototype: unknown = Object.getPrototypeOf(schema);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // also the Object of another realm
}

const describeReason = (error: unknown): string =>
  isStackOverflow(error) ? 'it is nested too deeply' : errorMessage(error);
