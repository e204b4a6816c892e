import { canonicalJson, isRecord, joinWords, plural } from '../../../../core/index.ts';
import type { JSONObject, JSONValue } from '../../../../protocol/index.ts';
import { matches, NUMBER_CHECKS, STRING_CHECKS, type ValueCheck } from './check-values.ts';
import { asSchema, lookUp, type Schema, typesOf } from './schema.ts';

/** Where a value stands within the input: names of properties and places in lists. */
export type Path = readonly (string | number)[];

/** What is wrong with a value, and where. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

interface At {
  readonly path: Path;
  readonly root: Schema;
  readonly depth: number;
}

/** A schema that refers to itself without an end is left to the server. */
const DEEPEST = 64;

/**
 * What keeps a value from being valid, as far as people who fill a form in want to know before they send it; the
 * server has the last word. Takes no code out of the schema to run, as the page's security policy demands.
 * Formats and keywords that it does not know hold. Source: JSON Schema 2020-12, validation vocabulary.
 */
export function check(schema: Schema, value: JSONValue, root: Schema = schema, path: Path = []): readonly Problem[] {
  return checkAt(schema, value, { path, root, depth: 0 });
}

type Check = (schema: Schema, value: JSONValue, at: At) => readonly Problem[];

function checkAt(schema: Schema, value: JSONValue, at: At): readonly Problem[] {
  if (at.depth > DEEPEST) return [];
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [problem(at, `must be ${joinWords(types.map(named), { conjunction: 'or' })}, not ${named(typeOf(value))}`)];
  const deeper = { ...at, depth: at.depth + 1 };
  return [checkReference, checkConstants, checkSimple, checkObject, checkList, checkBranches].flatMap((each) =>
    each(schema, value, deeper),
  );
}

const isValid = (schema: JSONValue, value: JSONValue, at: At): boolean =>
  checkAt(asSchema(schema), value, at).length === 0;

const problem = ({ path }: At, message: string): Problem => ({ path, message });

const below = (at: At, step: string | number): At => ({ ...at, path: [...at.path, step] });

function typeOf(value: JSONValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isOfType = (value: JSONValue, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
const named = (type: string): string => NAMES[type] ?? type;

const checkReference: Check = ({ $ref }, value, at) => {
  const target = typeof $ref === 'string' ? lookUp(at.root, $ref) : undefined;
  return target === undefined ? [] : checkAt(asSchema(target), value, at);
};

const checkConstants: Check = (schema, value, at) => {
  const own = canonicalJson(value);
  if (schema.const !== undefined && canonicalJson(schema.const) !== own)
    return [problem(at, `must be ${JSON.stringify(schema.const)}`)];
  if (!Array.isArray(schema.enum) || schema.enum.some((each) => canonicalJson(each) === own)) return [];
  return [problem(at, `must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`)];
};

const checkSimple: Check = (schema, value, at) => {
  const checks: Readonly<Record<string, ValueCheck<never>>> =
    typeof value === 'string' ? STRING_CHECKS : typeof value === 'number' ? NUMBER_CHECKS : {};
  return Object.entries(checks).flatMap(([keyword, holds]) => {
    const limit = schema[keyword];
    const message = limit === undefined ? undefined : holds(limit, value as never);
    return message === undefined ? [] : [problem(at, message)];
  });
};

const checkObject: Check = (schema, value, at) => {
  if (!isRecord(value)) return [];
  const object = value as JSONObject;
  const names = Object.keys(object);
  const { minProperties: least, maxProperties: most, propertyNames } = schema;
  return [
    ...(typeof least === 'number' && names.length < least
      ? [problem(at, `must have at least ${least} properties`)]
      : []),
    ...(typeof most === 'number' && names.length > most ? [problem(at, `may have at most ${most} properties`)] : []),
    ...missing(schema, object).map((name) => problem(below(at, name), 'is required')),
    ...names.flatMap((name) => checkProperty(schema, name, object[name] as JSONValue, at)),
    ...(propertyNames === undefined
      ? []
      : names
          .filter((name) => !isValid(propertyNames, name, at))
          .map((name) => problem(below(at, name), 'may not have this name'))),
    ...entries(schema.dependentSchemas)
      .filter(([name]) => Object.hasOwn(object, name))
      .flatMap(([, each]) => checkAt(asSchema(each), value as JSONValue, at)),
  ];
};

const entries = (value: unknown): [string, JSONValue][] => (isRecord(value) ? Object.entries(value as JSONObject) : []);

function missing({ required, dependentRequired }: Schema, object: JSONObject): readonly string[] {
  const dependent = entries(dependentRequired).filter(([name]) => Object.hasOwn(object, name));
  const names = [required, ...dependent.map(([, each]) => each)].flatMap((each) => (Array.isArray(each) ? each : []));
  return [...new Set(names.map(String))].filter((name) => !Object.hasOwn(object, name));
}

function checkProperty(schema: Schema, name: string, value: JSONValue, at: At): readonly Problem[] {
  const { additionalProperties: others } = schema;
  const own = isRecord(schema.properties) && Object.hasOwn(schema.properties, name) ? [schema.properties[name]] : [];
  const byPattern = entries(schema.patternProperties).flatMap(([pattern, each]) =>
    matches(pattern, name) ? [each] : [],
  );
  const place = below(at, name);
  const known = [...own, ...byPattern] as JSONValue[];
  if (known.length > 0) return known.flatMap((each) => checkAt(asSchema(each), value, place));
  if (others === false) return [problem(place, 'is not a property that this tool knows')];
  return others === undefined ? [] : checkAt(asSchema(others), value, place);
}

const checkList: Check = (schema, value, at) => {
  if (!Array.isArray(value)) return [];
  const { minItems: least, maxItems: most, uniqueItems, prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? schema.additionalItems : items;
  return [
    ...(typeof least === 'number' && value.length < least ? [problem(at, `must have at least ${amount(least)}`)] : []),
    ...(typeof most === 'number' && value.length > most ? [problem(at, `may have at most ${amount(most)}`)] : []),
    ...(uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length
      ? [problem(at, 'may have no entry twice')]
      : []),
    ...value.flatMap((item, index) => {
      const own = first[index] ?? rest;
      return own === undefined ? [] : checkAt(asSchema(own), item, below(at, index));
    }),
    ...checkContains(schema, value, at),
  ];
};

const amount = (entries: number) => plural(entries, 'entry', 'entries');

function checkContains({ contains, minContains, maxContains }: Schema, value: JSONValue[], at: At): readonly Problem[] {
  if (contains === undefined) return [];
  const found = value.filter((item) => isValid(contains, item, at)).length;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : value.length;
  return found >= least && found <= most
    ? []
    : [problem(at, `must have ${least === most ? least : `at least ${least}`} entries of another kind; ${found} are`)];
}

const checkBranches: Check = (schema, value, at) => {
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  const consequence = condition === undefined ? undefined : isValid(condition, value, at) ? schema.then : schema.else;
  return [
    ...(Array.isArray(allOf) ? allOf.flatMap((each) => checkAt(asSchema(each), value, at)) : []),
    ...(Array.isArray(anyOf) ? checkSome(anyOf, value, at, anyOf.length) : []),
    ...(Array.isArray(oneOf) ? checkSome(oneOf, value, at, 1) : []),
    ...(not !== undefined && isValid(not, value, at) ? [problem(at, 'is a value that is not allowed here')] : []),
    ...(consequence === undefined ? [] : checkAt(asSchema(consequence), value, at)),
  ];
};

/** Of alternatives that all do not fit, the one that is nearest tells what is wrong. */
function checkSome(branches: readonly JSONValue[], value: JSONValue, at: At, most: number): readonly Problem[] {
  const found = branches.map((each) => checkAt(asSchema(each), value, at));
  const fitting = found.filter(({ length }) => length === 0).length;
  if (fitting > most) return [problem(at, `fits ${fitting} of the forms that it can have; it may fit one only`)];
  if (fitting > 0) return [];
  const isElsewhere = (problems: readonly Problem[]) => problems.every(({ path }) => path.length > at.path.length);
  const [nearest] = [...found].sort((a, b) => Number(isElsewhere(b)) - Number(isElsewhere(a)) || a.length - b.length);
  return nearest ?? [problem(at, 'has no form that is allowed')];
}
