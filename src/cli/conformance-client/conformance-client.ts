import { createRequire } from 'node:module';
import {
  adapterCommand,
  type ClientCheck,
  type ClientProgress,
  type ClientRun,
  EXIT_CODES,
  NoTarget,
  resultsOf,
  runClientChecks,
  selectClientChecks,
  writeReports,
} from '../../conformance/index.ts';
import { oneLine, plural } from '../../core/index.ts';
import { readNames } from '../conformance/check-names.ts';
import { prepareReport } from '../conformance/prepare-report.ts';
import { progressLine } from '../conformance/progress.ts';
import { readExpected } from '../conformance/read-request.ts';
import { showResults } from '../conformance/show-results.ts';
import { untilBegun } from '../conformance/until-begun.ts';
import { usage } from '../conformance/usage.ts';
import { Failure } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { describeClientCheck, explainClientCheck, listClientChecks } from './describe-client-check.ts';
import type { ClientFlags } from './flags.ts';

const PACKAGE: { readonly name: string; readonly version: string } = createRequire(import.meta.url)(
  'ors-kit/package.json',
);

export interface ClientParts {
  readonly checks: readonly ClientCheck[];
  readonly terminal: Terminal;
}

/** Carries a command line out and gives the exit code. @throws Failure where it cannot be carried out. */
export async function conformanceClient(flags: ClientFlags, { checks, terminal }: ClientParts): Promise<number> {
  const told = describe(flags, checks, terminal);
  if (told !== undefined) {
    terminal.print(told);
    return EXIT_CODES.conforms;
  }
  const expectations = await readExpected(flags.expectedFailures);
  if (flags.report !== undefined) await prepareReport(flags.report);
  using interrupts = listenForInterrupts();
  const run = await runUntil(interrupts.signal, flags, { checks, terminal });
  const interrupted = interrupts.signal.aborted ? (interrupts.signal.reason as Failure).exitCode : undefined;
  const results = resultsOf(run, {
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
  terminal.print(flags.json ? `${safeJson(results)}\n` : showResults(results, terminal, flags.verbose === true));
  if (written.length > 0 && !flags.json) terminal.print(`\nWrote ${written.join(', ')}.\n`);
  return results.verdict.exit_code;
}

/** What is told without a run; undefined if a run is asked for. */
function describe(flags: ClientFlags, checks: readonly ClientCheck[], terminal: Terminal): string | undefined {
  const { explain, list, json } = flags;
  if (explain === undefined && !list) return undefined;
  const chosen =
    explain === undefined
      ? selectClientChecks(checks, selection(flags, checks))
      : selectClientChecks(checks, { only: readNames('--explain', [explain], checks) });
  if (json) return `${safeJson(chosen.map(describeClientCheck))}\n`;
  if (explain === undefined) return listClientChecks(chosen, terminal);
  return chosen.map((check) => explainClientCheck(check, terminal)).join('\n');
}

const selection = ({ only, skip }: ClientFlags, checks: readonly ClientCheck[]) => ({
  ...(only && { only: readNames('--only', only, checks) }),
  ...(skip && { skip: readNames('--skip', skip, checks) }),
});

async function runUntil(signal: AbortSignal, flags: ClientFlags, parts: ClientParts): Promise<ClientRun> {
  const { command, timeout, concurrency, json } = flags;
  const { checks, terminal } = parts;
  if (command === undefined) {
    throw usage("--command is missing; write it like: ors conformance-client --command 'python adapter.py'");
  }
  const chosen = selection(flags, checks);
  if (selectClientChecks(checks, chosen).length === 0) throw usage('--only and --skip leave no check');
  using line = progressLine(json ? { ...terminal, isInteractive: false } : terminal);
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
      () => runClientChecks(options, { checks, launch: adapterCommand(command), suite, onProgress }),
    );
  } catch (error) {
    throw error instanceof NoTarget ? new Failure(error.message, { exitCode: EXIT_CODES['no-target'] }) : error;
  }
}
