import { Command } from 'commander';
import { diffResults, EXIT_CODES, InvalidResultsError, parseResults, serverChecks } from '../../conformance/index.ts';
import { conformance } from '../conformance/conformance.ts';
import { addConformanceOptions, type ConformanceFlags } from '../conformance/flags.ts';
import { readFlagFile } from '../conformance/read-options.ts';
import { showResultsDiff } from '../conformance/show-difference.ts';
import { usageError } from '../conformance/usage.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';

const HELP = `
Every session that is made is deleted, and no tool is called more often than the budget says that is printed first.
Warnings are about what the standard recommends; they do not fail the run, unless --strict is given.

Exit codes: 0 all required checks that ran pass, or fail as expected; 1 one of them failed, or an expected failure is no
longer true; 2 wrong usage; 3 no ORS server; 4 the suite itself broke; 5 no required check ran, every call ended in
an error event, or with --require-complete something could not be tested; 130 interrupted.

Examples:
  $ ors conformance http://127.0.0.1:8080
  $ ors conformance http://127.0.0.1:8080 --profile full --report conformance
  $ ors conformance http://127.0.0.1:8080 --explain discovery/health
  $ ors conformance http://127.0.0.1:8080 --start './my-server --port 8080' --profile full --json > results.json
  $ ors conformance diff before/results.json after/results.json`;

/** `ors conformance <url>` and `ors conformance diff <before> <after>`. */
export function conformanceCommand(): Command {
  const command = new Command('conformance')
    .description('Test any ORS server against the standard, clause by clause.')
    .usage('<url> [options]')
    .argument('[url]', 'address of the server')
    .enablePositionalOptions();
  addConformanceOptions(command)
    .addHelpText('after', HELP)
    .action((url: string | undefined, flags: ConformanceFlags) =>
      reportFailure(flags.json === true, async () => {
        exitWith(await conformance(url, flags, { checks: serverChecks, terminal: openTerminal() }));
      }),
    );
  return withUsageErrors(command.addCommand(withUsageErrors(diffCommand())));
}

function diffCommand(): Command {
  return new Command('diff')
    .description('compare two results.json: what got better and worse; exits with 1 if something got worse')
    .argument('<before>', 'results.json of the earlier run')
    .argument('<after>', 'results.json of the later run')
    .option('--json', 'print one JSON document')
    .action((before: string, after: string, { json }: { readonly json?: true }) =>
      reportFailure(json === true, async () => {
        const runs = [await resultsFrom(before), await resultsFrom(after)] as const;
        const difference = diffResults(...runs);
        const terminal = openTerminal();
        terminal.print(json ? `${safeJson(difference)}\n` : showResultsDiff(difference, runs, terminal));
        process.exitCode = difference.worse.length > 0 ? EXIT_CODES.violations : EXIT_CODES.conforms;
      }),
    );
}

async function resultsFrom(file: string) {
  const text = await readFlagFile(file, 'diff');
  try {
    return parseResults(text);
  } catch (error) {
    throw error instanceof InvalidResultsError ? usageError(`${file}: ${error.message}`) : error;
  }
}

/** Commander's own exit code for a wrong command line is 1, which here says that a server is wrong. */
const withUsageErrors = (command: Command): Command =>
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT_CODES.conforms : EXIT_CODES.usage));

/** Checks that were interrupted may still wait for something; nobody waits for them. */
function exitWith(code: number): void {
  process.exitCode = code;
  if (code >= EXIT_CODES.interrupted) process.stdout.write('', () => process.exit(code));
}
