import { type AuditReport, attacks, audit, countFindings, writeAuditReports } from '../../audit/index.ts';
import { errorMessage, isHttpUrl, plural } from '../../core/index.ts';
import { importTarget } from '../../trial/index.ts';
import { AUDIT_EXIT_CODES, auditFlags, auditOptions, DEFAULT_TIMEOUT_SECONDS } from '../audit/flags.ts';
import { recordProofs } from '../audit/record-proofs.ts';
import { showAudit } from '../audit/show-audit.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags } from '../remote/flags.ts';
import { guardedReporter } from '../report-failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { guardAgainstBlocking, openSubject } from '../validate/open-subject.ts';

const flags = {
  ...auditFlags,
  '--dry-run': 'list tasks and tools, and count the attempts, without a call',
  '--report <folder>': 'write audit.json, report.html, junit.xml, audit.sarif, badge.svg, findings and their traces',
  '--json': 'print one JSON document',
  ...connectionFlags,
} as const;

export const auditCommand = defineCommand({
  name: 'audit',
  summary: 'Find exploits of environments, and prove each by a transcript that pays when it is replayed.',
  usage: '<module or url> [options]',
  arguments: [['<module or url>', 'a .ts, .js or .mjs file that exports environments, or the URL of a server']],
  flags,
  subcommands: {
    replay: async () => (await import('./audit-replay.ts')).auditReplayCommand,
  },
  details: `Makes ${attacks.length} attacks without a model: leaked answers, repeated and simultaneous calls, farming, values of other types, texts that
fool graders, files of graders, state that sessions share. A finding is a proof if its transcript pays again in new sessions on
at least three tasks, more than random players; other findings are suspicions. It really calls tools: without --i-own-this, none
whose description says that its effects cannot be undone. Without --timeout, a response may take ${DEFAULT_TIMEOUT_SECONDS} s. docs/auditing.md
lists the attacks.`,
  exitCodes: {
    0: 'no exploit was proven',
    2: 'the environment could not be audited',
    3: 'an exploit was proven',
    130: 'interrupted',
    137: "the environment's code blocked the process, which was killed",
  },
  examples: [
    'ors audit examples/start/environment.ts',
    'ors audit environment.ts --split train --tasks 50 --budget 300s --report audit-report',
    'ors audit http://127.0.0.1:8080 --env gsm8k --max-reward 1 --dry-run',
    'ors audit replay audit-report/findings/gsm8k-AUDIT-LEAK-01.json http://127.0.0.1:8080',
  ],
  failureExitCode: AUDIT_EXIT_CODES.notRun,
  report: guardedReporter(
    (code) =>
      `the environment's code ended the process (exit code ${code}), or waits for something that never happens; nothing was audited`,
  ),
  async run(subject, options) {
    const { report, files } = await auditSubject(subject, options);
    const terminal = openTerminal();
    terminal.print(options.json ? `${safeJson(report)}\n` : showAudit(report, terminal));
    if (files.length > 0 && !options.json) terminal.print(`${plural(files.length, 'file')} in ${options.report}\n`);
    process.exitCode = exitCodeOf(report);
  },
});

async function auditSubject(subject: string, options: FlagValues<typeof flags>) {
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  using _quiet = redirectStdout();
  using progress = createProgressBar(countUnit('attack'));
  const { timeout = DEFAULT_TIMEOUT_SECONDS, secret, report: folder } = options;
  using _guard = guardAgainstBlocking(timeout);
  await using opened = await openSubject(subject, options, timeout, signal, importTarget);
  const { target } = opened;
  const timeoutMs = timeout * 1_000;
  const report = await audit(target, {
    ...auditOptions(options),
    dryRun: options.dryRun ?? false,
    timeoutMs,
    signal,
    onProgress: (done, all) => progress.show(done, all),
  });
  if (folder === undefined) return { report, files: [] };
  const place = isHttpUrl(subject) ? { url: subject } : { module: subject };
  try {
    const files = await writeAuditReports(folder, report, place);
    if (countFindings(report).proofs === 0 || report.interrupted) return { report, files };
    return {
      report,
      files: [...files, await recordProofs(target, report, folder, { secrets: secret, timeoutMs, signal })],
    };
  } catch (error) {
    throw new CliError(`--report: cannot write to '${folder}': ${errorMessage(error)}`, { cause: error });
  }
}

/** Returns the exit code of a report. */
function exitCodeOf(report: AuditReport): number {
  if (report.interrupted) return AUDIT_EXIT_CODES.interrupted;
  return countFindings(report).proofs > 0 ? AUDIT_EXIT_CODES.proven : AUDIT_EXIT_CODES.clean;
}
