import type { Run, RunStats, StepStats } from '../../../generated/trace.ts';
import { oneLine, plural } from '../../core/index.ts';
import { createTable, type TableColumn } from '../terminal/columns.ts';
import { score } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GroupCounts } from './count-groups.ts';
import { formatTime } from './trace-rows.ts';

const BAR = 30;

type WithRewardSummary = Pick<StepStats, 'reward'>;

const REWARD_COLUMNS: readonly TableColumn<WithRewardSummary>[] = [
  { title: 'MEAN', text: ({ reward }) => score(reward.mean), isRight: true },
  { title: 'STD', text: ({ reward }) => score(reward.std), isRight: true },
  { title: 'MIN', text: ({ reward }) => score(reward.min), isRight: true },
  { title: 'MAX', text: ({ reward }) => score(reward.max), isRight: true },
  { title: 'NO REWARD', text: ({ reward }) => String(reward.count_without), isRight: true },
];

export const RUN_COLUMNS: readonly TableColumn<Run>[] = [
  { title: 'TRACES', text: ({ trace_count }) => String(trace_count), isRight: true },
  { title: 'RUNNING', text: ({ status }) => String(status.running), isRight: true },
  { title: 'FAILED', text: ({ status }) => String(status.error + status.abandoned), isRight: true },
  ...REWARD_COLUMNS,
  { title: 'CHANGED (UTC)', text: ({ last_updated_at }) => formatTime(last_updated_at) },
  { title: 'RUN', text: ({ run }) => oneLine(run) },
];

const STEP_COLUMNS: readonly TableColumn<StepStats>[] = [
  { title: 'STEP', text: ({ step }) => (step === null ? 'none' : String(step)), isRight: true },
  { title: 'TRACES', text: ({ trace_count }) => String(trace_count), isRight: true },
  ...REWARD_COLUMNS,
];

/** Prints the rewards of a run: as a whole, as a histogram, by step, and what its groups can teach. */
export function printStats({ run, edges, histogram, steps }: RunStats, groups: GroupCounts, terminal: Terminal): void {
  const { reward, status } = run;
  const states = Object.entries(status).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  terminal.print(`${terminal.style('bold', oneLine(run.run))}\n`);
  terminal.print(`${plural(run.trace_count, 'trace')}: ${states.join(', ')}; ${run.error_count} with failed calls\n`);
  const figures = (['mean', 'std', 'min', 'max'] as const).map((name) => `${name} ${score(reward[name])}`);
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
  const labels = histogram.map((_, at) => `${score(edges[at] ?? null)} to ${score(edges[at + 1] ?? null)}`);
  const width = Math.max(...labels.map((label) => label.length));
  const digits = String(max).length;
  const lines = histogram.map((count, at) => {
    // What is there is seen to be there.
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / max) * BAR)));
    return `${(labels[at] ?? '').padEnd(width)}  ${String(count).padStart(digits)}  ${terminal.style('cyan', bar)}`;
  });
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function groupsText({ compared, without_variance }: GroupCounts): string {
  if (compared === 0) return '';
  const part = Math.round((without_variance / compared) * 100);
  return `\n${without_variance} of ${compared} groups with two rewards or more have no variance (${part} %): all rewards are equal there\n`;
}
