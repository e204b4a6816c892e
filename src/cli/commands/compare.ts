import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TraceSummary } from '../../../generated/trace.ts';
import {
  csvRow,
  fieldsOf,
  noun,
  oneLine,
  type PassAtK,
  plural,
  stripControls,
  tryParseJson,
  withoutByteOrderMark,
} from '../../core/index.ts';
import { listPages } from '../../trace/client/index.ts';
import {
  type ComparedRun,
  compareRuns,
  type LeaderboardRow,
  leaderboard,
  passAtSizes,
  type RunDifference,
  type TaskDifference,
  tracesOfStep,
} from '../../trace/model/index.ts';
import { defineCommand, integerParser, parseNumberFlag } from '../command.ts';
import { CliError } from '../failure.ts';
import {
  createTable,
  duration,
  formatPercent,
  formatReward,
  openTerminal,
  safeJson,
  type TableColumn,
  type Terminal,
} from '../terminal/terminal.ts';
import { openTraceAccess, reportTraceFailure, type StoreAccessFlags, storeAccessFlags } from '../traces/open-traces.ts';

const MAX_RUNS = 8;
/** Default number of tasks in the list of flips. */
const MAX_FLIPS = 20;
const TABLES = ['leaderboard', 'tasks', 'pass_at'] as const;

const parseStep = (text: string): number | 'last' => (text === 'last' ? 'last' : integerParser()(text));

export const compareCommand = defineCommand({
  name: 'compare',
  arguments: [['<run...>', `names of 2 to ${MAX_RUNS} runs, or folders of ors rollout; the first is the baseline`]],
  flags: {
    '--environment <name>': 'only traces of this environment',
    '--split <name>': 'only traces of this split',
    '--model <name>': 'only traces of this model',
    '--tag <tag>': 'only traces with this tag',
    '--step <number>': {
      help: "only traces of this training step, or of the 'last' step of each run",
      parse: parseStep,
    },
    '--pass <reward>': { help: 'reward from which a trace passes', parse: parseNumberFlag, default: 1 },
    '--tasks': 'list every task that two runs have in common',
    '--csv': { help: 'print one table as CSV', conflicts: ['json'] },
    '--table <name>': { help: 'table that --csv prints', choices: TABLES, default: 'leaderboard' },
    '--json': 'print one JSON document with everything',
    ...storeAccessFlags,
  },
  details: `A mean gives every task the same weight: it is the mean over tasks of the mean reward of their traces. Its standard error
treats tasks as drawn at random. Finished traces without a reward count as 0; other traces without one do not count.

A difference is computed over the tasks that both runs have, so the difficulty of a task cancels out. Its 95 % interval
uses Student's t distribution. A task is gained if at least half of its traces pass, and less than half did in the first
run; lost is the reverse. pass@k is estimated from all traces of a task, over the tasks that have at least k.`,
  examples: [
    'ors compare baseline tuned',
    'ors compare runs/idle runs/random',
    'ors compare baseline tuned larger --environment countdown --pass 0.5',
    'ors compare grpo-1 grpo-2 --step last --tasks',
    'ors compare baseline tuned --csv --table tasks > tasks.csv',
    "ors compare baseline tuned --json | jq '.differences[0].reward'",
  ],
  report: reportTraceFailure,
  async run(names, { environment, split, model, tag, step, pass, tasks, csv, table, json, ...access }) {
    assertRunNames(names);
    const filters = Object.entries({ environment, split, model, tag }).filter((entry) => entry[1] !== undefined);
    const runs: ComparedRun[] = [];
    for (const run of names) {
      const read = await readSummaries(run, Object.fromEntries(filters) as Record<string, string>, access);
      const summaries = step === undefined ? read : tracesOfStep(read, step);
      if (summaries.length === 0) throw new CliError(noTraces(run, read.length > 0 || filters.length > 0));
      runs.push({ run, summaries });
    }
    const comparison = compareAll(runs, pass);
    const terminal = openTerminal();
    if (json) terminal.print(`${safeJson(comparison)}\n`);
    else if (csv)
      terminal.print(terminal.isInteractive ? stripControls(toCsv(comparison, table)) : toCsv(comparison, table));
    else printComparison(comparison, tasks ?? false, terminal);
  },
});

/** @throws CliError unless there are 2 to 8 different runs. */
function assertRunNames(names: readonly string[]): void {
  if (names.length < 2 || names.length > MAX_RUNS) {
    throw new CliError(`expected 2 to ${MAX_RUNS} runs, got ${names.length}; ors traces stats lists the runs`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CliError(`'${oneLine(twice)}' is named twice; name different runs`);
}

function noTraces(run: string, isFiltered: boolean): string {
  const shown = oneLine(run);
  if (isFiltered)
    return `no trace of the run '${shown}' matches the filters; ors traces ls --run ${shown} lists its traces`;
  return `there is no run '${shown}'; ors traces stats lists the runs`;
}

/** Reads the traces of a run: from a folder of `ors rollout`, or by its name from the store. */
async function readSummaries(
  name: string,
  filters: Record<string, string>,
  access: StoreAccessFlags,
): Promise<TraceSummary[]> {
  const plan = join(name, 'run.json');
  const isFolder = existsSync(plan);
  const run = isFolder ? fieldsOf(tryParseJson(withoutByteOrderMark(await readFile(plan, 'utf8')))).run : name;
  if (typeof run !== 'string') throw new CliError(`${plan} does not name its run; it is not the plan of a run`);
  await using traces = await openTraceAccess(isFolder ? { org: access.org, db: join(name, 'traces.db') } : access);
  const found: TraceSummary[] = [];
  const query = { ...filters, run, sort: 'created', order: 'asc' };
  const pages = listPages(traces.api, 'listTraceSummaries', query);
  for await (const { summaries } of pages) for (const summary of summaries) found.push(summary);
  return found;
}

/** Everything that the command prints. */
interface Comparison {
  readonly pass: number;
  readonly leaderboard: readonly LeaderboardRow[];
  readonly pass_at: readonly RunPassCurve[];
  readonly differences: readonly RunDifference[];
}

interface RunPassCurve {
  readonly run: string;
  readonly curve: readonly PassAtK[];
}

function compareAll(runs: readonly ComparedRun[], pass: number): Comparison {
  const [baseline, ...others] = runs;
  return {
    pass,
    leaderboard: leaderboard(runs, pass),
    pass_at: runs.map(({ run, summaries }) => ({ run, curve: passAtSizes(summaries, pass) })),
    differences: baseline ? others.map((other) => compareRuns(baseline, other, pass)) : [],
  };
}

const nameOf = (name: string | null): string => (name === null ? '-' : oneLine(name));

const LEADERBOARD: readonly TableColumn<LeaderboardRow>[] = [
  { title: 'ENVIRONMENT', text: ({ environment }) => nameOf(environment), optional: 1 },
  { title: 'MODEL', text: ({ model }) => nameOf(model), minWidth: 12 },
  { title: 'RUN', text: ({ run }) => oneLine(run), minWidth: 12 },
  { title: 'TASKS', text: ({ tasks }) => String(tasks), isRight: true, optional: 6 },
  { title: 'TRACES', text: ({ traces }) => String(traces), isRight: true, optional: 5 },
  { title: 'MEAN', text: ({ mean }) => formatReward(mean), isRight: true },
  { title: '± ERROR', text: ({ standard_error }) => formatReward(standard_error), isRight: true },
  { title: 'PASS', text: ({ pass_rate }) => formatPercent(pass_rate), isRight: true },
  { title: 'FAILED CALLS', text: ({ error_rate }) => formatPercent(error_rate), isRight: true, optional: 4 },
  {
    title: 'TOKENS',
    text: ({ tokens }) => (tokens === null ? '-' : String(Math.round(tokens))),
    isRight: true,
    optional: 3,
  },
  { title: 'TOTAL COST', text: ({ cost }) => formatReward(cost), isRight: true, optional: 2 },
  { title: 'TIME', text: ({ seconds }) => duration(seconds), isRight: true, optional: 7 },
];

function printComparison({ leaderboard: rows, pass_at, differences }: Comparison, all: boolean, terminal: Terminal) {
  createTable(LEADERBOARD, terminal)(rows);
  for (const difference of differences) printDifference(difference, all, terminal);
  const sizes = [...new Set(pass_at.flatMap(({ curve }) => curve.map(({ k }) => k)))].sort((one, other) => one - other);
  if (sizes.length < 2) return;
  terminal.print('\n');
  const columns: TableColumn<RunPassCurve>[] = sizes.map((size) => ({
    title: `PASS@${size}`,
    text: ({ curve }) => formatPercent(curve.find(({ k }) => k === size)?.pass ?? null),
    isRight: true,
  }));
  createTable([{ title: 'RUN', text: ({ run }) => oneLine(run) }, ...columns], terminal)(pass_at);
}

function printDifference(difference: RunDifference, all: boolean, terminal: Terminal): void {
  const { baseline, run, reward, pass_rate, gained, lost, unpaired, tasks } = difference;
  terminal.print(`\n${terminal.style('bold', `${oneLine(run)} − ${oneLine(baseline)}`)}\n`);
  if (!reward || !pass_rate) {
    terminal.print('no task in common; both runs need traces with rewards and tasks\n');
    return;
  }
  const others =
    unpaired === 0 ? '' : `; ${plural(unpaired, 'task')} ${noun(unpaired, 'is', 'are')} only in one of them`;
  terminal.print(`over ${plural(tasks.length, 'task')} that both have${others}\n`);
  terminal.print(`reward     ${intervalText(reward)}\n`);
  terminal.print(`pass rate  ${intervalText(pass_rate)}\n`);
  terminal.print(`gained ${gained}, lost ${lost}, unchanged ${tasks.length - gained - lost}\n`);
  const listed = all ? tasks : tasks.filter(({ change }) => change !== 'same').slice(0, MAX_FLIPS);
  if (listed.length > 0) createTable(TASKS, terminal)(listed);
  const hidden = all ? 0 : gained + lost - listed.length;
  if (hidden > 0) terminal.print(terminal.style('dim', `and ${hidden} more; --tasks lists all\n`));
}

function intervalText({ mean, low, high }: NonNullable<RunDifference['reward']>): string {
  if (low === null || high === null) return `${signed(mean)} (one task, so there is no interval)`;
  const verdict = low > 0 || high < 0 ? '' : '; it contains 0';
  return `${signed(mean)} (95 % from ${signed(low)} to ${signed(high)}${verdict})`;
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${formatReward(value)}`;

const taskName = ({ environment, split, task_index, task_key }: TaskDifference): string => {
  const task = task_index === null ? ` ${task_key?.slice(0, 8) ?? ''}` : `[${task_index}]`;
  return oneLine(`${[environment, split].filter((part) => part !== null).join(' ')}${task}`);
};

const TASKS: readonly TableColumn<TaskDifference>[] = [
  { title: 'CHANGE', text: ({ change }) => change },
  { title: 'TASK', text: taskName },
  { title: 'BEFORE', text: ({ baseline }) => formatReward(baseline.mean), isRight: true },
  { title: 'AFTER', text: ({ other }) => formatReward(other.mean), isRight: true },
  { title: 'DIFFERENCE', text: ({ difference }) => signed(difference), isRight: true },
  { title: 'PASSED', text: ({ baseline }) => `${baseline.passed}/${baseline.traces}`, isRight: true },
  { title: 'NOW', text: ({ other }) => `${other.passed}/${other.traces}`, isRight: true },
];

/** Formats a table as RFC 4180 CSV. */
function toCsv({ leaderboard: rows, pass_at, differences }: Comparison, table: (typeof TABLES)[number]): string {
  if (table === 'leaderboard') return csvOf(LEADERBOARD_FIELDS, rows);
  if (table === 'pass_at') {
    const points = pass_at.flatMap(({ run, curve }) => curve.map((point) => ({ run, ...point })));
    return csvOf(['run', 'k', 'pass', 'standard_error', 'tasks'], points);
  }
  const tasks = differences.flatMap(({ baseline, run, tasks: compared }) =>
    compared.map(({ baseline: before, other, ...task }) => ({
      ...{ ...task, baseline, run },
      ...{ baseline_mean: before.mean, baseline_passed: before.passed, baseline_traces: before.traces },
      ...{ mean: other.mean, passed: other.passed, traces: other.traces },
    })),
  );
  return csvOf(TASK_FIELDS, tasks);
}

const LEADERBOARD_FIELDS = [
  'environment',
  'model',
  'run',
  'tasks',
  'traces',
  'without_reward',
  'mean',
  'standard_error',
  'pass_rate',
  'pass_error',
  'error_rate',
  'tokens',
  'cost',
  'seconds',
] as const;

const TASK_FIELDS = [
  'baseline',
  'run',
  'environment',
  'split',
  'task_index',
  'task_key',
  'baseline_mean',
  'mean',
  'difference',
  'change',
  'baseline_passed',
  'baseline_traces',
  'passed',
  'traces',
] as const;

const csvOf = <Field extends string>(
  fields: readonly Field[],
  rows: readonly { readonly [Name in Field]: string | number | null }[],
): string => [csvRow(fields), ...rows.map((row) => csvRow(fields.map((field) => row[field])))].join('');
