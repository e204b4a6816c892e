import type { ErrorObject } from 'ajv/dist/2020.js';
import { type Finding, findingOf, strongest } from './finding.ts';
import type { Issue } from './schema.ts';
import { mergeUnion } from './union-error.ts';

const SHOWN_ISSUES = 10;
const SHOWN_CHARACTERS = 200;

/** The errors of ajv as issues: what is worth saying of each place, in the order of the places. */
export function issuesOf(errors: readonly ErrorObject[]): readonly Issue[] {
  let findings: Finding[] = [];
  for (const error of errors) {
    if (error.keyword === 'if' || error.propertyName !== undefined) continue; // another error says the same better
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      findings = [...mergeUnion(error, findings)];
    } else {
      if (error.keyword === 'contains')
        findings = findings.filter((one) => !one.schemaPath.startsWith(error.schemaPath));
      findings.push(findingOf(error));
    }
  }
  const issues = strongest(findings).map(({ path, message }) => ({ path, message }));
  return issues.sort((a, b) => (`${a.path} ${a.message}` < `${b.path} ${b.message}` ? -1 : 1));
}

/** The issues as one line for people, such as `/amount must be a number; /unit must be one of 'm', 'km'`; at most ten of them. */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => {
    const place = path === '' ? 'the value' : cut(path);
    return /^(must|is|has|fits|does|can(not)?) /.test(message) ? `${place} ${message}` : `${place}: ${message}`;
  });
  const hidden = issues.length - shown.length;
  const line = hidden > 0 ? `${shown.join('; ')}; and ${hidden} more` : shown.join('; ');
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') || 'the value is not valid';
}

function cut(path: string): string {
  return path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path;
}
