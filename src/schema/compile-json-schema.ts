import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import {
  appendAll,
  canonicalJson,
  compareOwnProperties,
  createResolver,
  danglingReference,
  findCircularReference,
  type JSONSchema,
  OWN_PROPERTY_OPTIONS,
  subschemas,
  toFragment,
  withProtoPatterns,
} from '../core/index.ts';
import { type ValidatesAtPointer, withDefaultedOptional } from './defaults.ts';
import { toIssues } from './describe-issues.ts';
import type { ValueIssue } from './schema.ts';

/** Compiled JSON Schema. */
export interface CompiledJsonSchema {
  /** Returns the issues of a value; empty for a valid one. A very deep value may overflow the stack. */
  check(value: unknown): readonly ValueIssue[];
  readonly fits: ValidatesAtPointer;
}

/** Number of schemas after which a new ajv instance is created, because an instance never releases a schema. */
const SCHEMAS_PER_INSTANCE = 1000;

interface Compiler {
  readonly firstError: Ajv2020;
  readonly allErrors: Ajv2020;
  /** Compiled schemas by their canonical JSON. */
  readonly schemas: Map<string, CompiledJsonSchema>;
}

const require = createRequire(import.meta.url);

let compiler: Compiler | undefined;

/**
 * Compiles a schema with local references only; caches the result by its JSON.
 *
 * @throws Error that describes what is invalid in the schema.
 */
export function compileJsonSchema(schema: JSONSchema): CompiledJsonSchema {
  const json = canonicalJson(schema);
  const cached = compiler?.schemas.get(json);
  if (cached) return cached;

  if (!compiler || compiler.schemas.size >= SCHEMAS_PER_INSTANCE) compiler = createCompiler();
  const compiled = compileWith(schema, `schema:${compiler.schemas.size}`, compiler);
  compiler.schemas.set(json, compiled);
  return compiled;
}

function compileWith(schema: JSONSchema, key: string, { firstError, allErrors }: Compiler): CompiledJsonSchema {
  const lenient = withProtoPatterns(withDefaultedOptional(schema));
  const dangling = danglingReference(lenient);
  if (dangling !== undefined) throw new Error(danglingMessage(dangling));
  const circular = findCircularReference(schema);
  if (circular !== undefined) throw new Error(`its $ref at ${circular} leads back to itself`);
  const first = compileByAjv(firstError, lenient);
  // Finding all errors of a recursive union takes time exponential in the depth of the value.
  const all = isRecursive(lenient) ? undefined : () => compileByAjv(allErrors, lenient);

  return {
    check(value) {
      if (first(value)) return [];
      // A large value may have a million errors.
      if (!all || !isSmall(value)) return toIssues(first.errors ?? [], lenient);
      const validate = all();
      validate(value);
      return toIssues(validate.errors ?? [], lenient);
    },
    fits(pointer, value) {
      if (!firstError.schemas[key]) firstError.addSchema(lenient, key);
      return firstError.validate(key + toFragment(pointer), value);
    },
  };
}

function compileByAjv(ajv: Ajv2020, schema: JSONSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (!(error instanceof Error && 'missingRef' in error)) throw error;
    throw new Error(danglingMessage(error.missingRef), { cause: error });
  }
}

const danglingMessage = (reference: unknown): string =>
  `it refers to '${reference}', which it does not contain; schemas are not fetched; put that schema under $defs and refer ` +
  "to it as '#/$defs/<name>'";

/** Loads ajv on demand, because that takes as long as loading the rest of an environment. */
function createCompiler(): Compiler {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return { firstError: createAjv(Ajv2020, false), allErrors: createAjv(Ajv2020, true), schemas: new Map() };
}

function createAjv(Ajv: typeof Ajv2020, allErrors: boolean): Ajv2020 {
  const ajvFormats = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({
    strict: false, // schemas of authors may have unknown keywords
    strictNumbers: true,
    allErrors,
    verbose: true,
    ...OWN_PROPERTY_OPTIONS,
    validateSchema: false, // `toSchema` does it, and compiling the meta-schema is slow
    logger: false,
  });
  compareOwnProperties(ajv, require('ajv/dist/runtime/equal').default);
  ajvFormats.default(ajv);
  return ajv;
}

/** Maximum number of nested values for which all errors are collected. */
const MAX_VALUES = 1000;

function isSmall(value: unknown): boolean {
  const values = [value];
  for (const each of values) {
    if (typeof each === 'object' && each !== null) appendAll(values, Object.values(each));
    if (values.length > MAX_VALUES) return false;
  }
  return true;
}

/** Returns true for a schema that can contain itself; also for references that cannot be resolved here. */
function isRecursive(document: JSONSchema): boolean {
  const resolver = createResolver(document);
  const open = new Set<JSONSchema>();
  const done = new Set<JSONSchema>();

  const visit = (schema: JSONSchema | boolean | undefined): boolean => {
    if (typeof schema === 'boolean') return false;
    if (schema === undefined || open.has(schema) || '$dynamicRef' in schema) return true;
    if (done.has(schema)) return false;
    open.add(schema);
    const target = '$ref' in schema ? [resolver.resolve(schema.$ref)?.schema] : [];
    const recursive = [...subschemas(schema).map((child) => child.schema), ...target].some(visit);
    open.delete(schema);
    done.add(schema);
    return recursive;
  };
  return visit(document);
}
