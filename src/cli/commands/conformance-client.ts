import { Command } from 'commander';
import { clientChecks, EXIT_CODES } from '../../conformance/index.ts';
import { conformanceClient } from '../conformance-client/conformance-client.ts';
import { addClientOptions, type ConformanceClientFlags } from '../conformance-client/flags.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { openTerminal } from '../terminal/terminal.ts';

const HELP = `
Each check starts a server on a free port of 127.0.0.1 and an adapter, which it tells line by line what the client is to
do. docs/conformance-client.md says how to write one. A run takes about a minute: some checks wait for 30 s of silence.

Exit codes: 0 all required checks that ran pass, or fail as expected; 1 one of them failed, or an expected failure is no
longer true; 2 wrong usage; 3 the adapter does not start; 4 the suite itself broke; 5 no required check ran, or with
--require-complete something could not be tested; 130 interrupted.

Examples:
  $ ors conformance-client --command 'python adapter.py'
  $ ors conformance-client --command ./adapter --only client/stream --verbose
  $ ors conformance-client --explain client/resume/silence`;

/** `ors conformance-client --command <command>`. */
export function conformanceClientCommand(): Command {
  return addClientOptions(
    new Command('conformance-client').description('Test any ORS client against the standard, clause by clause.'),
  )
    .addHelpText('after', HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT_CODES.conforms : EXIT_CODES.usage))
    .action((flags: ConformanceClientFlags) =>
      reportFailure(flags.json === true, async () => {
        const code = await conformanceClient(flags, { checks: clientChecks, terminal: openTerminal() });
        process.exitCode = code;
        // Checks that were interrupted may still wait for something; nobody waits for them.
        if (code >= EXIT_CODES.interrupted) process.stdout.write('', () => process.exit(code));
      }),
    );
}
