import { useMemo, useState } from 'preact/hooks';
import { decodePercent, formatCount, type PairedDifference, plural } from '../../../core/index.ts';
import { compareRuns, type RunDifference, type TaskDifference, tracesOfStep } from '../../../trace/model/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, indexParam, numberParam, textParams, useQuery, withQuery } from '../api/location.ts';
import { RequestError } from '../api/request-error.ts';
import { useLoad } from '../api/use-load.ts';
import { Button, ButtonLink, Select } from '../parts/buttons.tsx';
import { type Column, LoadMore, Table } from '../parts/list.tsx';
import { formatDecimal, formatSigned } from '../parts/rewards.ts';
import { RunCharts } from '../parts/run-charts.tsx';
import { Leaderboard, type LoadedRun, PassCurves, readRunSummaries } from '../parts/run-results.tsx';
import { ErrorCard, Loaded } from '../parts/states.tsx';
import { formatTaskName } from '../parts/trace-info.ts';
import { RunLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import './compare.css';

const MAX_RUNS = 8;
const FILTERS = ['environment', 'split', 'model', 'tag'] as const;

/** Compares 2 to 8 runs: charts, a leaderboard, differences by task and pass@k. */
export function CompareRunsPage() {
  const org = useOrganization();
  const query = useQuery();
  const names = readComparedRuns(query);
  const filters = textParams(query, FILTERS);
  document.title = 'Compare runs – ors';
  const isValid = names.length >= 2 && names.length <= MAX_RUNS;
  const loaded = useLoad(isValid ? JSON.stringify([names, filters]) : undefined, (signal) =>
    Promise.all(names.map((run) => readRunSummaries(org, run, filters, signal))),
  );
  if (!isValid) return <SelectRuns count={names.length} />;
  return (
    <Loaded state={loaded} lines={12}>
      {(runs) => <ComparedRuns runs={runs} onReload={loaded.reload} />}
    </Loaded>
  );
}

/** Reads the names of runs from the values of an address, each once; a comma separates them, and is escaped in a name. */
const readComparedRuns = (query: URLSearchParams): readonly string[] => [
  ...new Set(
    query
      .getAll('runs')
      .flatMap((names) => names.split(','))
      .filter((name) => name !== '')
      .map((name) => decodePercent(name) ?? name),
  ),
];

function SelectRuns({ count }: { readonly count: number }) {
  if (count > MAX_RUNS) {
    const failure = new RequestError('refused', 0, `the address names ${count} runs; compare at most ${MAX_RUNS}`);
    return <ErrorCard failure={failure} />;
  }
  return (
    <section class="card notice">
      <h1>{count === 0 ? 'Choose runs to compare' : 'Choose another run'}</h1>
      <p>
        Select 2 to {MAX_RUNS} runs in the table of runs, then <strong>Compare</strong>; or name them in the address:{' '}
        <code>?view=compare-runs&amp;runs=one,other</code>
      </p>
      <ButtonLink href={buildHref({ view: 'runs' })}>All runs</ButtonLink>
    </section>
  );
}

interface ComparedRunsProps {
  readonly runs: readonly LoadedRun[];
  readonly onReload: () => void;
}

function ComparedRuns({ runs, onReload }: ComparedRunsProps) {
  const query = useQuery();
  const pass = numberParam(query, 'pass') ?? 1;
  const step = readStep(query);
  const compared = useMemo(
    () => (step === undefined ? runs : runs.map((run) => ({ ...run, summaries: tracesOfStep(run.summaries, step) }))),
    [runs, step],
  );
  const empty = compared.filter(({ summaries }) => summaries.length === 0);
  const truncated = runs.filter(({ isTruncated }) => isTruncated);
  return (
    <>
      <header class="row">
        <h1>Compare runs</h1>
        <span class="spring" />
        <Button onClick={onReload}>Update</Button>
      </header>
      <ComparisonFilters runs={runs} />
      {empty.map(({ run }) => (
        <p class="banner" key={run}>
          No trace of the run “<VisibleText text={run} />” matches.
        </p>
      ))}
      {truncated.map(({ run, summaries }) => (
        <p class="banner" key={run}>
          Only the newest {formatCount(summaries.length)} traces of “<VisibleText text={run} />” are compared. The
          command <code>ors compare</code> reads all of them.
        </p>
      ))}
      <RunCharts runs={runs} pass={pass} />
      <Leaderboard runs={compared} pass={pass} />
      <PassCurves runs={compared} pass={pass} />
      <Differences runs={compared} pass={pass} />
    </>
  );
}

function readStep(query: URLSearchParams): number | 'last' | undefined {
  return query.get('step') === 'last' ? 'last' : indexParam(query, 'step');
}

function ComparisonFilters({ runs }: { readonly runs: readonly LoadedRun[] }) {
  const query = useQuery();
  const all = runs.flatMap(({ summaries }) => summaries);
  const steps = [...new Set(all.flatMap(({ step }) => step ?? []))].sort((one, other) => one - other);
  const select = (name: string, any: string, options: readonly string[]) => {
    const value = query.get(name) ?? '';
    if (options.length < 2 && value === '') return null;
    const listed = value === '' || options.includes(value) ? options : [value, ...options];
    return (
      <Select
        label={name}
        class={value === '' ? 'muted' : 'chosen'}
        value={value}
        options={[['', any], ...listed.map((each) => [each, name === 'step' ? `step ${each}` : each] as const)]}
        onChoose={(each) => changeQuery({ [name]: each || undefined })}
      />
    );
  };
  const namesOf = (field: 'environment' | 'split' | 'model') => [
    ...new Set(all.flatMap((summary) => summary[field] ?? [])),
  ];
  return (
    <div class="row compare-filters">
      {select('environment', 'any environment', namesOf('environment'))}
      {select('split', 'any split', namesOf('split'))}
      {select('model', 'any model', namesOf('model'))}
      {select('step', 'all steps', steps.length === 0 ? [] : ['last', ...steps.map(String)])}
      <label>
        Traces pass from{' '}
        <input
          type="number"
          step="any"
          placeholder="1"
          value={query.get('pass') ?? ''}
          onChange={(event) => changeQuery({ pass: event.currentTarget.value || undefined })}
        />
      </label>
    </div>
  );
}

type SectionProps = Parameters<typeof Leaderboard>[0];

/** Differences of every other run to the first one. */
function Differences({ runs, pass }: SectionProps) {
  const [first] = runs;
  const baselineName = useQuery().get('baseline') ?? first?.run;
  const baseline = runs.find(({ run }) => run === baselineName) ?? first;
  const differences = useMemo(
    () => (baseline ? runs.filter((run) => run !== baseline).map((run) => compareRuns(baseline, run, pass)) : []),
    [runs, baseline, pass],
  );
  if (!baseline) return null;
  return (
    <section class="stack compare-section" aria-labelledby="compare-differences">
      <header class="row">
        <h2 id="compare-differences">
          Differences <small>task by task, over the tasks that both runs have</small>
        </h2>
        <span class="spring" />
        <Select
          label="baseline"
          value={baseline.run}
          options={runs.map(({ run }) => [run, `to ${run}`] as const)}
          onChoose={(run) => changeQuery({ baseline: run })}
        />
      </header>
      <Table class="compare-paired" columns={PAIRED} rows={differences} keyOf={({ run }) => run} />
      {differences.map((difference) => (
        <Flips key={difference.run} difference={difference} />
      ))}
    </section>
  );
}

const interval = (difference: PairedDifference | undefined, format: (value: number) => string): string => {
  if (!difference) return '–';
  const { mean, low, high } = difference;
  return low === null || high === null ? format(mean) : `${format(mean)} [${format(low)}, ${format(high)}]`;
};

const signedPercent = (part: number): string => `${part > 0 ? '+' : ''}${(100 * part).toFixed(1)} %`.replace('-', '−');

const PAIRED: readonly Column<RunDifference>[] = [
  { label: 'Run', class: 'name', cell: ({ run }) => <RunLink run={run} /> },
  { label: 'Tasks in both', class: 'number wide', cell: ({ tasks }) => formatCount(tasks.length) },
  { label: 'Reward [95 % interval]', class: 'number', cell: ({ reward }) => interval(reward, formatSigned) },
  {
    label: 'Pass rate [95 % interval]',
    class: 'number wide',
    cell: ({ pass_rate }) => interval(pass_rate, signedPercent),
  },
  { label: 'Verdict', class: 'wide', cell: ({ reward }) => verdict(reward) },
  { label: 'Gained', class: 'number', cell: ({ gained }) => formatCount(gained) },
  { label: 'Lost', class: 'number', cell: ({ lost }) => formatCount(lost) },
];

function verdict(reward: PairedDifference | undefined): string {
  if (!reward) return 'no task in common';
  const { low, high } = reward;
  if (low === null || high === null) return 'one task';
  if (low > 0) return '↑ better';
  return high < 0 ? '↓ worse' : 'not distinguishable';
}

const SHOWN = 20;
const CHANGES = { gained: '↑ gained', lost: '↓ lost', same: '' };

/** Tasks of one difference: those that were gained or lost, or all. */
function Flips({ difference: { run, baseline, tasks } }: { readonly difference: RunDifference }) {
  const isAll = useQuery().get('tasks') === 'all';
  const [limit, setLimit] = useState(SHOWN);
  const listed = isAll ? tasks : tasks.filter(({ change }) => change !== 'same');
  const traces = (name: string, { environment, split, task_key }: TaskDifference) =>
    buildHref({
      view: 'run',
      run: name,
      environment: environment ?? undefined,
      split: split ?? undefined,
      task_key: task_key ?? undefined,
    });
  const columns: readonly Column<TaskDifference>[] = [
    { label: 'Task', class: 'name', cell: (task) => <VisibleText text={formatTaskName(task)} /> },
    { label: 'Change', cell: ({ change }) => CHANGES[change] },
    {
      label: 'Before',
      class: 'number',
      cell: (task) => <a href={traces(baseline, task)}>{formatDecimal(task.baseline.mean)}</a>,
    },
    {
      label: 'After',
      class: 'number',
      cell: (task) => <a href={traces(run, task)}>{formatDecimal(task.other.mean)}</a>,
    },
    { label: 'Difference', class: 'number strong', cell: ({ difference }) => formatSigned(difference) },
    {
      label: 'Passed before',
      class: 'number wide',
      cell: (task) => `${task.baseline.passed} / ${task.baseline.traces}`,
    },
    { label: 'Passed after', class: 'number wide', cell: (task) => `${task.other.passed} / ${task.other.traces}` },
  ];
  return (
    <details class="compare-flips" open={listed.length > 0}>
      <summary>
        <VisibleText text={run} />:{' '}
        {isAll ? plural(listed.length, 'task') : `${plural(listed.length, 'task')} gained or lost`}
      </summary>
      {listed.length > 0 && <Table columns={columns} rows={listed.slice(0, limit)} keyOf={({ key }) => key} />}
      <LoadMore list={{ hasMore: limit < listed.length, loadMore: () => setLimit(limit + 5 * SHOWN) }}>
        <a href={withQuery({ tasks: isAll ? undefined : 'all' })}>{isAll ? 'Show only flips' : 'Show all tasks'}</a>
      </LoadMore>
    </details>
  );
}
