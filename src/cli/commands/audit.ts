import {
  type AuditReport,
  attacks,
  audit,
  countFindings,
  prepareReportFolder,
  writeAuditReports,
} from '../../audit/index.ts';
import { errorMessage, isHttpUrl, oneLine, plural, sum } from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import { importTarget, type TrialTarget } from '../../trial/index.ts';
import { AUDIT_EXIT_CODES, auditExitCode, auditFlags, auditOptions, DEFAULT_TIMEOUT_SECONDS } from '../audit/flags.ts';
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
  '--dry-run': 'list tasks and tools, and count attempts, sessions and calls, without a call',
  '--report <folder>': 'write audit.json, report.html, junit.xml, audit.sarif, badge.svg, findings and their traces',
  '--json': 'print one JSON document',
  ...connectionFlags,
} as const;

/** Time of the budget that must be left for the recording of proofs. */
const MIN_RECORDING_MS = 500;

export const auditCommand = defineCommand({
  name: 'audit',
  usage: '<module or url> [options]',
  arguments: [['<module or url>', 'a .ts, .js or .mjs file that exports environments, or the URL of a server']],
  flags,
  subcommands: {
    replay: {
      summary: 'Replay the transcripts of a finding in new sessions, and check whether its claim still holds.',
      load: async () => (await import('./audit-replay.ts')).auditReplayCommand,
    },
  },
  details: `Makes ${attacks.length} attacks without a model: leaked answers, repeated and simultaneous calls, farming, values of other types, texts that
fool graders, files of graders, state that sessions share. A finding is a proof if its transcript pays again in new sessions on
at least three tasks, more than random players; other findings are suspicions. It really calls tools: without --i-own-this, none
whose description says that its effects cannot be undone. Without --timeout, a response may take ${DEFAULT_TIMEOUT_SECONDS} s. docs/auditing.md
lists the attacks.`,
  exitCodes: {
    0: 'no exploit was proven',
    2: 'an environment could not be audited, and no exploit was proven',
    3: 'an exploit was proven',
    130: 'interrupted',
    137: "the environment's code blocked the process, which was killed",
  },
  examples: [
    'ors audit environment.ts',
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
    if (files.length > 0 && !options.json) {
      terminal.print(`Wrote ${plural(files.length, 'file')}:\n${files.map((file) => `  ${oneLine(file)}\n`).join('')}`);
    }
    process.exitCode = auditExitCode(report);
  },
});

type Flags = FlagValues<typeof flags>;

async function auditSubject(subject: string, options: Flags) {
  const { timeout = DEFAULT_TIMEOUT_SECONDS, report: folder } = options;
  if (folder !== undefined) await prepareFolder(folder);
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  using _quiet = redirectStdout();
  using progress = createProgressBar(countUnit('attack'));
  using _guard = guardAgainstBlocking(timeout);
  await using opened = await openSubject(subject, options, timeout, signal, importTarget);
  const { target } = opened;
  const report = await audit(target, {
    ...auditOptions(options),
    dryRun: options.dryRun ?? false,
    timeoutMs: timeout * 1_000,
    signal,
    onProgress: (done, all) => progress.show(done, all),
  });
  const files = folder === undefined ? [] : await writeReport(folder, { subject, target, report }, options, signal);
  return { report, files };
}

/** Checks the folder before the audit, which takes minutes. @throws CliError */
const prepareFolder = (folder: string): Promise<void> =>
  prepareReportFolder(folder).catch((cause: unknown) => {
    throw new CliError(`--report: ${errorMessage(cause)}`, { cause });
  });

interface Audited {
  readonly subject: string;
  readonly target: TrialTarget;
  readonly report: AuditReport;
}

/** Writes the report, and traces of the proofs as far as the budget permits. Returns the paths. @throws CliError */
async function writeReport(
  folder: string,
  { subject, target, report }: Audited,
  { timeout = DEFAULT_TIMEOUT_SECONDS, budget, secret, iOwnThis }: Flags,
  signal: AbortSignal,
): Promise<string[]> {
  const place = isHttpUrl(subject) ? { url: subject } : { module: subject };
  const leftMs = sum(report.environments.map(({ durationMs }) => Math.max(0, budget * 1_000 - durationMs)));
  try {
    const files = await writeAuditReports(folder, report, place);
    if (countFindings(report).proofs === 0 || report.interrupted || leftMs < MIN_RECORDING_MS) return files;
    const settings = {
      secrets: secret,
      timeoutMs: timeout * 1_000,
      ownsEnvironment: iOwnThis ?? false,
      signal,
      leftMs,
    };
    return [...files, await recordProofs(target, report, folder, settings)];
  } catch (error) {
    throw new CliError(`--report: cannot write to '${folder}': ${fileProblem(error, 'write')}`, { cause: error });
  }
}
