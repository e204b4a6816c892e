import { diffResults, EXIT_CODES, InvalidResultsError, parseResults, serverChecks } from '../../conformance/index.ts';
import { defineCommand } from '../command.ts';
import { conformanceFlags } from '../conformance/read-request.ts';
import { exitWith, runConformance } from '../conformance/run.ts';
import { showResultsDiff } from '../conformance/show-results.ts';
import { CliError, readTextFile } from '../failure.ts';
import { reportFailure } from '../report-failure.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { openPager } from '../terminal/text-output.ts';

export const conformanceCommand = defineCommand({
  name: 'conformance',
  usage: '<url> [options]',
  arguments: [['[url]', 'URL of the server']],
  flags: conformanceFlags,
  subcommands: {
    diff: { summary: 'Compare two results.json: exits with 1 if something got worse.', load: () => diffCommand },
  },
  details: `Every session that a check creates is deleted, and the number of tool calls stays within the budget that is printed
first. Warnings are about recommendations of the standard; they fail the run only with --strict.`,
  exitCodes: {
    0: 'every required check that ran passed, or failed as expected',
    1: 'a required check failed, or an expected failure passed',
    2: 'invalid usage',
    3: 'the server cannot be reached, or is not an ORS server',
    4: 'the suite itself failed',
    5: 'no required check ran, every call ended in an error event, or with --require-complete something was not testable',
    130: 'interrupted',
  },
  examples: [
    'ors conformance http://127.0.0.1:8080',
    'ors conformance http://127.0.0.1:8080 --profile full --report conformance',
    'ors conformance http://127.0.0.1:8080 --explain discovery/health',
    "ors conformance http://127.0.0.1:8080 --start './my-server --port 8080' --profile full --json > results.json",
    'ors conformance diff before/results.json after/results.json',
  ],
  // The default, 1, would mean that the server fails a check.
  failureExitCode: EXIT_CODES.usage,
  // The run redacts its secrets itself.
  report: (flags, run, exitCode) => reportFailure({ json: 'json' in flags }, run, exitCode),
  async run(url, flags) {
    // A run shows its progress, which a pager would hide.
    const isText = flags.list === true || (flags.explain !== undefined && url === undefined);
    await using terminal = await openPager({ ...flags, pager: flags.pager && isText });
    exitWith(await runConformance(url, flags, { checks: serverChecks, terminal }));
  },
});

const diffCommand = defineCommand({
  name: 'diff',
  arguments: [
    ['<before>', 'results.json of the earlier run'],
    ['<after>', 'results.json of the later run'],
  ],
  flags: { '--json': 'print one JSON document' },
  failureExitCode: EXIT_CODES.usage,
  async run(before, after, { json }) {
    const runs = [await readResults(before), await readResults(after)] as const;
    const difference = diffResults(...runs);
    const terminal = openTerminal();
    terminal.print(json ? `${safeJson(difference)}\n` : showResultsDiff(difference, runs, terminal));
    process.exitCode = difference.worse.length > 0 ? EXIT_CODES.violations : EXIT_CODES.conforms;
  },
});

async function readResults(file: string) {
  const text = await readTextFile(file, 'diff');
  try {
    return parseResults(text);
  } catch (error) {
    throw error instanceof InvalidResultsError ? new CliError(`${file}: ${error.message}`) : error;
  }
}
