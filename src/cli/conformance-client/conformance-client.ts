import { createRequire } from 'node:module';
import {
  type ClientCheck,
  type ClientProgress,
  type ClientRun,
  EXIT_CODES,
  launchAdapterCommand,
  runClientChecks,
  selectClientChecks,
  TargetNotFoundError,
  toConformanceResults,
  writeReports,
} from '../../conformance/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import { parseCheckNames } from '../conformance/check-names.ts';
import { prepareReport } from '../conformance/prepare-report.ts';
import { createProgressLine } from '../conformance/progress.ts';
import { readExpectedFailures } from '../conformance/read-request.ts';
import { showConformanceResults } from '../conformance/show-results.ts';
import { untilBegun } from '../conformance/until-begun.ts';
import { usageError } from '../conformance/usage.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { describeClientCheck, explainClientCheck, listClientChecks } from './describe-client-check.ts';
import type { ConformanceClientFlags } from './flags.ts';

const PACKAGE: { readonly name: string; readonly version: string } = createRequire(import.meta.url)(
  'ors-kit/package.json',
);

export interface ConformanceClientParts {
  readonly checks: readonly ClientCheck[];
  readonly terminal: Terminal;
}

/** Carries a command line out and gives the exit code. @throws Failure where it cannot be carried out. */
export async function conformanceClient(
  flags: ConformanceClientFlags,
  { checks, terminal }: ConformanceClientParts,
): Promise<number> {
  const told = describe(flags, checks, terminal);
  if (told !== undefined) {
    terminal.print(told);
    return EXIT_CODES.conforms;
  }
  const expectations = await readExpectedFailures(flags.expectedFailures);
  if (flags.report !== undefined) await prepareReport(flags.report);
  using interrupts = listenForInterrupts();
  const run = await runUntil(interrupts.signal, flags, { checks, terminal });
  const interrupted = interrupts.signal.aborted ? (interrupts.signal.reason as CliError).exitCode : undefined;
  const results = toConformanceResults(run, {
    options: {},
    knownChecks: checks.map(({ id }) => id),
    expectations,
    ...(flags.strict && { strict: true }),
    ...(flags.requireComplete && { requireComplete: true }),
    ...(interrupted !== undefined && { interrupted }),
  });
  const written =
    flags.report === undefined
      ? []
      : await writeReports(flags.report, results, { isPart: flags.only !== undefined || flags.skip !== undefined });
  terminal.print(
    flags.json ? `${safeJson(results)}\n` : showConformanceResults(results, terminal, flags.verbose === true),
  );
  if (written.length > 0 && !flags.json) terminal.print(`\nWrote ${written.join(', ')}.\n`);
  return results.verdict.exit_code;
}

/** What is told without a run; undefined if a run is asked for. */
function describe(
  flags: ConformanceClientFlags,
  checks: readonly ClientCheck[],
  terminal: Terminal,
): string | undefined {
  const { explain, list, json } = flags;
  if (explain === undefined && !list) return undefined;
  const chosen =
    explain === undefined
      ? selectClientChecks(checks, selection(flags, checks))
      : selectClientChecks(checks, { only: parseCheckNames('--explain', [explain], checks) });
  if (json) return `${safeJson(chosen.map(describeClientCheck))}\n`;
  if (explain === undefined) return listClientChecks(chosen, terminal);
  return chosen.map((check) => explainClientCheck(check, terminal)).join('\n');
}

const selection = ({ only, skip }: ConformanceClientFlags, checks: readonly ClientCheck[]) => ({
  ...(only && { only: parseCheckNames('--only', only, checks) }),
  ...(skip && { skip: parseCheckNames('--skip', skip, checks) }),
});

async function runUntil(
  signal: AbortSignal,
  flags: ConformanceClientFlags,
  parts: ConformanceClientParts,
): Promise<ClientRun> {
  const { command, timeout, concurrency, json } = flags;
  const { checks, terminal } = parts;
  if (command === undefined) {
    throw usageError("--command is missing; write it like: ors conformance-client --command 'python adapter.py'");
  }
  const chosen = selection(flags, checks);
  if (selectClientChecks(checks, chosen).length === 0) throw usageError('--only and --skip leave no check');
  using line = createProgressLine(json ? { ...terminal, isInteractive: false } : terminal);
  let hasBegun = false;
  const onProgress = (progress: ClientProgress) => {
    if (!hasBegun && !json) {
      terminal.print(`${oneLine(progress.client ?? command)} · ${plural(progress.total, 'check')}\n`);
    }
    hasBegun = true;
    line.show(progress);
  };
  const options = {
    ...chosen,
    signal,
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { times: { commandMs: timeout * 1_000 } }),
  };
  const suite = `${PACKAGE.name} ${PACKAGE.version}`;
  try {
    return await untilBegun(
      signal,
      () => hasBegun,
      () => runClientChecks(options, { checks, launch: launchAdapterCommand(command), suite, onProgress }),
    );
  } catch (error) {
    throw error instanceof TargetNotFoundError
      ? new CliError(error.message, { exitCode: EXIT_CODES['no-target'] })
      : error;
  }
}
