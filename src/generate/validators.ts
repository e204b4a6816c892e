import type { Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { errorMessage, pointerSegment, schemasIn, toFragment, withProtoPatterns } from '../core/index.ts';
import { GenerateError, type JsonObject } from './load-spec.ts';
import { createAjv, withOwnProperties } from './own-properties.ts';

const AJV_OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  logger: false,
  inlineRefs: false,
  code: { source: true, esm: true, lines: true },
};

const VALIDATOR_TYPES = `/** Reason why a value is invalid. */
export interface Invalid {
  /** JSON Pointer to the invalid part of the value. */
  instancePath: string;
  message?: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Returns whether a value is a \`T\`; \`errors\` has the reasons why the last value was not. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | Invalid[];
}
`;

/** Input of a module of validators. */
interface ValidatorSource {
  /** Schema that contains the definitions. */
  readonly root: JsonObject;
  /** Keyword of the definitions. */
  readonly keyword: '$defs' | 'definitions';
  /** Names of the definitions that get a validator; definitions that they refer to are compiled too. */
  readonly names: readonly string[];
  readonly draft07: boolean;
  /** Imports of types, and the type of the table of validators. */
  readonly typeImport: string;
  readonly tableType: string;
}

/** Generates a module of validators, compiled ahead of time. */
export function validatorsModule({ root, keyword, names, draft07, typeImport, tableType }: ValidatorSource): string {
  const code = names.length > 0 ? compile(root, keyword, names, draft07) : '';
  const { imports, body } = withImports(code);
  const rows = names.map((name, index) => `  ${JSON.stringify(name)}: ${local(index)},`);
  const lines = [
    ...imports,
    typeImport,
    '',
    VALIDATOR_TYPES,
    body,
    '/** One validator per schema. */',
    `export const validators: ${tableType} = {`,
    ...rows,
    '};',
    '',
  ];
  return withOwnProperties(lines.join('\n'));
}

/**
 * Returns the names of the definitions that get a validator: the requested ones, by default all.
 *
 * @throws GenerateError for a name that the schema does not define.
 */
export function validatedNames(defined: readonly string[], requested: readonly string[] = defined): readonly string[] {
  const unknown = requested.filter((name) => !defined.includes(name));
  if (unknown.length > 0) throw new GenerateError(`no definition is named ${unknown.join(', ')}`);
  return requested;
}

const local = (index: number): string => `definition${index}`;

function compile(root: JsonObject, keyword: string, names: readonly string[], draft07: boolean): string {
  const ajv = createAjv(draft07, AJV_OPTIONS, root);
  formats.default(ajv);
  try {
    ajv.addSchema(withProtoPatterns({ ...root, $id: 'spec' }));
    const pointerTo = (name: string) => `spec${refTo(keyword, name)}`;
    // Ajv compiles a schema again for every reference to it, unless it was compiled before.
    for (const name of dependenciesFirst(root[keyword], names)) ajv.getSchema(pointerTo(name));
    return standalone.default(ajv, Object.fromEntries(names.map((name, index) => [local(index), pointerTo(name)])));
  } catch (error) {
    const [reason] = errorMessage(error).replace('schema is invalid: data', '#').split(', data/');
    throw new GenerateError(`a schema is not valid: ${reason}`, { cause: error });
  }
}

/** Returns the named definitions and those that they refer to, sorted so that dependencies come first. */
function dependenciesFirst(definitions: unknown, names: readonly string[]): string[] {
  const defined = Object.keys(Object(definitions));
  const order = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const used = new Set(Array.from(schemasIn(Reflect.get(Object(definitions), name)), ({ schema }) => schema.$ref));
    for (const other of defined) if (KEYWORDS.some((keyword) => used.has(refTo(keyword, other)))) visit(other);
    order.add(name);
  };
  names.forEach(visit);
  return [...order];
}

const KEYWORDS = ['$defs', 'definitions'];

const refTo = (keyword: string, name: string): string => toFragment(`/${keyword}${pointerSegment(name)}`);

/**
 * Replaces `require` in Ajv's module code, which ES modules do not have, by imports. The default import of a CommonJS
 * module is the module itself in Node but may be its own default in bundlers: `helper` accepts both.
 */
function withImports(code: string): { imports: string[]; body: string } {
  const modules: string[] = [];
  const body = code
    .replace(/^"use strict";\s*/, '')
    .replaceAll(/^export const (definition\d+ = )/gm, 'const $1')
    .replaceAll(/require\("([^"]+)"\)(\.default)?/g, (_, name: string) => {
      if (!modules.includes(name)) modules.push(name);
      return `helper(helper${modules.indexOf(name)})`;
    });
  const imports = modules.map((name, index) => `import * as helper${index} from '${name}.js';`);
  const helper = 'function helper(module) {\n  return module.default?.default ?? module.default ?? module;\n}\n\n';
  return { imports, body: modules.length > 0 ? helper + body : body };
}
