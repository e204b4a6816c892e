import {
  type ClientProgress,
  type ClientRun,
  clientChecks,
  EXIT_CODES,
  launchAdapterCommand,
  runClientChecks,
  selectClientChecks,
  TargetNotFoundError,
} from '../../conformance/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { describeCheck, explainCheck, listChecks } from '../conformance/describe-check.ts';
import {
  type ConformanceClientFlags,
  conformanceClientFlags,
  parseCheckNames,
  parseSelection,
  readExpectedFailures,
} from '../conformance/read-request.ts';
import { exitWith, json, prepareReport, reportRun, runWithProgress, SUITE, suiteFailure } from '../conformance/run.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { openPager } from '../terminal/text-output.ts';

export const conformanceClientCommand = defineCommand({
  name: 'conformance-client',
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
  // The default, 1, would mean that the client fails a check.
  failureExitCode: EXIT_CODES.usage,
  async run(flags) {
    if (flags.explain === undefined && !flags.list) return exitWith(await runChecks(flags, openTerminal()));
    await using terminal = await openPager(flags);
    terminal.print(describeChecks(flags, terminal));
    process.exitCode = EXIT_CODES.conforms;
  },
});

/** Returns the text of --list and --explain. */
function describeChecks(flags: ConformanceClientFlags, terminal: Terminal): string {
  const { explain, json: asJson } = flags;
  const selection =
    explain === undefined
      ? parseSelection(flags, clientChecks)
      : { only: parseCheckNames('--explain', [explain], clientChecks) };
  const chosen = selectClientChecks(clientChecks, selection);
  if (asJson) return json(chosen.map(describeCheck));
  if (explain === undefined) return listChecks(chosen, terminal);
  return chosen.map((check) => explainCheck(check, terminal)).join('\n');
}

/** Runs the checks and prints the results. @returns the exit code. */
async function runChecks(flags: ConformanceClientFlags, terminal: Terminal): Promise<number> {
  const expectations = await readExpectedFailures(flags.expectedFailures);
  if (flags.report !== undefined) await prepareReport(flags.report);
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  try {
    const run = await runUntilInterrupted(signal, flags, terminal);
    const parts = { options: {}, knownChecks: clientChecks.map(({ id }) => id), expectations };
    return await reportRun(run, parts, flags, { signal, terminal });
  } catch (error) {
    if (!(error instanceof TargetNotFoundError)) throw suiteFailure(error);
    throw new CliError(error.message, { exitCode: EXIT_CODES['no-target'] });
  }
}

async function runUntilInterrupted(
  signal: AbortSignal,
  flags: ConformanceClientFlags,
  terminal: Terminal,
): Promise<ClientRun> {
  const { command, timeout, concurrency, json: asJson } = flags;
  if (command === undefined) {
    throw new CliError("--command is missing; write: ors conformance-client --command 'python adapter.py'");
  }
  const selection = parseSelection(flags, clientChecks);
  if (selectClientChecks(clientChecks, selection).length === 0) throw new CliError('--only and --skip select no check');
  const options = {
    ...selection,
    signal,
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { times: { commandMs: timeout * 1_000 } }),
  };
  const headline = ({ client, total }: ClientProgress) => `${oneLine(client ?? command)} · ${plural(total, 'check')}\n`;
  return await runWithProgress(signal, { terminal, isQuiet: asJson === true, headline }, (onProgress) => {
    const parts = { checks: clientChecks, launch: launchAdapterCommand(command), suite: SUITE, onProgress };
    return runClientChecks(options, parts);
  });
}
