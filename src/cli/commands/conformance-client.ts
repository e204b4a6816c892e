import {
  type ClientCheck,
  type ClientProgress,
  type ClientRun,
  clientChecks,
  EXIT_CODES,
  launchAdapterCommand,
  runClientChecks,
  selectClientChecks,
  TargetNotFoundError,
  toConformanceResults,
  writeReports,
} from '../../conformance/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { describeClientCheck, explainClientCheck, listClientChecks } from '../conformance/describe-check.ts';
import { type ConformanceClientFlags, conformanceClientFlags, parseCheckNames, readExpectedFailures, usageError } from '../conformance/read-request.ts';
import { exitWith, prepareReport, runWithProgress, SUITE } from '../conformance/run.ts';
import { showConformanceResults } from '../conformance/show-results.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { type Terminal, openTerminal, safeJson } from '../terminal/terminal.ts';

export const conformanceClientCommand = defineCommand({
  name: 'conformance-client',
  summary: 'Test any ORS client against the standard, requirement by requirement.',
  flags: conformanceClientFlags,
  details: `Each check starts a server on a free port of 127.0.0.1 and an adapter, which receives commands for the client line by
line. docs/conformance-client.md explains how to write an adapter. A run takes about a minute: some checks wait for 30 s
of silence.`,
  exitCodes: {
    0: 'every required check that ran passed, or failed as expected',
    1: 'a required check failed, or an expected failure passed',
    2: 'invalid usage',
    3: 'the adapter does not start',
    4: 'the suite itself failed',
    5: 'no required check ran, or with --require-complete something was not testable',
    130: 'interrupted',
  },
  examples: [
    "ors conformance-client --command 'python adapter.py'",
    'ors conformance-client --command ./adapter --only client/stream --verbose',
    'ors conformance-client --explain client/resume/silence',
  ],
  usageExitCode: EXIT_CODES.usage,
  async run(flags) {
    const terminal = openTerminal();
    const description = describeChecks(flags, terminal);
    if (description === undefined) return exitWith(await runChecks(flags, terminal));
    terminal.print(description);
    process.exitCode = EXIT_CODES.conforms;
  },
});

/** Returns the text of --list and --explain; undefined if the checks have to run. */
function describeChecks(flags: ConformanceClientFlags, terminal: Terminal): string | undefined {
  const { explain, list, json } = flags;
  if (explain === undefined && !list) return undefined;
  const chosen = selectClientChecks(
    clientChecks,
    explain === undefined ? selection(flags) : { only: parseCheckNames('--explain', [explain], clientChecks) },
  );
  if (json) return `${safeJson(chosen.map(describeClientCheck))}\n`;
  if (explain === undefined) return listClientChecks(chosen, terminal);
  return chosen.map((check: ClientCheck) => explainClientCheck(check, terminal)).join('\n');
}

/** Runs the checks and prints the results. @returns the exit code. */
async function runChecks(flags: ConformanceClientFlags, terminal: Terminal): Promise<number> {
  const { json, report } = flags;
  const expectations = await readExpectedFailures(flags.expectedFailures);
  if (report !== undefined) await prepareReport(report);
  using interrupts = listenForInterrupts();
  const run = await runUntilInterrupted(interrupts.signal, flags, terminal);
  const interrupted = interrupts.signal.aborted ? (interrupts.signal.reason as CliError).exitCode : undefined;
  const results = toConformanceResults(run, {
    options: {},
    knownChecks: clientChecks.map(({ id }) => id),
    expectations,
    ...(flags.strict && { strict: true }),
    ...(flags.requireComplete && { requireComplete: true }),
    ...(interrupted !== undefined && { interrupted }),
  });
  const isPart = flags.only !== undefined || flags.skip !== undefined;
  const written = report === undefined ? [] : await writeReports(report, results, { isPart });
  terminal.print(json ? `${safeJson(results)}\n` : showConformanceResults(results, terminal, flags.verbose === true));
  if (written.length > 0 && !json) terminal.print(`\nWrote ${written.join(', ')}.\n`);
  return results.verdict.exit_code;
}

const selection = ({ only, skip }: ConformanceClientFlags) => ({
  ...(only && { only: parseCheckNames('--only', only, clientChecks) }),
  ...(skip && { skip: parseCheckNames('--skip', skip, clientChecks) }),
});

async function runUntilInterrupted(
  signal: AbortSignal,
  flags: ConformanceClientFlags,
  terminal: Terminal,
): Promise<ClientRun> {
  const { command, timeout, concurrency, json } = flags;
  if (command === undefined) {
    throw usageError("--command is missing; write: ors conformance-client --command 'python adapter.py'");
  }
  const chosen = selection(flags);
  if (selectClientChecks(clientChecks, chosen).length === 0) throw usageError('--only and --skip select no check');
  const options = {
    ...chosen,
    signal,
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { times: { commandMs: timeout * 1_000 } }),
  };
  const headline = ({ client, total }: ClientProgress) => `${oneLine(client ?? command)} · ${plural(total, 'check')}\n`;
  try {
    return await runWithProgress(signal, { terminal, isQuiet: json === true, headline }, (onProgress) =>
      runClientChecks(options, {
        checks: clientChecks,
        launch: launchAdapterCommand(command),
        suite: SUITE,
        onProgress,
      }),
    );
  } catch (error) {
    throw error instanceof TargetNotFoundError
      ? new CliError(error.message, { exitCode: EXIT_CODES['no-target'] })
      : error;
  }
}
