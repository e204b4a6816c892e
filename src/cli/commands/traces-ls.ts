import { Command, Option } from 'commander';
import { integerOption } from '../option-parsers.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { printTraceList } from '../traces/list-traces.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';

interface LsFilters {
  readonly run?: string;
  readonly environment?: string;
  readonly split?: string;
  readonly step?: number;
  readonly group_id?: string;
  readonly status?: string;
  readonly model?: string;
  readonly tag?: string;
  readonly has_error?: true;
  readonly q?: string;
  readonly sort: string;
  readonly order: string;
}

interface LsFlags extends StoreAccessFlags, Omit<LsFilters, 'group_id' | 'has_error' | 'q'> {
  readonly group?: string;
  readonly hasError?: true;
  readonly search?: string;
  readonly limit?: number;
  readonly csv?: true;
  readonly json?: true;
}

const HELP = `
--csv prints all fields as RFC 4180 has them, for spreadsheets and data frames. A text that a spreadsheet would take for a
formula, because it begins with = + - @ or a tab, gets an apostrophe before it; --json has it as it is.

Examples:
  $ ors traces ls --run first-run --sort reward
  $ ors traces ls --run first-run --has-error --limit 5
  $ ors traces ls --run first-run --csv > rewards.csv
  $ ors traces ls --json | jq -r 'select(.reward_sum < 0) | .id'`;

/** `ors traces ls`. */
export function tracesLsCommand(): Command {
  const command = new Command('ls')
    .description('List traces, with what they earned.')
    .option('--run <name>', 'only those of this run')
    .option('--environment <name>', 'only those of this environment')
    .option('--split <name>', 'only those of this split')
    .option('--step <number>', 'only those of this training step', integerOption({ min: 0 }))
    .option('--group <id>', 'only those of this group')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices([
        'running',
        'finished',
        'error',
        'abandoned',
      ]),
    )
    .option('--model <name>', 'only those of this model')
    .option('--tag <tag>', 'only those with this tag')
    .option('--has-error', 'only those with a failed tool call')
    .option('--search <text>', 'only those whose id or name holds this')
    .addOption(
      new Option('--sort <what>', 'what to order by').choices(['created', 'reward', 'length']).default('created'),
    )
    .addOption(new Option('--order <order>', 'which end comes first').choices(['asc', 'desc']).default('desc'))
    .option('--limit <number>', 'the most traces (default: 50 in the table, all otherwise)', integerOption({ min: 1 }))
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .option('--json', 'print one JSON document a line');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((flags: LsFlags) => reportTraceFailure(flags.json === true, () => run(flags)));
}

async function run(flags: LsFlags): Promise<void> {
  await using traces = await openTraceAccess(flags);
  const format = flags.json ? 'json' : flags.csv ? 'csv' : 'table';
  await printTraceList(traces.api, { query: { ...filtersOf(flags) }, format, limit: flags.limit }, openTerminal());
}

function filtersOf(flags: LsFlags): LsFilters {
  const { run: name, environment, split, step, group, status, model, tag, hasError, search, sort, order } = flags;
  return {
    ...(name !== undefined && { run: name }),
    ...(environment !== undefined && { environment }),
    ...(split !== undefined && { split }),
    ...(step !== undefined && { step }),
    ...(group !== undefined && { group_id: group }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(tag !== undefined && { tag }),
    ...(hasError && { has_error: true }),
    ...(search !== undefined && { q: search }),
    sort,
    order,
  };
}
