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
  isWithin,
  type JSONSchema,
  parentPointer,
  pointerSegment,
  schemasByName,
} from '../core/index.ts';
import { listsAllowedValues, mostSpecificFindings, type SchemaFinding, toSchemaFinding } from './finding.ts';

/** Schemas that a form is merged from. */
const MAX_MERGED = 100;

/** One form of a union, with what is wrong with the value by it. */
interface UnionBranch {
  readonly schema: JSONSchema;
  readonly findings: readonly SchemaFinding[];
}

/**
 * Takes the findings of the forms of an `anyOf` or `oneOf`, which ajv reports before the union itself, off the end of
 * `findings` and puts in their place what a person needs: the findings of the one form that was meant, or what the
 * forms ask for together.
 */
export function mergeUnion(union: ErrorObject, findings: SchemaFinding[], document: JSONSchema): void {
  const start = findings.findLastIndex((finding) => !isWithin(finding.at, union.instancePath)) + 1;
  const [siblings, members] = partition(findings.splice(start), (finding) => isSibling(finding, union));
  appendAll(findings, siblings);
  appendAll(findings, explain(union, formsOf(union, members, document)));
}

function explain(union: ErrorObject, forms: readonly UnionBranch[]): readonly SchemaFinding[] {
  const here = union.instancePath;
  const unnamed: SchemaFinding = { ...toSchemaFinding(union), message: 'fits none of the allowed forms' };
  if (union.params.passingSchemas) return [{ ...unnamed, message: 'fits more than one of the allowed forms' }];

  const ofItsKind = forms.filter(({ findings }) => !findings.some((one) => one.at === here && one.expected.length > 0));
  if (forms.length > 0 && ofItsKind.length === 0) return [alternatives(here, forms.flatMap(expectedHere(here)))];

  const [meant, ...others] = ofItsKind.filter(({ schema }) => !tagsOf(schema).some((tag) => isOther(tag, union.data)));
  if (meant && others.length === 0) return meant.findings;
  if (!meant) {
    const tags = ofItsKind.flatMap(({ schema }) => tagsOf(schema).filter((tag) => isOther(tag, union.data)));
    const key = tags[0]?.key;
    if (key !== undefined && tags.every((tag) => tag.key === key)) {
      const expected = tags.flatMap(({ values }) => values.map(choicePhrase));
      return [alternatives(here + pointerSegment(key), [{ keyword: 'enum', expected }])];
    }
  }
  const [first, ...rest] = ofItsKind;
  const shared = first?.findings.filter(({ path, message }) =>
    rest.every(({ findings }) => findings.some((one) => one.path === path && one.message === message)),
  );
  return shared && shared.length > 0 ? shared : [unnamed];
}

/**
 * The findings by form. Each form has at least one, so as many findings as forms are one each, in order. Otherwise
 * their places in the schema tell; where these do not, it is none.
 */
function formsOf(union: ErrorObject, members: readonly SchemaFinding[], document: JSONSchema): readonly UnionBranch[] {
  const schemas: readonly unknown[] = Array.isArray(union.schema) ? union.schema : [];
  const place = `${union.schemaPath}/`;
  const indexes = members.map(({ schemaPath }, i) => {
    if (members.length === schemas.length) return i;
    if (schemaPath.startsWith(place)) return Number(schemaPath.slice(place.length).split('/', 1)[0]);
    return schemas.findIndex((schema) => isRecord(schema) && schemaPath.startsWith(`${schema.$ref}/`));
  });
  if (indexes.includes(-1)) return [];

  return schemas.map((each, form) => {
    const { schema } = flattenSchema(asSchema(each), createResolver(document), { left: MAX_MERGED });
    return { schema, findings: mostSpecificFindings(members.filter((_, i) => indexes[i] === form)) };
  });
}

/** A property by whose value a form is known. */
interface Discriminator {
  readonly key: string;
  readonly values: readonly unknown[];
}

function tagsOf(form: JSONSchema): readonly Discriminator[] {
  return Object.entries(schemasByName(form, 'properties')).flatMap(([key, schema]) => {
    const values = isRecord(schema) ? choicesOf(schema) : undefined;
    return values ? [{ key, values }] : [];
  });
}

/** Whether the value has the tag, but of another form. */
function isOther({ key, values }: Discriminator, value: unknown): boolean {
  if (!isRecord(value) || !Object.hasOwn(value, key)) return false;
  return typeof value[key] !== 'object' && !values.includes(value[key]);
}

type ExpectedType = Pick<SchemaFinding, 'keyword' | 'expected'>;

function expectedHere(here: string): (form: UnionBranch) => readonly ExpectedType[] {
  return ({ findings }) => findings.filter((one) => one.at === here && one.expected.length > 0);
}

function alternatives(path: string, expectations: readonly ExpectedType[]): SchemaFinding {
  const isList = expectations.every(listsAllowedValues);
  const expected = expectations.flatMap((one) => one.expected);
  const keyword = isList ? 'enum' : 'type';
  return { path, at: path, message: expectedPhrase(expected, isList), keyword, schemaPath: '', expected };
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Whether the finding belongs to a keyword that stands next to the union instead of inside it. */
function isSibling(
  { at, keyword, schemaPath }: SchemaFinding,
  { instancePath, schemaPath: place, parentSchema }: ErrorObject,
) {
  return at === instancePath && keyword in (parentSchema ?? {}) && schemaPath === `${parentPointer(place)}/${keyword}`;
}
