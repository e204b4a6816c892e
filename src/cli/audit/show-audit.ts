import {
  type AuditFinding,
  type AuditReport,
  countFindings,
  describeReward,
  describeStep,
  type EnvironmentAudit,
  listGaps,
} from '../../audit/index.ts';
import { oneLine, plural, stripControls, truncate } from '../../core/index.ts';
import { duration, type Terminal, wrapText } from '../terminal/terminal.ts';

/** Steps of a transcript that are shown. */
const MAX_STEPS = 6;
const MAX_STEP_LENGTH = 200;

/** Formats each environment with its findings, and a summary. */
export function showAudit(report: AuditReport, terminal: Terminal): string {
  const parts = report.environments.map((environment) => {
    const { name, failure } = environment;
    const own = report.findings.filter((finding) => finding.environment === name);
    const head = `${terminal.style('bold', oneLine(name))}  ${failure === undefined ? work(environment, report) : ''}`;
    const failed = failure === undefined ? '' : `${showFailure(failure, terminal)}\n`;
    return `\n${head.trimEnd()}\n${failed}${own.map((finding) => showFinding(finding, terminal)).join('')}`;
  });
  return `${parts.join('')}\n${summary(report, terminal)}\n`;
}

function work(environment: EnvironmentAudit, { dryRun }: AuditReport): string {
  const { split, tasks, sessions, calls, skippedTools, isExhausted, attacks, plan } = environment;
  const skipped =
    skippedTools.length === 0 ? '' : `; not called: ${skippedTools.map((name) => oneLine(name)).join(', ')}`;
  if (dryRun && plan) {
    const attempts = `${plural(plan.attempts, 'attempt')} by ${plural(attacks.length, 'attack')}`;
    const least = `${plural(plan.exploration.sessions, 'session')} and ${plural(plan.exploration.calls, 'call')} if none pays`;
    const most = `at most ${plural(plan.sessions, 'session')} and ${plural(plan.calls, 'call')} with all replays`;
    return `split ${oneLine(split)}: ${plural(tasks, 'task')}, ${attempts}: ${least}, ${most}${skipped}`;
  }
  const ended = isExhausted ? '; the budget ended before the attacks did' : '';
  return `split ${oneLine(split)}: ${plural(tasks, 'task')}, ${plural(sessions, 'session')}, ${plural(calls, 'call')}${skipped}${ended}`;
}

const showFailure = (failure: string, terminal: Terminal): string =>
  terminal.style('red', wrapText(`✗ could not be audited: ${oneLine(failure)}`, terminal.width, '  '));

function showFinding(finding: AuditFinding, terminal: Terminal): string {
  const { kind, attack, title, what, reason, advice, replays } = finding;
  const isProof = kind === 'proof';
  const head = terminal.style(isProof ? 'red' : 'yellow', `${isProof ? '✗' : '?'} ${attack}  ${title}`);
  const [first] = replays;
  const steps = first?.steps ?? [];
  const shown = steps.slice(0, MAX_STEPS).map((step) => truncate(oneLine(describeStep(step)), MAX_STEP_LENGTH));
  const more = steps.length > MAX_STEPS ? [`and ${steps.length - MAX_STEPS} more steps`] : [];
  const doubt = reason === undefined ? [] : [`Not a proof: ${reason}.`];
  const lines = [`${what}: ${describeReward(finding)}.`, ...doubt, advice].map((line) =>
    wrapText(stripControls(line), terminal.width, '    '),
  );
  const transcript = first ? [`    Task ${first.index}:`, ...[...shown, ...more].map((step) => `      ${step}`)] : [];
  return `  ${head}\n${[...lines, ...transcript.map((line) => terminal.style('dim', line))].join('\n')}\n`;
}

function summary(report: AuditReport, terminal: Terminal): string {
  const { dryRun, seed, interrupted, durationMs } = report;
  const { proofs, suspicions, failures } = countFindings(report);
  const tone = proofs + failures > 0 ? 'red' : suspicions > 0 ? 'yellow' : 'green';
  const failed = failures === 0 ? '' : `, ${plural(failures, 'environment')} not audited`;
  const found = dryRun
    ? 'Dry run: no tool was called'
    : `${plural(proofs, 'proof')}, ${plural(suspicions, 'suspicion')}`;
  const headline = found + failed;
  const end = interrupted ? '\nInterrupted: only the attacks so far were made.' : '';
  const gaps = listGaps(report).map((gap) => oneLine(gap));
  const partial = gaps.length === 0 ? '' : `\n${wrapText(`Partial audit: ${gaps.join('; ')}.`, terminal.width, '')}`;
  return `${terminal.style('bold', terminal.style(tone, headline))} in ${duration(durationMs / 1000)}, seed ${seed}.${partial}${end}`;
}
