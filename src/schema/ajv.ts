import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalJson, createResolver, type JSONSchema, subschemas, toFragment, walkJson } from '../core/index.ts';
import { type ValidatesAtPointer, withDefaultedOptional } from './defaults.ts';
import { describeIssues, toIssues } from './describe-error.ts';
import type { SchemaIssue } from './schema.ts';

/** A JSON Schema, compiled. */
export interface CompiledJsonSchema {
  /** What is wrong with the value; empty where it is valid. A very deep value may overflow the stack. */
  check(value: unknown): readonly SchemaIssue[];
  readonly fits: ValidatesAtPointer;
}

/** An ajv instance never forgets a schema, so after this many different ones a new instance takes over. */
const SCHEMAS_PER_INSTANCE = 1000;

interface Compiler {
  readonly firstError: Ajv2020;
  readonly allErrors: Ajv2020;
  /** By the canonical text of the schema. */
  readonly contracts: Map<string, CompiledJsonSchema>;
}

const require = createRequire(import.meta.url);

let compiler: Compiler | undefined;

/** Compiles a schema whose references are local; a text compiled before costs nothing. Throws an Error that says what is wrong with the schema. */
export function compileJsonSchema(schema: JSONSchema): CompiledJsonSchema {
  const text = canonicalJson(schema);
  const known = compiler?.contracts.get(text);
  if (known) return known;

  if (!compiler || compiler.contracts.size >= SCHEMAS_PER_INSTANCE) compiler = newCompiler();
  const contract = newContract(schema, `schema:${compiler.contracts.size}`, compiler);
  compiler.contracts.set(text, contract);
  return contract;
}

function newContract(schema: JSONSchema, key: string, { firstError, allErrors }: Compiler): CompiledJsonSchema {
  const lenient = withDefaultedOptional(schema);
  // By one of the two alone: to compile the schema of schemas takes longer than all that an environment brings.
  if (!allErrors.validateSchema(lenient)) {
    throw new Error(`it is not valid: ${describeIssues(toIssues(allErrors.errors ?? [], {}))}`);
  }
  const first = compiled(firstError, lenient);
  // All errors of a recursive union cost time exponential in the depth of the value: there, the first one must do.
  const all = isRecursive(lenient) ? undefined : () => compiled(allErrors, lenient);

  return {
    check(value) {
      if (first(value)) return [];
      // A hostile value may have a million errors.
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

function compiled(ajv: Ajv2020, schema: JSONSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (!(error instanceof Error && 'missingRef' in error)) throw error;
    const advice = "nothing is fetched, so put that schema under $defs and refer to it as '#/$defs/<name>'";
    throw new Error(`it refers to '${error.missingRef}', which it does not contain; ${advice}`, { cause: error });
  }
}

/** Loads ajv, which takes as long as all the rest of an environment. */
function newCompiler(): Compiler {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return { firstError: newAjv(Ajv2020, false), allErrors: newAjv(Ajv2020, true), contracts: new Map() };
}

function newAjv(Ajv: typeof Ajv2020, allErrors: boolean): Ajv2020 {
  const ajvFormats = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({
    strict: false, // authors' schemas may hold keywords of their own
    strictNumbers: true,
    allErrors,
    verbose: true,
    ownProperties: true,
    validateSchema: false, // `compiled` does it, with readable errors
    logger: false,
  });
  ajvFormats.default(ajv);
  return ajv;
}

const SMALL = 1000;

/** Returns true for a value that consists of at most a thousand values. */
function isSmall(value: unknown): boolean {
  let count = 0;
  for (const _ of walkJson(value)) if (++count > SMALL) return false;
  return true;
}

/** Whether a schema can hold itself; one with a reference of an unusual kind is taken to. */
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
