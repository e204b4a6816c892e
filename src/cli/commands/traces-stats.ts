import { Command } from 'commander';
import type { RunStats } from '../../../generated/trace.ts';
import { listPages, type TraceApiRequester } from '../../trace/client/index.ts';
import { integerOption } from '../option-parsers.ts';
import { createTable } from '../terminal/columns.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { countGroups } from '../traces/count-groups.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { printStats, RUN_COLUMNS } from '../traces/show-stats.ts';

interface StatsFlags extends StoreAccessFlags {
  readonly bins: number;
  readonly json?: true;
}

const HELP = `
Without a run it lists all of them. The reward of a trace is the sum of its rewards; std is that of the population. A group
has the rollouts of one task; one whose rewards are all equal has no variance, and teaches nothing to those who compare
within groups.

Examples:
  $ ors traces stats
  $ ors traces stats first-run
  $ ors traces stats first-run --json | jq '.groups'`;

/** `ors traces stats [run]`. */
export function tracesStatsCommand(): Command {
  const command = new Command('stats')
    .description('Show the rewards of a run: mean, spread, histogram, by step.')
    .argument('[run]', 'name of the run')
    .option('--bins <number>', 'bins of the histogram, up to 200', integerOption({ min: 1 }), 10)
    .option('--json', 'print JSON: one document for a run, one a line for the list');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((run: string | undefined, flags: StatsFlags) =>
      reportTraceFailure(flags.json === true, () => (run === undefined ? listRuns(flags) : showRun(run, flags))),
    );
}

async function listRuns(flags: StatsFlags): Promise<void> {
  await using traces = await openTraceAccess(flags);
  const terminal = openTerminal();
  const print = createTable(RUN_COLUMNS, terminal);
  let count = 0;
  for await (const { runs } of listPages(traces.api, 'listRuns')) {
    count += runs.length;
    if (flags.json) terminal.print(runs.map((run) => `${safeJson(run)}\n`).join(''));
    else if (runs.length > 0) print(runs);
  }
  if (count === 0 && !flags.json) terminal.print('no runs\n');
}

async function showRun(run: string, flags: StatsFlags): Promise<void> {
  await using traces = await openTraceAccess(flags);
  const stats = await readStats(traces.api, run, Math.min(flags.bins, MAX_BINS));
  const groups = await countGroups(traces.api, run);
  const terminal = openTerminal();
  if (flags.json) terminal.print(`${safeJson({ ...stats, groups })}\n`);
  else printStats(stats, groups, terminal);
}

const MAX_BINS = 200;

/** The answer to runStats is of a run. */
const readStats = async (api: TraceApiRequester, run: string, bins: number): Promise<RunStats> =>
  (await api.json('runStats', { run, query: { bins } })) as RunStats;
