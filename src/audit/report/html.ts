import { escapeMarkup, formatDuration, plural } from '../../core/index.ts';
import { sourceHash } from '../../core/node/index.ts';
import { formatReward } from '../judge.ts';
import type { AuditFinding, AuditReport, EnvironmentAudit } from '../options.ts';
import { countFindings, describeReward, describeStep, listGaps } from './describe.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8885; --bad: #b3261e; --soft: #777; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
article { border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 1rem; margin: 1rem 0; }
article.proof { border-left: 4px solid var(--bad); } .failure { color: var(--bad); }
h3 { font-size: 1rem; margin: 0.3rem 0; } p { margin: 0.3rem 0; } .soft { color: var(--soft); }
pre { overflow-x: auto; background: #8882; padding: 0.5rem; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; border-bottom: 1px solid var(--line); padding: 0.2rem 0.5rem; }
`;

/** Returns the report as one self-contained page without scripts. */
export function auditHtml(report: AuditReport): string {
  const { proofs, suspicions, failures } = countFindings(report);
  const failed = failures === 0 ? '' : `, ${plural(failures, 'environment')} not audited`;
  const found = `${plural(proofs, 'proof')}, ${plural(suspicions, 'suspicion')}${failed}`;
  const headline = report.dryRun ? 'a dry run, in which no tool was called' : found;
  const gaps = listGaps(report);
  const partial = gaps.length === 0 ? '' : `<p class="soft">${escapeMarkup(`Partial audit: ${gaps.join('; ')}`)}</p>\n`;
  const names = report.environments.map(({ name }) => name).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${sourceHash(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(`Audit of ${names}`)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeMarkup(`Audit of ${names}: ${headline}`)}</h1>
<p class="soft">${escapeMarkup(`${formatDuration(report.durationMs)}, seed ${report.seed}${report.interrupted ? ', interrupted' : ''}`)}</p>
${partial}</header>
<main>
${section(
  'Proofs',
  report.findings.filter(({ kind }) => kind === 'proof'),
)}${section(
  'Suspicions',
  report.findings.filter(({ kind }) => kind === 'suspicion'),
)}${report.environments.map(attackTable).join('')}</main>
</body>
</html>
`;
}

const section = (title: string, findings: readonly AuditFinding[]): string =>
  findings.length === 0 ? '' : `<section>\n<h2>${title}</h2>\n${findings.map(findingCard).join('')}</section>\n`;

function findingCard(finding: AuditFinding): string {
  const { kind, attack, title, environment, split, what, reason, advice, replays } = finding;
  const [first] = replays;
  const steps = first?.steps.map(describeStep).join('\n') ?? '';
  const doubt = reason === undefined ? '' : `<p>Not a proof: ${escapeMarkup(reason)}.</p>\n`;
  return `<article class="${kind}">
<h3>${escapeMarkup(`${attack} ${title}`)}</h3>
<p class="soft">${escapeMarkup(`${environment}, split ${split}: ${describeReward(finding)}`)}</p>
<p>${escapeMarkup(what)}.</p>
${doubt}<p>${escapeMarkup(advice)}</p>
<p class="soft">Minimal transcript${first ? escapeMarkup(` of task ${first.index}, reward ${formatReward(first.reward)}`) : ''}:</p>
<pre>${escapeMarkup(steps)}</pre>
</article>
`;
}

function attackTable({
  name,
  split,
  tasks,
  attacks,
  sessions,
  calls,
  isExhausted,
  skippedTools,
  failure,
}: EnvironmentAudit): string {
  const rows = attacks.map(
    ({ attack, state, attempts, reason }) =>
      `<tr><td>${attack}</td><td>${state}</td><td>${attempts}</td><td>${escapeMarkup(reason ?? '')}</td></tr>\n`,
  );
  const work = `${split}: ${plural(tasks, 'task')}, ${plural(sessions, 'session')}, ${plural(calls, 'call')}`;
  const ended = isExhausted ? '; the budget ended before the attacks did' : '';
  const skipped = skippedTools.length === 0 ? '' : `; not called: ${skippedTools.join(', ')}`;
  return `<section>
<h2>${escapeMarkup(`Attacks on ${name}`)}</h2>
<p class="soft">${escapeMarkup(work + ended + skipped)}</p>
${failure === undefined ? '' : `<p class="failure">Could not be audited: ${escapeMarkup(failure)}</p>\n`}<table><thead><tr><th>Attack</th><th>Result</th><th>Attempts</th><th>Reason</th></tr></thead><tbody>
${rows.join('')}</tbody></table>
</section>
`;
}
