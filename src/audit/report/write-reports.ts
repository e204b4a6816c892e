import { access, constants, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawBadge, escapeMarkup, hasCode, plural } from '../../core/index.ts';
import { fileProblem, makeFolder } from '../../core/node/index.ts';
import { attacks } from '../attacks/index.ts';
import type { AttackResult, AuditFinding, AuditReport, EnvironmentAudit } from '../options.ts';
import { countFindings, describeReward, describeStep, listGaps } from './describe.ts';
import { auditHtml } from './html.ts';
import { type AuditSubject, auditSarif } from './sarif.ts';

/** Folder of the findings in a report. */
const FINDINGS = 'findings';

/**
 * Creates the folder of a report, and checks that files can be written there: an audit takes minutes.
 *
 * @throws Error that says why not.
 * @example
 * await prepareReportFolder('audit-report');
 * await writeAuditReports('audit-report', await audit({ environments: [environment] }));
 */
export async function prepareReportFolder(folder: string): Promise<void> {
  const findings = join(folder, FINDINGS);
  try {
    await makeFolder(findings);
    for (const each of [folder, findings]) {
      if (!(await stat(each)).isDirectory()) throw new Error(`'${each}' is not a folder`);
      await access(each, constants.W_OK);
    }
  } catch (error) {
    throw new Error(`cannot write a report to '${folder}': ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (hasCode(error, 'ENOTDIR', 'EEXIST')) return 'it is a file, or in one; pass the path of a folder';
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return 'it is not writable; pass another folder';
  return fileProblem(error, 'write');
}

/**
 * Writes audit.json, report.html, junit.xml, audit.sarif, badge.svg, and one file per finding to a folder. Creates the
 * folder, and removes the findings of an earlier report.
 *
 * @returns the paths of the files.
 * @throws Error that says why files cannot be written to the folder.
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
  const files = new Map([
    ['audit.json', json(report)],
    ['report.html', auditHtml(report)],
    ['junit.xml', auditJunit(report)],
    ['audit.sarif', json(auditSarif(report, attacks, subject))],
    ['badge.svg', auditBadge(report)],
  ]);
  for (const finding of report.findings) {
    let name = fileNameOf(finding);
    for (let number = 2; files.has(name); number++) name = fileNameOf(finding, number);
    files.set(name, json(finding));
  }
  await prepareReportFolder(folder);
  const earlier = await readdir(join(folder, FINDINGS));
  const outdated = earlier.filter((name) => IS_FINDING.test(name) && !files.has(join(FINDINGS, name)));
  await Promise.all(outdated.map((name) => unlink(join(folder, FINDINGS, name))));
  const paths = Array.from(files, ([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

const IS_FINDING = /-AUDIT-[A-Z]+-\d\d(?:-\d+)?\.json$/;
const MAX_NAME_LENGTH = 100;

/** Returns the name of the file of a finding, such as `findings/words-AUDIT-LEAK-01.json`. Servers choose their names. */
function fileNameOf({ environment, attack }: AuditFinding, number?: number): string {
  const safe = environment.replaceAll(/[^\w.-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return join(FINDINGS, `${safe}-${attack}${number === undefined ? '' : `-${number}`}.json`);
}

/** Formats a report as JUnit XML: one suite per environment, one case per attack; proofs are failures. */
export function auditJunit(report: AuditReport): string {
  const suites = report.environments.map((environment) => {
    const { name, attacks: results, durationMs, failure } = environment;
    const findings = report.findings.filter((finding) => finding.environment === name);
    const cases = results.map((result) => testCase(environment, result, findings)).join('');
    const error = failure === undefined ? '' : errorCase(environment, failure);
    const seconds = (durationMs / 1_000).toFixed(3);
    const head = `name="${escapeMarkup(name)}" ${counts([environment])} time="${seconds}"`;
    return `  <testsuite ${head}>\n${error}${cases}  </testsuite>\n`;
  });
  const all = counts(report.environments);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ors audit" ${all}>\n${suites.join('')}</testsuites>\n`;
}

/** Counts attacks as tests, and a failure of the audit as one more test with an error. */
function counts(environments: readonly EnvironmentAudit[]): string {
  const results = environments.flatMap((environment) => environment.attacks);
  const count = (state: AttackResult['state']) => results.filter((result) => result.state === state).length;
  const errors = environments.filter(({ failure }) => failure !== undefined).length;
  const tests = results.length + errors;
  return `tests="${tests}" failures="${count('proof')}" errors="${errors}" skipped="${count('skipped')}"`;
}

const classOf = ({ name }: EnvironmentAudit): string => `classname="ors.audit.${escapeMarkup(name)}"`;

const errorCase = (environment: EnvironmentAudit, failure: string): string =>
  `    <testcase name="audit" ${classOf(environment)}>\n      <error message="${escapeMarkup(failure)}"/>\n    </testcase>\n`;

function testCase(environment: EnvironmentAudit, result: AttackResult, findings: readonly AuditFinding[]): string {
  const finding = findings.find(({ attack }) => attack === result.attack);
  const title = attacks.find(({ id }) => id === result.attack)?.title ?? '';
  const text = finding ? escapeMarkup(describeFinding(finding)) : '';
  const body = {
    proof: `      <failure type="${result.attack}" message="${escapeMarkup(finding?.what ?? '')}">${text}</failure>\n`,
    suspicion: `      <system-out>${text}</system-out>\n`,
    skipped: `      <skipped message="${escapeMarkup(result.reason ?? '')}"/>\n`,
    clean: '',
  }[result.state];
  const head = `name="${escapeMarkup(`${result.attack} ${title}`)}" ${classOf(environment)}`;
  return `    <testcase ${head}>\n${body}    </testcase>\n`;
}

function describeFinding(finding: AuditFinding): string {
  const { what, reason, advice, replays } = finding;
  const steps = replays[0]?.steps.map((step) => `  ${describeStep(step)}`) ?? [];
  const doubt = reason === undefined ? [] : [`not a proof: ${reason}`];
  return [`${what}: ${describeReward(finding)}`, ...doubt, advice, ...steps].join('\n');
}

/** Returns a badge for a README: `ORS audit no exploits found`, only if nothing was left out. */
export function auditBadge(report: AuditReport): string {
  const { proofs, failures } = countFindings(report);
  const isExhausted = report.environments.some((environment) => environment.isExhausted);
  const isIncomplete = report.interrupted || report.dryRun || failures > 0 || isExhausted;
  const isPartial = listGaps(report).length > 0;
  const notFound = isIncomplete ? 'incomplete' : isPartial ? 'partial, no exploits found' : 'no exploits found';
  const value = proofs > 0 ? plural(proofs, 'exploit') : notFound;
  const colour = proofs > 0 ? 'bad' : isIncomplete || isPartial ? 'unknown' : 'good';
  return drawBadge({ label: 'ORS audit', value, colour, title: `ORS audit: ${value}` });
}
