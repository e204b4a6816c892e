import type { ErrorObject } from 'ajv/dist/2020.js';
import { type Finding, findingOf, mustBe, namesValues, strongest } from './finding.ts';
import { parent } from './pointer.ts';
import { isObject } from './walk.ts';

/**
 * Takes the findings of the forms of an `anyOf` or `oneOf`, which ajv reports before the union itself, off the end of
 * `findings` and puts in their place what a person needs: the findings of the one form that was meant, or what the
 * forms ask for together.
 */
export function mergeUnion(union: ErrorObject, findings: readonly Finding[]): readonly Finding[] {
  const start = findings.findLastIndex((finding) => !isUnder(finding.at, union.instancePath)) + 1;
  const members = findings.slice(start).filter((finding) => !isSibling(finding, union));
  const kept = findings.filter((finding) => !members.includes(finding));
  return [...kept, ...explain(union, members)];
}

function explain(union: ErrorObject, members: readonly Finding[]): readonly Finding[] {
  const here = union.instancePath;
  const unnamed: Finding = { ...findingOf(union), message: 'fits none of the allowed forms' };
  if (union.params.passingSchemas) return [{ ...unnamed, message: 'fits more than one of the allowed forms' }];

  const forms = formsOf(union, members);
  const [meant, ...others] = forms.filter((form) => !form.some((finding) => rulesOut(finding, here)));
  if (meant && others.length === 0) return meant;

  const simple = forms.flat();
  if (simple.length > 0 && simple.every((finding) => finding.at === here && finding.expected.length > 0)) {
    return [alternatives(here, simple)];
  }
  const objects = forms.filter((form) => !form.some(({ at, keyword }) => at === here && keyword === 'type'));
  const [first = [], ...rest] = objects;
  const shared = first.filter((finding) => rest.every((form) => form.some((one) => isSame(one, finding))));
  if (shared.length > 0 && shared.every(namesValues)) {
    const [{ path } = unnamed] = shared;
    return [
      alternatives(
        path,
        objects.flat().filter((one) => one.path === path && namesValues(one)),
      ),
    ];
  }
  return shared.length > 0 ? shared : [unnamed];
}

/** The findings by form; those that cannot be told apart (of a form behind a deep reference) count as forms of their own. */
function formsOf(union: ErrorObject, members: readonly Finding[]): readonly (readonly Finding[])[] {
  const refs = Array.isArray(union.schema) ? union.schema.map((form: unknown) => isObject(form) && form.$ref) : [];
  const forms = new Map<unknown, Finding[]>();
  for (const finding of members) {
    const inline = finding.schemaPath.startsWith(`${union.schemaPath}/`);
    const byPlace = finding.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0];
    const byRef = refs.find((ref) => finding.schemaPath.startsWith(`${ref}/`));
    const key = (inline ? byPlace : byRef) ?? finding;
    forms.set(key, [...(forms.get(key) ?? []), finding]);
  }
  return [...forms.values()].map(strongest);
}

/** Whether the finding shows that its form was not the one meant: another type, another value, another tag. */
function rulesOut(finding: Finding, here: string): boolean {
  if (finding.at === here) return finding.keyword === 'type' || namesValues(finding);
  return namesValues(finding) && parent(finding.at) === here;
}

function alternatives(path: string, findings: readonly Finding[]): Finding {
  const isList = findings.every(namesValues);
  const message = mustBe(
    findings.flatMap(({ expected }) => expected),
    isList,
  );
  const keyword = isList ? 'enum' : 'type';
  return { path, at: path, message, keyword, schemaPath: '', expected: findings.flatMap(({ expected }) => expected) };
}

/** The same rule, or two rules that name the allowed values of the same place. */
function isSame(one: Finding, other: Finding): boolean {
  return one.path === other.path && (one.message === other.message || (namesValues(one) && namesValues(other)));
}

function isUnder(pointer: string, here: string): boolean {
  return pointer === here || pointer.startsWith(`${here}/`);
}

/** Whether the finding belongs to a keyword that stands next to the union instead of inside it. */
function isSibling(
  { at, keyword, schemaPath }: Finding,
  { instancePath, schemaPath: place, parentSchema }: ErrorObject,
) {
  return at === instancePath && keyword in (parentSchema ?? {}) && schemaPath === `${parent(place)}/${keyword}`;
}
