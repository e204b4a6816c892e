import type { ErrorObject } from 'ajv/dist/2020.js';
import { choicePhrase, expectedPhrase, issuePhrase, pointerSegment, typePhrase } from '../core/index.ts';
import type { SchemaIssue } from './schema.ts';

/** An error of ajv on its way to an issue, with what is needed to merge it with others. */
export interface SchemaFinding extends SchemaIssue {
  readonly keyword: string;
  /** Pointer to the value that was checked; `path` is one step deeper where a property is missing or unknown. */
  readonly at: string;
  readonly schemaPath: string;
  /** What would have been right, where a phrase or two can say it: `a string`, `'m'`. */
  readonly expected: readonly string[];
}

export function toSchemaFinding(error: ErrorObject): SchemaFinding {
  const { keyword, instancePath: at, schemaPath } = error;
  const expected = expectedBy(error);
  const message = expected.length > 0 ? expectedPhrase(expected, keyword === 'enum') : messageOf(error);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
  const property: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = property === undefined ? at : at + pointerSegment(String(property));
  return { path, message, keyword, at, schemaPath, expected };
}

/** Whether the finding names the values that are allowed. */
export function listsAllowedValues({ keyword }: Pick<SchemaFinding, 'keyword'>): boolean {
  return keyword === 'const' || keyword === 'enum';
}

/** What is worth saying of each place: allowed values say more than a type, and a type more than the rest. */
export function mostSpecificFindings(findings: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const strength = (finding: SchemaFinding) => (listsAllowedValues(finding) ? 2 : finding.keyword === 'type' ? 1 : 0);
  const best = new Map<string, number>();
  for (const finding of findings) best.set(finding.path, Math.max(best.get(finding.path) ?? 0, strength(finding)));

  const strong = findings.filter((finding) => strength(finding) === best.get(finding.path));
  return [...new Map(strong.map((finding) => [`${finding.path} ${finding.message}`, finding])).values()];
}

function expectedBy({ keyword, params }: ErrorObject): readonly string[] {
  if (keyword === 'type') return [params.type].flat().map(typePhrase);
  if (keyword === 'enum') return params.allowedValues.map(choicePhrase);
  return keyword === 'const' ? [choicePhrase(params.allowedValue)] : [];
}

const messageOf = ({ keyword, params, message }: ErrorObject): string =>
  issuePhrase(keyword, params) ?? message ?? `does not keep the rule '${keyword}'`;
