import { _, Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvEqual from 'ajv/dist/runtime/equal.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import {
  equalJson,
  errorMessage,
  isRecord,
  type JSONSchema,
  mapSchemas,
  ownProperty,
  schemasByName,
  schemasIn,
  withOwnLookups,
  withoutKeywords,
  withProtoPatterns,
} from '../core/index.ts';
import { GenerateError } from './load-spec.ts';
import { definitionName, referenceTo, type SchemaSet } from './schema-set.ts';

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
  readonly set: SchemaSet;
  /** Names of the definitions that get a validator; definitions that they refer to are compiled too. */
  readonly names: readonly string[];
  readonly draft07: boolean;
  /** Imports of types, and the type of the table of validators. */
  readonly typeImport: string;
  readonly tableType: string;
  /** Receives a sentence for every pattern that the validators ignore. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** Generates a module of validators, compiled ahead of time. */
export function validatorsModule(source: ValidatorSource): string {
  const { names, typeImport, tableType } = source;
  const code = names.length > 0 ? compile(source) : '';
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

function compile({ set, names, draft07, onNotice = () => {} }: ValidatorSource): string {
  const { pointer } = set;
  const definitions = mapSchemas({ definitions: set.definitions }, (schema, at) =>
    withUnicodePatterns(schema, (pattern) =>
      onNotice(
        `validators ignore the pattern ${pattern} at ${at.replace('/definitions', `#${pointer}`)}; JavaScript has no such regular expression`,
      ),
    ),
  ).definitions as SchemaSet['definitions'];
  const ajv = createAjv(draft07, AJV_OPTIONS, definitions);
  formats.default(ajv);
  try {
    ajv.addSchema(withProtoPatterns({ $id: 'spec', definitions }));
    const pointerTo = (name: string) => `spec${referenceTo(name)}`;
    // Ajv compiles a schema again for every reference to it, unless it was compiled before. It writes a function twice unless
    // all schemas are exported in the order in which they were compiled.
    const order = dependenciesFirst(definitions, names);
    for (const name of order) ajv.getSchema(pointerTo(name));
    const locals = new Map(names.map((name, index) => [name, local(index)]));
    const exports = order.map((name, index) => [locals.get(name) ?? `unused${index}`, pointerTo(name)]);
    return standalone.default(ajv, Object.fromEntries(exports)).replaceAll(/^export const unused.*$/gm, '');
  } catch (error) {
    const [reason] = errorMessage(error).replace('schema is invalid: data/definitions', `#${pointer}`).split(', data/');
    throw new GenerateError(`a schema is not valid: ${reason}`, { cause: error });
  }
}

/** Rewrites patterns for Unicode mode, and removes those for which that is impossible. */
function withUnicodePatterns(schema: JSONSchema, onRemoved: (pattern: string) => void): JSONSchema {
  let changed = schema;
  if (typeof schema.pattern === 'string') {
    const pattern = unicodePattern(schema.pattern);
    if (pattern === undefined) onRemoved(schema.pattern);
    changed = pattern === undefined ? withoutKeywords(schema, 'pattern') : { ...schema, pattern };
  }
  if (!isRecord(schema.patternProperties)) return changed;
  const written = Object.entries(schemasByName(schema, 'patternProperties'));
  const kept = written.flatMap(([pattern, property]) => {
    const unicode = unicodePattern(pattern);
    if (unicode === undefined) onRemoved(pattern);
    return unicode === undefined ? [] : [[unicode, property]];
  });
  // Other properties may match a removed pattern.
  const isComplete = kept.length === written.length;
  const open = isComplete ? changed : withoutKeywords(changed, 'additionalProperties', 'unevaluatedProperties');
  return { ...open, patternProperties: Object.fromEntries(kept) };
}

/** Returns the named definitions and those that they refer to, sorted so that dependencies come first. */
function dependenciesFirst(definitions: SchemaSet['definitions'], names: readonly string[]): string[] {
  const order = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { schema } of schemasIn(ownProperty(definitions, name))) {
      const used = definitionName(schema.$ref);
      if (used !== undefined) visit(used);
    }
    order.add(name);
  };
  names.forEach(visit);
  return [...order];
}

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

/** Names that every object inherits, as JSON. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name));

/** Creates an instance of ajv for schemas whose properties may have names of `Object.prototype`. */
export function createAjv(draft07: boolean, options: Options, schemas: object): Ajv {
  const json = JSON.stringify(schemas);
  // The checks of own properties make a validator larger, and only these names need them.
  const ownProperties = INHERITED.some((name) => json.includes(name));
  const ajv = draft07 ? new Ajv({ ...options, ownProperties }) : new Ajv2020({ ...options, ownProperties });
  ajv.scope.value('func', { key: ajvEqual.default, ref: equalJson, code: _`equal` });
  return ajv;
}

/**
 * Changes a generated module so that it finds only own properties, and adds the function that compares values. In an
 * object literal, `__proto__` must be a computed key; within texts, its quotes are escaped.
 */
function withOwnProperties(module: string): string {
  const own = withOwnLookups(module).replaceAll(/(?<=[{,]\s*)"__proto__":/g, '["__proto__"]:');
  return / = equal;$/m.test(own) ? own + EQUAL : own;
}

/** Compares JSON values. That of ajv calls `valueOf` and `toString` of the data. */
const EQUAL = `
function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const isOwn = (key) => Object.prototype.hasOwnProperty.call(other, key);
  return keys.length === Object.keys(other).length && keys.every((key) => isOwn(key) && equal(one[key], other[key]));
}
`;

/**
 * Returns a regular expression with the same meaning that is valid in Unicode mode, which JSON Schema requires: many
 * documents have `\-` or `{` where that mode allows neither. Returns undefined if there is none, for example for patterns of
 * other languages.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (isValid(pattern, 'u')) return pattern;
  if (!isValid(pattern, '')) return undefined;
  const tokens = pattern.match(/\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\{\d+(?:,\d*)?\}|./gis) ?? [];
  let inClass = false;
  const rewritten = tokens.map((token, index) => {
    if (token === '[' || token === ']') {
      const isLiteral = token === '[' ? inClass : !inClass;
      inClass = token === '[' || (inClass && token !== ']');
      return isLiteral ? `\\${token}` : token;
    }
    if (/^\\[^\da-z^$\\.*+?()[\]{}|/]$/i.test(token)) return token === '\\-' && inClass ? token : token.slice(1);
    if (!inClass) return token === '{' || token === '}' ? `\\${token}` : token;
    const isBesideClass = [tokens[index - 1], tokens[index + 1]].some((other) => /^\\[dsw]$/i.test(other ?? ''));
    return token === '-' && isBesideClass ? '\\-' : token;
  });
  const unicode = rewritten.join('');
  return isValid(unicode, 'u') ? unicode : undefined;
}

function isValid(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
