import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawBadge, escapeMarkup, plural } from '../../core/index.ts';
import { makeFolder } from '../../core/node/index.ts';
import { attacks } from '../attacks/index.ts';
import type { AttackResult, AuditFinding, AuditReport, EnvironmentAudit } from '../options.ts';
import { countFindings, describeReward, describeStep } from './describe.ts';
import { auditHtml } from './html.ts';
import { type AuditSubject, auditSarif } from './sarif.ts';

/**
 * Writes audit.json, report.html, junit.xml, audit.sarif, badge.svg, and one file per finding to a folder. Creates the
 * folder.
 *
 * @returns the paths of the files.
 * @throws Error of the file system if a file cannot be written.
 * @example
 * const audited = await audit({ environments: [environment] });
 * await writeAuditReports('audit-report', audited, { module: 'environment.ts' });
 */
export async function writeAuditReports(
  folder: string,
  report: AuditReport,
  subject: AuditSubject = {},
): Promise<string[]> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  const findings = report.findings.map((finding) => [`findings/${fileNameOf(finding)}`, json(finding)] as const);
  const files = new Map([
    ['audit.json', json(report)],
    ['report.html', auditHtml(report)],
    ['junit.xml', auditJunit(report)],
    ['audit.sarif', json(auditSarif(report, attacks, subject))],
    ['badge.svg', auditBadge(report)],
    ...findings,
  ]);
  await makeFolder(join(folder, 'findings'));
  const paths = Array.from(files, ([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

/** Returns the name of the file of a finding, such as `words-AUDIT-LEAK-01.json`. */
const fileNameOf = ({ environment, attack }: AuditFinding): string => `${environment}-${attack}.json`;

/** Formats a report as JUnit XML: one suite per environment, one case per attack; proofs are failures. */
export function auditJunit(report: AuditReport): string {
  const suites = report.environments.map((environment) => {
    const { name, attacks: results, durationMs } = environment;
    const findings = report.findings.filter((finding) => finding.environment === name);
    const cases = results.map((result) => testCase(environment, result, findings)).join('');
    const seconds = (durationMs / 1_000).toFixed(3);
    return `  <testsuite name="${escapeMarkup(name)}" ${counts(results)} time="${seconds}">\n${cases}  </testsuite>\n`;
  });
  const all = report.environments.flatMap((environment) => environment.attacks);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ors audit" ${counts(all)}>\n${suites.join('')}</testsuites>\n`;
}

function counts(results: readonly AttackResult[]): string {
  const count = (state: AttackResult['state']) => results.filter((result) => result.state === state).length;
  return `tests="${results.length}" failures="${count('proof')}" errors="0" skipped="${count('skipped')}"`;
}

function testCase({ name }: EnvironmentAudit, result: AttackResult, findings: readonly AuditFinding[]): string {
  const finding = findings.find(({ attack }) => attack === result.attack);
  const title = attacks.find(({ id }) => id === result.attack)?.title ?? '';
  const text = finding ? escapeMarkup(describeFinding(finding)) : '';
  const body = {
    proof: `      <failure type="${result.attack}" message="${escapeMarkup(finding?.what ?? '')}">${text}</failure>\n`,
    suspicion: `      <system-out>${text}</system-out>\n`,
    skipped: `      <skipped message="${escapeMarkup(result.reason ?? '')}"/>\n`,
    clean: '',
  }[result.state];
  const head = `name="${escapeMarkup(`${result.attack} ${title}`)}" classname="ors.audit.${escapeMarkup(name)}"`;
  return `    <testcase ${head}>\n${body}    </testcase>\n`;
}

function describeFinding(finding: AuditFinding): string {
  const { what, reason, advice, replays } = finding;
  const steps = replays[0]?.steps.map((step) => `  ${describeStep(step)}`) ?? [];
  const doubt = reason === undefined ? [] : [`not a proof: ${reason}`];
  return [`${what}: ${describeReward(finding)}`, ...doubt, advice, ...steps].join('\n');
}

/** Returns a badge for a README: `ORS audit no exploits found`. */
export function auditBadge(report: AuditReport): string {
  const { proofs } = countFindings(report);
  const isPartial = report.interrupted || report.dryRun || report.environments.some(({ isExhausted }) => isExhausted);
  const value = proofs > 0 ? plural(proofs, 'exploit') : isPartial ? 'incomplete' : 'no exploits found';
  const colour = proofs > 0 ? 'bad' : isPartial ? 'unknown' : 'good';
  return drawBadge({ label: 'ORS audit', value, colour, title: `ORS audit: ${value}` });
}
