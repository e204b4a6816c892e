import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { createResolver, isRecord, isSchema, type JSONSchema, previewJson, toFragment } from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';

export type Schema = JSONSchema | boolean;
/** Schemas that all hold for the same value. */
export type Schemas = readonly Schema[];

/** A stranger's schema, ready to make values of it. */
export interface CompiledSchema {
  readonly root: Schema;
  /** Returns the schema that a reference within `from` leads to; undefined if there is none. */
  readonly follow: (reference: unknown, from: JSONSchema) => Schema | undefined;
  /** Whether an input is valid. */
  readonly accepts: (input: unknown) => boolean;
  /** Whether an input is invalid for everybody, those who take no notice of `format` among them. */
  readonly refuses: (input: unknown) => boolean;
  /** Whether a value matches parts of the schema; those that do not stand in it are passed over. */
  readonly fits: (parts: Schemas, value: unknown) => boolean;
  /** Texts that ought to match a pattern. */
  readonly matching: (pattern: string) => readonly string[];
}

type SchemaDialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

const DIALECTS: readonly (readonly [RegExp, SchemaDialect])[] = [
  [/\/2020-12\/|json-schema\.org\/schema#?$/, Ajv2020],
  [/\/2019-09\//, Ajv2019],
  [/\/draft-0[467]\//, Ajv],
];

/** What references inside of a schema are relative to, where it does not say. */
const OUR_ID = 'input';

/** Compiles a stranger's schema. Throws Untestable where it is none. */
export function compileSchema(value: unknown, matching: CompiledSchema['matching']): CompiledSchema {
  if (!isSchema(value)) throw new UntestableError(`it is not a JSON Schema but ${previewJson(value)}`);
  const { dialect, schema } = understood(value);
  const id = isRecord(schema) && typeof schema.$id === 'string' ? schema.$id.replace(/#$/, '') : OUR_ID;
  const root = isRecord(schema) ? { ...schema, $id: id } : schema;
  const ajv = newAjv(dialect, { validateSchema: false });
  const verdict = verdicts(compiled(ajv, root));
  const lenientVerdict = JSON.stringify(root).includes('"format"')
    ? verdicts(compiled(newAjv(dialect, { validateSchema: false, validateFormats: false }), root))
    : verdict;
  const resolver = createResolver(root);
  const parts = new Map<JSONSchema, (value: unknown) => boolean>();

  /** Whether a part lets a value through. Where a part cannot be asked alone, the whole will tell. */
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

/** The dialect that a schema names. Where it names none, the first of the common two that it is valid in. */
function understood(value: Schema): { readonly dialect: SchemaDialect; readonly schema: Schema } {
  if (!isRecord(value)) return { dialect: Ajv2020, schema: value };
  // An asynchronous schema would answer with promises.
  const { $schema, $async, ...schema } = value;
  const named = DIALECTS.find(([uri]) => uri.test(String($schema)));
  if ($schema !== undefined && !named)
    throw new UntestableError(`its $schema ${JSON.stringify($schema)} is unknown here`);
  const dialects = named ? [named[1]] : [Ajv2020, Ajv];
  const errors = dialects.map((each) => errorIn(each, schema));
  const dialect = dialects.find((_, index) => errors[index] === undefined);
  if (!dialect) throw new UntestableError(`it is not valid: ${errors[0]}`);
  return { dialect, schema };
}

/** To compile a dialect's own schema takes long, so there is one of each. */
const judges = new Map<SchemaDialect, Ajv>();

/** What is wrong with a schema by the rules of a dialect. */
function errorIn(dialect: SchemaDialect, schema: Schema): string | undefined {
  const judge = judges.get(dialect) ?? newAjv(dialect, { messages: true });
  judges.set(dialect, judge);
  if (judge.validateSchema(schema)) return undefined;
  const [error] = judge.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message}`;
}

function newAjv(Dialect: SchemaDialect, options: Options): Ajv {
  const ajv = new Dialect({
    strict: false,
    strictNumbers: true,
    ownProperties: true,
    logger: false,
    // To make the code small takes longer than to run it as it is.
    code: { optimize: false, regExp: Object.assign(regExp, { code: 'regExp' }) },
    ...options,
  });
  ajvFormats.default(ajv);
  return ajv.addFormat('regex', (pattern: string) => isPattern(pattern));
}

function compiled(ajv: Ajv, schema: Schema): (value: unknown) => boolean {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    if (!(error instanceof Ajv.MissingRefError)) throw new UntestableError(`it does not compile: ${error.message}`);
    const reference = error.missingRef.replace(new RegExp(`^${OUR_ID}(?=#)`), '');
    throw new UntestableError(`it refers to '${reference}', which it does not contain, and nothing is fetched`);
  }
}

/** A few values, such as an object with a key `toString` among unique items, are beyond ajv: there is no verdict on them. */
function verdicts(validate: (value: unknown) => boolean) {
  return (value: unknown): 'valid' | 'invalid' | undefined => {
    try {
      return validate(value) ? 'valid' : 'invalid';
    } catch (error) {
      // That is the schema's doing.
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  };
}

function isPattern(text: string): boolean {
  try {
    return Boolean(regExp(text));
  } catch {
    return false;
  }
}

/** A pattern as JSON Schema reads it; one that is none with the flag `u` is read without. Throws where it is none at all. */
export function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

export const matches = (pattern: string, text: string): boolean => regExp(pattern).test(text);
