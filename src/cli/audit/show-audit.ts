import {
  type AuditFinding,
  type AuditReport,
  countFindings,
  describeReward,
  describeStep,
  type EnvironmentAudit,
  planOf,
} from '../../audit/index.ts';
import { oneLine, plural, stripControls, truncate } from '../../core/index.ts';
import { duration, type Terminal, wrapText } from '../terminal/terminal.ts';

/** Steps of a transcript that are shown. */
const MAX_STEPS = 6;
const MAX_STEP_LENGTH = 200;

/** Formats each environment with its findings, and a summary. */
export function showAudit(report: AuditReport, terminal: Terminal): string {
  const parts = report.environments.map((environment) => {
    const own = report.findings.filter(({ environment: name }) => name === environment.name);
    return `\n${terminal.style('bold', oneLine(environment.name))}  ${work(environment, report)}\n${own.map((finding) => showFinding(finding, terminal)).join('')}`;
  });
  return `${parts.join('')}\n${summary(report, terminal)}\n`;
}

function work(environment: EnvironmentAudit, { dryRun }: AuditReport): string {
  const { split, tasks, sessions, calls, skippedTools, isExhausted, attacks } = environment;
  if (dryRun) {
    const plan = planOf(environment);
    const attempts = `${plural(plan.attempts, 'attempt')} by ${plural(attacks.length, 'attack')}`;
    return `split ${oneLine(split)}: ${plural(tasks, 'task')}, ${attempts}, at most ${plural(plan.sessions, 'session')} before replays`;
  }
  const skipped =
    skippedTools.length === 0 ? '' : `; not called: ${skippedTools.map((name) => oneLine(name)).join(', ')}`;
  const ended = isExhausted ? '; the budget ended before the attacks did' : '';
  return `split ${oneLine(split)}: ${plural(tasks, 'task')}, ${plural(sessions, 'session')}, ${plural(calls, 'call')}${skipped}${ended}`;
}

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
  const { proofs, suspicions } = countFindings(report);
  const tone = proofs > 0 ? 'red' : suspicions > 0 ? 'yellow' : 'green';
  const headline = dryRun
    ? 'Dry run: no tool was called'
    : `${plural(proofs, 'proof')}, ${plural(suspicions, 'suspicion')}`;
  const end = interrupted ? '\nInterrupted: only the attacks so far were made.' : '';
  return `${terminal.style('bold', terminal.style(tone, headline))} in ${duration(durationMs / 1000)}, seed ${seed}.${end}`;
}
