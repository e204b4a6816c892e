import type { ErrorObject } from 'ajv/dist/2020.js';
import {
  appendAll,
  asSchema,
  choicePhrase,
  choicesOf,
  createResolver,
  expectedPhrase,
  flattenSchema,
  isRecord,
  issuePhrase,
  isWithin,
  type JSONSchema,
  parentPointer,
  pointerSegment,
  schemasByName,
  truncate,
  typePhrase,
} from '../core/index.ts';
import type { ValueIssue } from './schema.ts';

/** Maximum number of errors that are converted; a large value can have a million. */
const MAX_ERRORS = 1000;
const SHOWN_ISSUES = 10;
const SHOWN_CHARACTERS = 200;

/** Converts errors of ajv by the schema `document` to issues: the most specific ones of each path, ordered by path. */
export function toIssues(errors: readonly ErrorObject[], document: JSONSchema): readonly ValueIssue[] {
  const findings: SchemaFinding[] = [];
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.keyword === 'if' || error.propertyName !== undefined) continue; // another error is more specific
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      mergeUnion(error, findings, document);
    } else {
      if (error.keyword === 'contains') removeItemFindings(error, findings);
      findings.push(toSchemaFinding(error));
    }
  }
  const issues = mostSpecificFindings(findings).map(({ path, message }) => ({ path, message }));
  return issues.sort((a, b) => (`${a.path} ${a.message}` < `${b.path} ${b.message}` ? -1 : 1));
}

/** Removes the findings about single items, which ajv reports before `contains`, from the end of the list. */
function removeItemFindings({ schemaPath, instancePath }: ErrorObject, findings: SchemaFinding[]): void {
  const isOfItem = (finding: SchemaFinding) =>
    finding.schemaPath.startsWith(schemaPath) && finding.at.startsWith(`${instancePath}/`);
  findings.length = findings.findLastIndex((finding) => !isOfItem(finding)) + 1;
}

/** Formats at most ten issues as one line, such as `/amount must be a number; /unit must be one of 'm', 'km'`. */
export function describeIssues(issues: readonly ValueIssue[]): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => {
    const subject = path === '' ? 'the value' : truncate(path, SHOWN_CHARACTERS);
    return /^(must|is|has|fits|does|can(not)?) /.test(message) ? `${subject} ${message}` : `${subject}: ${message}`;
  });
  const hidden = issues.length - shown.length;
  const line = hidden > 0 ? `${shown.join('; ')}; and ${hidden} more` : shown.join('; ');
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') || 'the value is not valid';
}

/** Maximum number of schemas that a branch is merged from. */
const MAX_MERGED = 100;

/** One branch of a union, with the findings about the value by it. */
interface UnionBranch {
  readonly schema: JSONSchema;
  readonly findings: readonly SchemaFinding[];
}

/**
 * Replaces the findings about the branches of an `anyOf` or `oneOf`, which ajv reports before the union itself and which
 * are at the end of `findings`, by those of the intended branch, or by the expectations of all branches.
 */
function mergeUnion(union: ErrorObject, findings: SchemaFinding[], document: JSONSchema): void {
  const start = findings.findLastIndex((finding) => !isWithin(finding.at, union.instancePath)) + 1;
  const [siblings, members] = partition(findings.splice(start), (finding) => isSibling(finding, union));
  appendAll(findings, siblings);
  appendAll(findings, explainUnion(union, branchesOf(union, members, document)));
}

function explainUnion(union: ErrorObject, branches: readonly UnionBranch[]): readonly SchemaFinding[] {
  const here = union.instancePath;
  const general: SchemaFinding = { ...toSchemaFinding(union), message: 'fits none of the allowed forms' };
  if (union.params.passingSchemas) return [{ ...general, message: 'fits more than one of the allowed forms' }];

  const ofType = branches.filter(({ findings }) => !findings.some((each) => isExpectation(each, here)));
  if (branches.length > 0 && ofType.length === 0) {
    const expectations = branches.flatMap(({ findings }) => findings.filter((each) => isExpectation(each, here)));
    return [mergeExpectations(here, expectations)];
  }
  const [intended, ...others] = ofType.filter(({ schema }) => !tagsOf(schema).some((tag) => differs(tag, union.data)));
  if (intended && others.length === 0) return intended.findings;
  if (!intended) {
    const tags = ofType.flatMap(({ schema }) => tagsOf(schema).filter((tag) => differs(tag, union.data)));
    const key = tags[0]?.key;
    if (key !== undefined && tags.every((tag) => tag.key === key)) {
      const expected = tags.flatMap(({ values }) => values.map(choicePhrase));
      return [mergeExpectations(here + pointerSegment(key), [{ keyword: 'enum', expected }])];
    }
  }
  const [first, ...rest] = ofType;
  const shared = first?.findings.filter(({ path, message }) =>
    rest.every(({ findings }) => findings.some((each) => each.path === path && each.message === message)),
  );
  return shared && shared.length > 0 ? shared : [general];
}

/**
 * Assigns findings to branches. Every branch has at least one finding, so if there are as many findings as branches they
 * are in order. Otherwise their schema paths decide; returns no branches if these are ambiguous.
 */
function branchesOf(
  union: ErrorObject,
  members: readonly SchemaFinding[],
  document: JSONSchema,
): readonly UnionBranch[] {
  const schemas: readonly unknown[] = Array.isArray(union.schema) ? union.schema : [];
  const prefix = `${union.schemaPath}/`;
  const indexes = members.map(({ schemaPath }, i) => {
    if (members.length === schemas.length) return i;
    if (schemaPath.startsWith(prefix)) return Number(schemaPath.slice(prefix.length).split('/', 1)[0]);
    return schemas.findIndex((schema) => isRecord(schema) && schemaPath.startsWith(`${schema.$ref}/`));
  });
  if (indexes.includes(-1)) return [];

  return schemas.map((each, branch) => {
    const { schema } = flattenSchema(asSchema(each), createResolver(document), { left: MAX_MERGED });
    return { schema, findings: mostSpecificFindings(members.filter((_, i) => indexes[i] === branch)) };
  });
}

/** Property whose value identifies a branch. */
interface Discriminator {
  readonly key: string;
  readonly values: readonly unknown[];
}

function tagsOf(branch: JSONSchema): readonly Discriminator[] {
  return Object.entries(schemasByName(branch, 'properties')).flatMap(([key, schema]) => {
    const values = isRecord(schema) ? choicesOf(schema) : undefined;
    return values ? [{ key, values }] : [];
  });
}

/** Returns true if the value has the property with a value of another branch. */
function differs({ key, values }: Discriminator, value: unknown): boolean {
  if (!isRecord(value) || !Object.hasOwn(value, key)) return false;
  return typeof value[key] !== 'object' && !values.includes(value[key]);
}

type Expectation = Pick<SchemaFinding, 'keyword' | 'expected'>;

const isExpectation = ({ at, expected }: SchemaFinding, here: string): boolean => at === here && expected.length > 0;

function mergeExpectations(path: string, expectations: readonly Expectation[]): SchemaFinding {
  const isList = expectations.every(listsAllowedValues);
  const expected = expectations.flatMap((each) => each.expected);
  const keyword = isList ? 'enum' : 'type';
  return { path, at: path, message: expectedPhrase(expected, isList), keyword, schemaPath: '', expected };
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** Returns true if the finding belongs to a sibling keyword of the union instead of a branch. */
function isSibling(
  { at, keyword, schemaPath }: SchemaFinding,
  { instancePath, schemaPath: unionPath, parentSchema }: ErrorObject,
) {
  const siblingPath = `${parentPointer(unionPath)}/${keyword}`;
  return at === instancePath && keyword in (parentSchema ?? {}) && schemaPath === siblingPath;
}

/** Issue with the data that is needed to merge it with others. */
interface SchemaFinding extends ValueIssue {
  readonly keyword: string;
  /** Pointer to the validated value; `path` is one level deeper if a property is missing or unknown. */
  readonly at: string;
  readonly schemaPath: string;
  /** Short phrases for the expected values, if there are some: `a string`, `'m'`. */
  readonly expected: readonly string[];
}

function toSchemaFinding(error: ErrorObject): SchemaFinding {
  const { keyword, instancePath: at, schemaPath } = error;
  const expected = expectedBy(error);
  const message = expected.length > 0 ? expectedPhrase(expected, keyword === 'enum') : messageOf(error);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
  const property: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = property === undefined ? at : at + pointerSegment(String(property));
  return { path, message, keyword, at, schemaPath, expected };
}

function listsAllowedValues({ keyword }: Pick<SchemaFinding, 'keyword'>): boolean {
  return keyword === 'const' || keyword === 'enum';
}

/** Keeps the most specific findings of each path: those with allowed values, else those with a type, else all. */
function mostSpecificFindings(findings: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const rank = (finding: SchemaFinding) => (listsAllowedValues(finding) ? 2 : finding.keyword === 'type' ? 1 : 0);
  const best = new Map<string, number>();
  for (const finding of findings) best.set(finding.path, Math.max(best.get(finding.path) ?? 0, rank(finding)));

  const kept = findings.filter((finding) => rank(finding) === best.get(finding.path));
  return [...new Map(kept.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
}

function expectedBy({ keyword, params }: ErrorObject): readonly string[] {
  if (keyword === 'type') return [params.type].flat().map(typePhrase);
  if (keyword === 'enum') return params.allowedValues.map(choicePhrase);
  return keyword === 'const' ? [choicePhrase(params.allowedValue)] : [];
}

const messageOf = ({ keyword, params, message }: ErrorObject): string =>
  issuePhrase(keyword, params) ?? message ?? `does not satisfy the keyword '${keyword}'`;
