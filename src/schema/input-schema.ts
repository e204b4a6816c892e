import {
  errorMessage,
  isRecord,
  isStackOverflow,
  type JSONSchema,
  localizeSchema,
  mapSchemas,
  modernizeTuple,
  schemasByName,
  schemasIn,
} from '../core/index.ts';
import { type CompiledJsonSchema, compileJsonSchema } from './ajv.ts';
import { defaultsFiller, hasDefaults } from './defaults.ts';
import { toSchemaValidation } from './library-check.ts';
import type { InferOutput, Schema, SchemaIssue, SchemaValidation } from './schema.ts';
import { getStandardProps, type StandardJsonSchemaOptions, type StandardProps } from './standard.ts';

const PLAIN_WAY = 'or hand over JSON Schema: jsonSchema<YourType>({ ... })';

/**
 * Brings a schema of any library into one form: zod 4, ArkType, Valibot in `toStandardJsonSchema`, TypeBox, plain
 * JSON Schema. The JSON Schema that is advertised is what a value must keep; what the library adds to it (defaults,
 * transforms, refinements) comes after. `where` names the schema's place in errors, such as `tool 'submit', input`.
 * Throws a TypeError that says what to do where a schema cannot be used.
 */
export function toSchema<const S extends object>(schema: S, where: string): Schema<InferOutput<S>> {
  try {
    const standard = getStandardProps(schema);
    const json = selfContained(standard ? converted(standard) : copied(schema));
    const contract = standard ? lateContract(json, where) : compileJsonSchema(json);
    return schemaOf(json, contract, standard);
  } catch (error) {
    throw unusable(where, error);
  }
}

/**
 * Writes a schema as one document of dialect 2020-12 without ids, so that two schemas never meet under one name. TypeBox
 * writes references by `$id`.
 */
const selfContained = (schema: JSONSchema): JSONSchema =>
  localizeSchema(
    mapSchemas(schema, (each) => {
      const { $schema, $async, ...rest } = modernizeTuple(each);
      return rest;
    }),
  );

const unusable = (where: string, error: unknown): TypeError =>
  new TypeError(`${where}: the schema cannot be used: ${reasonOf(error)}`, { cause: error });

/**
 * Compiled with the first value: a library writes valid JSON Schema but for the patterns, which are the author's, and a
 * server that starts need not wait for the compiler. What else authors put into it with their own hands is told by that
 * value.
 */
function lateContract(json: JSONSchema, where: string): CompiledJsonSchema {
  checkPatterns(json);
  let contract: CompiledJsonSchema | undefined;
  const compiled = () => {
    try {
      contract ??= compileJsonSchema(json);
      return contract;
    } catch (error) {
      throw unusable(where, error);
    }
  };
  return { check: (value) => compiled().check(value), fits: (pointer, value) => compiled().fits(pointer, value) };
}

function checkPatterns(json: JSONSchema): void {
  for (const { schema } of schemasIn(json)) {
    const patterns = Object.keys(schemasByName(schema, 'patternProperties'));
    if (typeof schema.pattern === 'string') patterns.push(schema.pattern);
    for (const pattern of patterns) new RegExp(pattern, 'u');
  }
}

function schemaOf<T>(json: JSONSchema, contract: CompiledJsonSchema, standard: StandardProps | undefined): Schema<T> {
  const { check, fits } = contract;
  const fill = hasDefaults(json) ? defaultsFiller(json, fits) : (value: unknown) => value;

  const validated = (value: unknown): SchemaValidation<T> | Promise<SchemaValidation<T>> => {
    const issues = value === undefined ? [{ path: '', message: 'is missing' }] : check(value);
    if (issues.length > 0) return { ok: false, issues };
    const result = standard?.validate ? standard.validate(value) : { value: fill(value) };
    return 'then' in result ? result.then(toSchemaValidation<T>).catch(refuseDepth) : toSchemaValidation<T>(result);
  };
  return {
    json,
    validate(value) {
      try {
        return validated(value);
      } catch (error) {
        return refuseDepth(error);
      }
    },
  };
}

/** A value that overflows the stack is at fault itself; any other error is the author's and goes on. */
function refuseDepth(error: unknown): { ok: false; issues: readonly SchemaIssue[] } {
  if (!isStackOverflow(error)) throw error;
  return { ok: false, issues: [{ path: '', message: 'is nested too deeply' }] };
}

function converted({ vendor, jsonSchema }: StandardProps): JSONSchema {
  if (!jsonSchema)
    throw new TypeError(`this ${vendor} schema has no JSON Schema form; ${adviceFor(vendor)}, ${PLAIN_WAY}`);
  try {
    return copied(jsonSchema.input({ target: 'draft-2020-12', ...LIBRARY_OPTIONS[vendor] }));
  } catch (error) {
    const advice = `use only what JSON can hold (a date as a string, a big integer as a string), ${PLAIN_WAY}`;
    throw new TypeError(`${vendor} cannot write it as JSON Schema (${reasonOf(error)}); ${advice}`, { cause: error });
  }
}

/** Valibot gives up at an action such as `check`; left out of the JSON Schema, it still counts when a value is validated. */
const LIBRARY_OPTIONS: Readonly<Record<string, Pick<StandardJsonSchemaOptions, 'libraryOptions'>>> = {
  valibot: { libraryOptions: { overrideAction: ({ jsonSchema }: { jsonSchema: object }) => jsonSchema } },
};

function adviceFor(vendor: string): string {
  if (vendor === 'valibot') return "wrap it in toStandardJsonSchema() of '@valibot/to-json-schema'";
  if (vendor === 'zod') return "make it with `import { z } from 'zod'`, version 4.2 or newer and not 'zod/mini'";
  return `use a version or wrapper of ${vendor} that offers '~standard'.jsonSchema`;
}

/** JSON Schema as JSON alone: without symbols, functions and classes, and apart from the author's object. */
function copied(schema: object): JSONSchema {
  if (!isPlain(schema))
    throw new TypeError(
      `it is neither JSON Schema nor a schema of a library that we know; use one of those, ${PLAIN_WAY}`,
    );
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  if (!isRecord(copy)) throw new TypeError('it is not a JSON object');
  return copy;
}

function isPlain(schema: object): boolean {
  if (typeof schema !== 'object' || Array.isArray(schema)) return false;
  const prototype: unknown = Object.getPrototypeOf(schema);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // also the Object of another realm
}

function reasonOf(error: unknown): string {
  if (isStackOverflow(error)) return 'it is nested too deeply';
  return errorMessage(error);
}
