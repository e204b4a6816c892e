import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvEqual from 'ajv/dist/runtime/equal.js';
import ajvFormats from 'ajv-formats';
import {
  compareOwnProperties,
  createResolver,
  danglingReference,
  isRecord,
  isSchema,
  type JSONSchema,
  OWN_PROPERTY_OPTIONS,
  previewJson,
  toFragment,
  withProtoPatterns,
} from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';

export type SchemaOrBoolean = JSONSchema | boolean;
/** Schemas that must all match the same value. */
export type Schemas = readonly SchemaOrBoolean[];

/** An untrusted schema, prepared for generating values. */
export interface CompiledSchema {
  readonly root: SchemaOrBoolean;
  /** Resolves a reference within `from`; undefined if it does not resolve. */
  readonly follow: (reference: unknown, from: JSONSchema) => SchemaOrBoolean | undefined;
  /** Returns whether an input is valid. */
  readonly accepts: (input: unknown) => boolean;
  /** Returns whether an input is invalid, also for validators that ignore `format`. */
  readonly refuses: (input: unknown) => boolean;
  /** Returns whether a value matches parts of the schema; ignores schemas that are not part of it. */
  readonly fits: (parts: Schemas, value: unknown) => boolean;
  /** Returns texts that should match a pattern. */
  readonly matching: (pattern: string) => readonly string[];
}

type SchemaDialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

const DIALECTS: readonly (readonly [RegExp, SchemaDialect])[] = [
  [/\/2020-12\/|json-schema\.org\/schema#?$/, Ajv2020],
  [/\/2019-09\//, Ajv2019],
  [/\/draft-0[467]\//, Ajv],
];

/** Base of relative references in a schema without `$id`. */
const OUR_ID = 'input';

/** Compiles an untrusted schema. @throws UntestableError if it is not valid */
export function compileSchema(value: unknown, matching: CompiledSchema['matching']): CompiledSchema {
  if (!isSchema(value)) throw new UntestableError(`it is not a JSON Schema but ${previewJson(value)}`);
  const { dialect, schema } = chooseDialect(value);
  const id = isRecord(schema) && typeof schema.$id === 'string' ? schema.$id.replace(/#$/, '') : OUR_ID;
  const root = isRecord(schema) ? withProtoPatterns({ ...schema, $id: id }) : schema;
  const dangling = isRecord(root) ? danglingReference(root) : undefined;
  if (dangling !== undefined) throw danglingError(dangling);
  const ajv = newAjv(dialect, { validateSchema: false });
  const verdict = verdicts(compiled(ajv, root));
  const lenientVerdict = JSON.stringify(root).includes('"format"')
    ? verdicts(compiled(newAjv(dialect, { validateSchema: false, validateFormats: false }), root))
    : verdict;
  const resolver = createResolver(root);
  const parts = new Map<JSONSchema, (value: unknown) => boolean>();

  /** Validates a value by a part of the schema; true if the part cannot be compiled alone. */
  const check = (part: JSONSchema, value: unknown): boolean => {
    const pointer = resolver.pointerOf(part);
    if (pointer === undefined) return true;
    try {
      const known = parts.get(part) ?? compiled(ajv, { $ref: id + toFragment(pointer) });
      parts.set(part, known);
      return known(value);
    } catch {
      parts.set(part, () => true);
      return true;
    }
  };
  return {
    root,
    follow: (reference, from) => resolver.resolve(reference, from)?.schema,
    matching,
    accepts: (input) => verdict(input) === 'valid',
    refuses: (input) => verdict(input) === 'invalid' && lenientVerdict(input) === 'invalid',
    fits: (all, value) => all.every((part) => (typeof part === 'boolean' ? part : check(part, value))),
  };
}

/** Returns the dialect of a schema; without `$schema`, the first of the two common ones in which it is valid. */
function chooseDialect(value: SchemaOrBoolean): { readonly dialect: SchemaDialect; readonly schema: SchemaOrBoolean } {
  if (!isRecord(value)) return { dialect: Ajv2020, schema: value };
  // Validators of asynchronous schemas return promises.
  const { $schema, $async, ...schema } = value;
  const named = DIALECTS.find(([uri]) => uri.test(String($schema)));
  if ($schema !== undefined && !named)
    throw new UntestableError(`its $schema ${JSON.stringify($schema)} is not supported`);
  const dialects = named ? [named[1]] : [Ajv2020, Ajv];
  const errors = dialects.map((each) => errorIn(each, schema));
  const dialect = dialects.find((_, index) => errors[index] === undefined);
  if (!dialect) throw new UntestableError(`it is not valid: ${errors[0]}`);
  return { dialect, schema };
}

/** One validator of schemas per dialect, because compiling a meta-schema is slow. */
const metaValidators = new Map<SchemaDialect, Ajv>();

/** Returns what is wrong with a schema in a dialect; undefined if it is valid. */
function errorIn(dialect: SchemaDialect, schema: SchemaOrBoolean): string | undefined {
  const metaValidator = metaValidators.get(dialect) ?? newAjv(dialect, { messages: true });
  metaValidators.set(dialect, metaValidator);
  if (metaValidator.validateSchema(schema)) return undefined;
  const [error] = metaValidator.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message}`;
}

function newAjv(Dialect: SchemaDialect, options: Options): Ajv {
  const ajv = new Dialect({
    strict: false,
    strictNumbers: true,
    logger: false,
    ...OWN_PROPERTY_OPTIONS,
    // Optimizing the generated code takes longer than running it.
    code: { ...OWN_PROPERTY_OPTIONS.code, optimize: false, regExp: Object.assign(parsePattern, { code: 'regExp' }) },
    ...options,
  });
  compareOwnProperties(ajv, ajvEqual.default);
  ajvFormats.default(ajv);
  return ajv.addFormat('regex', (pattern: string) => isPattern(pattern));
}

function compiled(ajv: Ajv, schema: SchemaOrBoolean): (value: unknown) => boolean {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    if (!(error instanceof Ajv.MissingRefError)) throw new UntestableError(`it does not compile: ${error.message}`);
    throw danglingError(error.missingRef.replace(new RegExp(`^${OUR_ID}(?=#)`), ''));
  }
}

const danglingError = (reference: string): UntestableError =>
  new UntestableError(`it refers to '${reference}', which it does not contain; references are not fetched`);

/** Wraps a validator: undefined if it throws, so that an odd schema does not end the run. */
function verdicts(validate: (value: unknown) => boolean) {
  return (value: unknown): 'valid' | 'invalid' | undefined => {
    try {
      return validate(value) ? 'valid' : 'invalid';
    } catch (error) {
      // The recursion of the schema causes it, not the value.
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  };
}

/** Parses a pattern with the flag `u`, or without it if that fails. @throws SyntaxError if both fail */
export function parsePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

export function isPattern(text: string): boolean {
  try {
    return Boolean(parsePattern(text));
  } catch {
    return false;
  }
}

export const matches = (pattern: string, text: string): boolean => parsePattern(pattern).test(text);
