import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { errorMessage, pointerSegment, schemasIn, toFragment } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './load-spec.ts';

const AJV_OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  logger: false,
  inlineRefs: false,
  code: { source: true, esm: true, lines: true },
};

const VALIDATOR_TYPES = `/** Why a value was refused. */
export interface Invalid {
  /** JSON Pointer into the value. */
  instancePath: string;
  message?: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Tells whether a value is a \`T\`; \`errors\` says why the last one was not. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: null | Invalid[];
}
`;

/** What validators are made of. */
export interface ValidatorSource {
  /** A schema that holds the definitions. */
  readonly root: JsonObject;
  /** The keyword of the root under which the definitions are. */
  readonly keyword: '$defs' | 'definitions';
  /** Names of the definitions that get a validator; those that they refer to are compiled as well. */
  readonly names: readonly string[];
  readonly draft07: boolean;
  /** Imports of types, and the type of the table of validators. */
  readonly typeImport: string;
  readonly tableType: string;
}

/** Validators of every definition, compiled ahead of time, as a module. */
export function validatorsModule({ root, keyword, names, draft07, typeImport, tableType }: ValidatorSource): string {
  const code = names.length > 0 ? compiled(root, keyword, names, draft07) : '';
  const { imports, body } = withImports(code);
  const rows = names.map((name, index) => `  ${JSON.stringify(name)}: ${local(index)},`);
  return [
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
  ].join('\n');
}

/**
 * Returns the names of the definitions that get a validator: those wanted, or all.
 *
 * @throws GenerateError for a name that the schema does not define.
 */
export function validatedNames(defined: readonly string[], requested: readonly string[] = defined): readonly string[] {
  const unknown = requested.filter((name) => !defined.includes(name));
  if (unknown.length > 0) throw new GenerateError(`no definition is named ${unknown.join(', ')}`);
  return requested;
}

const local = (index: number): string => `definition${index}`;

function compiled(root: JsonObject, keyword: string, names: readonly string[], draft07: boolean): string {
  const ajv = draft07 ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS);
  formats.default(ajv);
  try {
    ajv.addSchema({ ...root, $id: 'spec' });
    const pointerTo = (name: string) => `spec${refTo(keyword, name)}`;
    // Ajv compiles a schema again for every place that refers to it, unless it was compiled before.
    for (const name of usedFirst(root[keyword], names)) ajv.getSchema(pointerTo(name));
    return standalone.default(ajv, Object.fromEntries(names.map((name, index) => [local(index), pointerTo(name)])));
  } catch (error) {
    const [reason] = errorMessage(error).replace('schema is invalid: data', '#').split(', data/');
    throw new GenerateError(`a schema is not valid: ${reason}`, { cause: error });
  }
}

/** Returns the named definitions and all that they refer to; each one after those that it refers to. */
function usedFirst(definitions: unknown, names: readonly string[]): string[] {
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
 * Ajv's module code loads its helpers by `require`, which an ES module does not have. Node gives a CommonJS module as
 * the default import, bundlers may give its own default: `helper` takes either.
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
