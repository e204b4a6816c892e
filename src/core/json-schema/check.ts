import { canonicalJson, equalJson } from '../canonical-json.ts';
import { fieldsOf, isJsonType, isRecord, type JSONObject, type JSONValue, jsonTypeOf } from '../json.ts';
import { pointerSegment } from '../json-pointer.ts';
import { namedTypes } from './describe.ts';
import type { SchemaBudget } from './flatten.ts';
import { choicePhrase, expectedPhrase, issuePhrase, typePhrase } from './phrases.ts';
import { createResolver, type SchemaResolver } from './resolve.ts';
import { type JSONSchema, listAt, schemasByName } from './walk.ts';

/** Violation of a schema in a value. */
export interface SchemaIssue {
  /** JSON pointer to the invalid part; empty for the value itself. */
  readonly path: string;
  readonly keyword: string;
  /** Sentence without its subject, such as `must be a number`. */
  readonly message: string;
  /** Valid types or values, as phrases; empty if the message is about something else. */
  readonly expected: readonly string[];
}

export interface CheckOptions {
  /** Resolves references of the schema. @default a resolver of the schema itself */
  readonly resolver?: SchemaResolver;
  /** Maximum number of visited schemas. @default 10_000 */
  readonly budget?: SchemaBudget;
}

/** Place in the value; `state` is that of the whole check. */
interface Position {
  readonly path: string;
  readonly depth: number;
  readonly state: {
    readonly resolver: SchemaResolver;
    readonly budget: SchemaBudget;
    /** Number of parts that cannot be checked. */
    unknowns: number;
  };
}

type Check = (schema: JSONSchema, value: JSONValue, at: Position) => readonly SchemaIssue[];

/** Maximum depth of nested schemas, including references. */
const MAX_DEPTH = 64;
/** Maximum length for patterns: the time of some doubles with each character, and a search cannot be stopped. */
const MAX_MATCHED = 20;

/**
 * Validates a value without generating code from the schema, for feedback to people; the server decides. Reports only
 * certain issues, and accepts what it cannot check: formats, patterns on texts over 20 characters, `unevaluated…`,
 * `$dynamicRef`, unresolvable references, and the rest when the budget is used up. Never throws.
 * Source: JSON Schema 2020-12, validation vocabulary.
 */
export function checkValue(schema: unknown, value: JSONValue, options: CheckOptions = {}): readonly SchemaIssue[] {
  const { resolver = createResolver(schema), budget = { left: 10_000 } } = options;
  return issuesAt(schema, value, { path: '', depth: 0, state: { resolver, budget, unknowns: 0 } });
}

const CHECKS: readonly Check[] = [
  checkReference,
  checkChoices,
  checkLimits,
  checkObject,
  checkArray,
  checkAlternatives,
  checkConditions,
];

function issuesAt(schema: unknown, value: JSONValue, at: Position): readonly SchemaIssue[] {
  if (schema === false) return [issue(at, 'false schema')];
  if (!isRecord(schema)) return [];
  if (at.depth > MAX_DEPTH || at.state.budget.left-- <= 0) return unknown(at);
  const types = namedTypes(schema);
  const isNullable = value === null && schema.nullable === true; // OpenAPI 3.0, which servers accept
  if (types.length > 0 && !isNullable && !types.some((type) => isOfType(value, type))) {
    return [expectation(at, 'type', types.map(typePhrase))];
  }
  const deeper = { ...at, depth: at.depth + 1 };
  return CHECKS.flatMap((check) => check(schema, value, deeper));
}

function isOfType(value: JSONValue, type: string): boolean {
  const own = jsonTypeOf(value);
  return own === type || (own === 'integer' && type === 'number') || !isJsonType(type);
}

const issue = ({ path }: Position, keyword: string, params: Readonly<Record<string, unknown>> = {}): SchemaIssue => ({
  path,
  keyword,
  message: issuePhrase(keyword, params) ?? `does not satisfy the keyword '${keyword}'`,
  expected: [],
});

const expectation = ({ path }: Position, keyword: string, expected: readonly string[]): SchemaIssue => ({
  path,
  keyword,
  message: expectedPhrase(expected, keyword !== 'type'),
  expected,
});

function unknown(at: Position): readonly SchemaIssue[] {
  at.state.unknowns++;
  return [];
}

const below = (at: Position, key: string | number): Position => ({ ...at, path: at.path + pointerSegment(key) });

/** Result of a subschema that need not be valid, as in `not` or `anyOf`. */
interface Verdict {
  readonly issues: readonly SchemaIssue[];
  readonly result: 'valid' | 'invalid' | 'unknown';
}

function judge(schema: unknown, value: JSONValue, at: Position): Verdict {
  const before = at.state.unknowns;
  const issues = issuesAt(schema, value, at);
  return { issues, result: issues.length > 0 ? 'invalid' : at.state.unknowns > before ? 'unknown' : 'valid' };
}

function checkReference(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) unknown(at);
  if (schema.$ref === undefined) return [];
  const target = at.state.resolver.resolve(schema.$ref, schema);
  return target === undefined ? unknown(at) : issuesAt(target.schema, value, at);
}

function checkChoices(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  const lists = { const: schema.const === undefined ? undefined : [schema.const], enum: schema.enum };
  return Object.entries(lists).flatMap(([keyword, list]) => {
    if (!Array.isArray(list) || list.some((each) => equalJson(each, value))) return [];
    return [expectation(at, keyword, list.map(choicePhrase))];
  });
}

/** Compares a number, a length or a count with a limit. */
type Compare = (actual: number, limit: number) => boolean;

const atLeast: Compare = (actual, limit) => actual >= limit;
const atMost: Compare = (actual, limit) => actual <= limit;
const NUMBER_LIMITS: Readonly<Record<string, Compare>> = {
  minimum: atLeast,
  maximum: atMost,
  exclusiveMinimum: (actual, limit) => actual > limit,
  exclusiveMaximum: (actual, limit) => actual < limit,
  multipleOf: (actual, limit) => Number.isInteger(actual / limit),
};

function checkLimits(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  if (typeof value === 'number') return limited(schema, value, NUMBER_LIMITS, at);
  if (Array.isArray(value)) return limited(schema, value.length, { minItems: atLeast, maxItems: atMost }, at);
  if (isRecord(value)) {
    return limited(schema, Object.keys(value).length, { minProperties: atLeast, maxProperties: atMost }, at);
  }
  return typeof value === 'string' ? checkString(schema, value, at) : [];
}

const limited = (schema: JSONSchema, actual: number, limits: Readonly<Record<string, Compare>>, at: Position) =>
  Object.entries(limits).flatMap(([keyword, holds]) => {
    const limit = schema[keyword];
    return typeof limit === 'number' && !holds(actual, limit) ? [issue(at, keyword, { limit, multipleOf: limit })] : [];
  });

function checkString(schema: JSONSchema, value: string, at: Position): readonly SchemaIssue[] {
  const { pattern, format } = schema;
  if (format !== undefined) unknown(at);
  const issues = limited(schema, [...value].length, { minLength: atLeast, maxLength: atMost }, at);
  const isMatched = typeof pattern === 'string' ? matches(pattern, value, at) : undefined;
  return isMatched === false ? [...issues, issue(at, 'pattern', { pattern })] : issues;
}

/** Returns undefined if the text is too long, or the pattern is not valid in JavaScript. */
function matches(pattern: string, value: string, at: Position): boolean | undefined {
  try {
    if (value.length <= MAX_MATCHED) return new RegExp(pattern, 'u').test(value);
  } catch {
    // Not a valid pattern in JavaScript.
  }
  unknown(at);
  return undefined;
}

function checkObject(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  if (!isRecord(value)) return [];
  const object = value as JSONObject; // the value is JSON
  const has = (name: string) => Object.hasOwn(object, name);
  const properties = schemasByName(schema, 'properties');
  if (schema.unevaluatedProperties !== undefined) unknown(at);
  const dependents = ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) =>
    Object.entries(fieldsOf(schema[keyword])).filter(([name]) => has(name)),
  );
  return [
    ...missing(listAt(schema, 'required'), object)
      // Servers fill in a default.
      .filter((name) => fieldsOf(properties[name]).default === undefined)
      .map((name) => issue(below(at, name), 'required')),
    ...dependents.flatMap(([property, dependent]) =>
      Array.isArray(dependent)
        ? missing(dependent, object).map((name) => issue(below(at, name), 'dependentRequired', { property }))
        : issuesAt(dependent, object, at),
    ),
    ...Object.entries(object).flatMap(([name, each]) => checkProperty(schema, name, each, at)),
    ...Object.keys(schema.propertyNames === undefined ? {} : object)
      .filter((name) => judge(schema.propertyNames, name, at).result === 'invalid')
      .map((propertyName) => issue(at, 'propertyNames', { propertyName })),
  ];
}

const missing = (names: readonly unknown[], object: JSONObject): readonly string[] =>
  [...new Set(names.map(String))].filter((name) => !Object.hasOwn(object, name));

function checkProperty(schema: JSONSchema, name: string, value: JSONValue, at: Position): readonly SchemaIssue[] {
  const properties = schemasByName(schema, 'properties');
  const patterns = Object.entries(schemasByName(schema, 'patternProperties')).map(
    ([pattern, each]) => [matches(pattern, name, at), each] as const,
  );
  const known = [
    ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
    ...patterns.filter(([isMatched]) => isMatched).map(([, each]) => each),
  ];
  const place = below(at, name);
  const { additionalProperties: others } = schema;
  if (known.length > 0) return known.flatMap((each) => issuesAt(each, value, place));
  if (others === undefined || patterns.some(([isMatched]) => isMatched === undefined)) return [];
  return others === false ? [issue(place, 'additionalProperties')] : issuesAt(others, value, place);
}

function checkArray(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  if (!Array.isArray(value)) return [];
  if (schema.unevaluatedItems !== undefined) unknown(at);
  const { prefixItems, items, additionalItems } = schema;
  // Before 2020-12 a tuple was a list under `items`.
  const [first, rest] =
    Array.isArray(prefixItems) || !Array.isArray(items) ? [prefixItems, items] : [items, additionalItems];
  const tuple: readonly unknown[] = Array.isArray(first) ? first : [];
  const excess = rest === false && value.length > tuple.length;
  return [
    ...(schema.uniqueItems === true ? checkUnique(value, at) : []),
    ...(excess ? [issue(at, 'items', { limit: tuple.length })] : []),
    ...value.flatMap((item, index) => {
      if (index < tuple.length) return issuesAt(tuple[index], item, below(at, index));
      return excess ? [] : issuesAt(rest, item, below(at, index));
    }),
    ...checkContains(schema, value, at),
  ];
}

function checkUnique(items: readonly JSONValue[], at: Position): readonly SchemaIssue[] {
  const indexes = new Map<string, number>();
  try {
    for (const [i, item] of items.entries()) {
      const text = canonicalJson(item);
      const j = indexes.get(text);
      if (j !== undefined) return [issue(at, 'uniqueItems', { i, j })];
      indexes.set(text, i);
    }
    return [];
  } catch {
    // Nested too deeply for the stack.
    return unknown(at);
  }
}

function checkContains(schema: JSONSchema, items: readonly JSONValue[], at: Position): readonly SchemaIssue[] {
  if (schema.contains === undefined) return [];
  const { minContains = 1, maxContains } = schema;
  const results = items.map((item) => judge(schema.contains, item, at).result);
  const certain = results.filter((result) => result === 'valid').length;
  const possible = results.filter((result) => result !== 'invalid').length;
  const isWrong = possible < Number(minContains) || certain > Number(maxContains ?? items.length);
  return isWrong ? [issue(at, 'contains', { minContains, maxContains })] : [];
}

function checkAlternatives(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  return ['anyOf', 'oneOf'].flatMap((keyword) => {
    const verdicts = listAt(schema, keyword).map((each) => judge(each, value, at));
    const valid = verdicts.filter(({ result }) => result === 'valid').length;
    if (keyword === 'oneOf' && valid > 1) return [issue(at, 'oneOf', { passingSchemas: true })];
    if (verdicts.some(({ result }) => result !== 'invalid')) return [];
    return verdicts.length === 0 ? [] : nearest(verdicts, keyword, at);
  });
}

/** Returns the issues of the closest alternative: one of the right type, with the fewest issues. */
function nearest(verdicts: readonly Verdict[], keyword: string, at: Position): readonly SchemaIssue[] {
  const all = verdicts.flatMap(({ issues }) => issues);
  if (all.every(({ path, expected }) => path === at.path && expected.length > 0)) {
    const isList = all.every((each) => each.keyword !== 'type');
    const phrases = all.flatMap(({ expected }) => expected);
    return [expectation(at, isList ? 'enum' : 'type', phrases)];
  }
  const isInside = ({ issues }: Verdict) => issues.every(({ path }) => path.length > at.path.length);
  const [first] = [...verdicts].sort(
    (a, b) => Number(isInside(b)) - Number(isInside(a)) || a.issues.length - b.issues.length,
  );
  return first?.issues ?? [issue(at, keyword)];
}

function checkConditions(schema: JSONSchema, value: JSONValue, at: Position): readonly SchemaIssue[] {
  const condition = schema.if === undefined ? undefined : judge(schema.if, value, at).result;
  return [
    ...listAt(schema, 'allOf').flatMap((each) => issuesAt(each, value, at)),
    ...(schema.not !== undefined && judge(schema.not, value, at).result === 'valid' ? [issue(at, 'not')] : []),
    ...(condition === 'valid' ? issuesAt(schema.then, value, at) : []),
    ...(condition === 'invalid' ? issuesAt(schema.else, value, at) : []),
  ];
}
