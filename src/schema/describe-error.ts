import type { ErrorObject } from 'ajv/dist/2020.js';
import { type JSONSchema, truncate } from '../core/index.ts';
import { mostSpecificFindings, type SchemaFinding, toSchemaFinding } from './finding.ts';
import type { SchemaIssue } from './schema.ts';
import { mergeUnion } from './union-error.ts';

/** Enough for anyone to read; a large value can have a million. */
const MAX_ERRORS = 1000;
const SHOWN_ISSUES = 10;
const SHOWN_CHARACTERS = 200;

/** The errors of ajv by the schema `document` as issues: what is worth saying of each place, in the order of the places. */
export function toIssues(errors: readonly ErrorObject[], document: JSONSchema): readonly SchemaIssue[] {
  const findings: SchemaFinding[] = [];
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.keyword === 'if' || error.propertyName !== undefined) continue; // another error says the same better
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      mergeUnion(error, findings, document);
    } else {
      if (error.keyword === 'contains') dropItems(error, findings);
      findings.push(toSchemaFinding(error));
    }
  }
  const issues = mostSpecificFindings(findings).map(({ path, message }) => ({ path, message }));
  return issues.sort((a, b) => (`${a.path} ${a.message}` < `${b.path} ${b.message}` ? -1 : 1));
}

/** Takes what ajv says of each item that `contains` did not accept off the end of the findings. */
function dropItems({ schemaPath, instancePath }: ErrorObject, findings: SchemaFinding[]): void {
  const isOfItem = (one: SchemaFinding) =>
    one.schemaPath.startsWith(schemaPath) && one.at.startsWith(`${instancePath}/`);
  findings.length = findings.findLastIndex((one) => !isOfItem(one)) + 1;
}

/** The issues as one line for people, such as `/amount must be a number; /unit must be one of 'm', 'km'`; at most ten of them. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => {
    const place = path === '' ? 'the value' : truncate(path, SHOWN_CHARACTERS);
    return /^(must|is|has|fits|does|can(not)?) /.test(message) ? `${place} ${message}` : `${place}: ${message}`;
  });
  const hidden = issues.length - shown.length;
  const line = hidden > 0 ? `${shown.join('; ')}; and ${hidden} more` : shown.join('; ');
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') || 'the value is not valid';
}
