import type { Run, RunStats, StepStats } from '../../../generated/trace.ts';
import { oneLine, plural } from '../../core/index.ts';
import { listPages, type TraceApiRequester } from '../../trace/client/index.ts';
import { defineCommand, integerParser } from '../command.ts';
import {
  createTable,
  formatReward,
  formatTime,
  safeJson,
  type TableColumn,
  type Terminal,
} from '../terminal/terminal.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import {
  openTraceAccess,
  readRunStats,
  reportTraceFailure,
  type StoreAccessFlags,
  storeAccessFlags,
} from '../traces/open-traces.ts';

/** Maximum of the trace API. */
const MAX_BINS = 200;
const HISTOGRAM_WIDTH = 30;

type StatsFlags = StoreAccessFlags & { readonly bins: number; readonly json?: true; readonly pager: boolean };

export const tracesStatsCommand = defineCommand({
  name: 'stats',
  arguments: [['[run]', 'name of the run']],
  flags: {
    '--bins <number>': {
      help: `bins of the histogram, up to ${MAX_BINS}`,
      parse: integerParser({ min: 1 }),
      default: 10,
    },
    '--json': 'print JSON: one document for a run, one per line for the list',
    ...pagerFlags,
    ...storeAccessFlags,
  },
  details: `Without a run, lists all runs. The reward of a trace is the sum of its rewards; std is the population standard deviation.
A group contains the rollouts of one task; a group whose rewards are all equal has no variance, so it has no effect on
training that compares rewards within groups.`,
  examples: ['ors traces stats', 'ors traces stats first-run', "ors traces stats first-run --json | jq '.groups'"],
  report: reportTraceFailure,
  run: (run, flags) => (run === undefined ? listRuns(flags) : showRun(run, flags)),
});

async function listRuns(flags: StatsFlags): Promise<void> {
  await using traces = await openTraceAccess(flags);
  await using terminal = await openPager(flags);
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
  const bins = Math.min(flags.bins, MAX_BINS);
  const stats = await readRunStats(traces.api, run, bins, '');
  const groups = await countGroups(traces.api, run);
  await using terminal = await openPager(flags);
  if (flags.json) terminal.print(`${safeJson({ ...stats, groups })}\n`);
  else printStats(stats, groups, terminal);
}

type GroupCounts = Awaited<ReturnType<typeof countGroups>>;

/** Counts the groups with at least two rewards, and those of them whose rewards are all equal. */
async function countGroups(api: TraceApiRequester, run: string) {
  const counts = { compared: 0, without_variance: 0 };
  for await (const { groups } of listPages(api, 'listGroups', { run })) {
    const several = groups.filter(({ reward }) => reward.count > 1);
    counts.compared += several.length;
    counts.without_variance += several.filter(({ reward }) => reward.min === reward.max).length;
  }
  return counts;
}

const REWARD_COLUMNS: readonly TableColumn<Pick<StepStats, 'reward'>>[] = [
  { title: 'MEAN', text: ({ reward }) => formatReward(reward.mean), isRight: true },
  { title: 'STD', text: ({ reward }) => formatReward(reward.std), isRight: true },
  { title: 'MIN', text: ({ reward }) => formatReward(reward.min), isRight: true },
  { title: 'MAX', text: ({ reward }) => formatReward(reward.max), isRight: true },
  { title: 'NO REWARD', text: ({ reward }) => String(reward.count_without), isRight: true, optional: 4 },
];

const RUN_COLUMNS: readonly TableColumn<Run>[] = [
  { title: 'TRACES', text: ({ trace_count }) => String(trace_count), isRight: true },
  { title: 'RUNNING', text: ({ status }) => String(status.running), isRight: true, optional: 2 },
  { title: 'FAILED', text: ({ status }) => String(status.error + status.abandoned), isRight: true },
  ...REWARD_COLUMNS,
  { title: 'CHANGED (UTC)', text: ({ last_updated_at }) => formatTime(last_updated_at), optional: 3 },
  { title: 'RUN', text: ({ run }) => oneLine(run), minWidth: 12 },
];

const STEP_COLUMNS: readonly TableColumn<StepStats>[] = [
  { title: 'STEP', text: ({ step }) => (step === null ? 'none' : String(step)), isRight: true },
  { title: 'TRACES', text: ({ trace_count }) => String(trace_count), isRight: true },
  ...REWARD_COLUMNS,
];

/** Prints the rewards of a run: summary, histogram, steps and groups. */
function printStats({ run, edges, histogram, steps }: RunStats, groups: GroupCounts, terminal: Terminal): void {
  const { reward, status } = run;
  const states = Object.entries(status).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  terminal.print(`${terminal.style('bold', oneLine(run.run))}\n`);
  terminal.print(`${plural(run.trace_count, 'trace')}: ${states.join(', ')}; ${run.error_count} with failed calls\n`);
  const figures = (['mean', 'std', 'min', 'max'] as const).map((name) => `${name} ${formatReward(reward[name])}`);
  terminal.print(`reward ${figures.join(', ')}; ${plural(reward.count_without, 'trace')} without reward\n`);
  if (reward.count > 0) terminal.print(`\n${histogramText(edges, histogram, terminal)}`);
  if (steps.length > 1) {
    terminal.print('\n');
    createTable(STEP_COLUMNS, terminal)(steps);
  }
  terminal.print(groupsText(groups));
}

function histogramText(edges: readonly number[], histogram: readonly number[], terminal: Terminal): string {
  const max = Math.max(1, ...histogram);
  const labels = histogram.map(
    (_, at) => `${formatReward(edges[at] ?? null)} to ${formatReward(edges[at + 1] ?? null)}`,
  );
  const width = Math.max(...labels.map((label) => label.length));
  const digits = String(max).length;
  const lines = histogram.map((count, at) => {
    // A bin with a trace has a visible bar.
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / max) * HISTOGRAM_WIDTH)));
    return `${(labels[at] ?? '').padEnd(width)}  ${String(count).padStart(digits)}  ${terminal.style('cyan', bar)}`;
  });
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function groupsText({ compared, without_variance }: GroupCounts): string {
  if (compared === 0) return '';
  const part = Math.round((without_variance / compared) * 100);
  return `\n${without_variance} of ${compared} groups with two rewards or more have no variance (${part} %): all rewards are equal there\n`;
}
