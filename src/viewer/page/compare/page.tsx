import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StitchedTrace, Trace } from '../../../../generated/trace.ts';
import { formatCount } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { collectPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { formatTraceDuration, Reward, StatusBadge } from '../parts/badges.tsx';
import { Button, ButtonLink, Select } from '../parts/buttons.tsx';
import { type Column, Table } from '../parts/list.tsx';
import { formatReward, stopReason } from '../parts/rewards.ts';
import { ErrorCard, IgnoredParams, Skeleton } from '../parts/states.tsx';
import { formatTaskName, toTraceTimes } from '../parts/trace-info.ts';
import { RunLink, shortId, TraceLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { diffItems, readComparedIds, type TraceItem, toTraceItems, unknownCompareParams } from './changes.ts';
import { Differences } from './differences.tsx';
import './compare.css';

/** Compares two traces; of more than two, the selected ones. */
export function ComparePage() {
  const org = useOrganization();
  const query = useQuery();
  const { ids, left, right, isTwice } = readComparedIds(query);
  document.title = 'Compare – ors';
  const one = useLoad(left, (signal) => loadComparedTrace(org, left ?? '', signal));
  const other = useLoad(right, (signal) => loadComparedTrace(org, right ?? '', signal));
  if (left === undefined || right === undefined) return <SelectTwo one={left} isTwice={isTwice} />;
  const failed = [one, other].find(({ failure, data }) => failure && !data);
  if (failed?.failure) return <ErrorCard failure={failed.failure} retry={failed.reload} />;
  const select = (name: 'left' | 'right', label: string, value: string) => (
    <Select
      label={label}
      value={value}
      options={ids.map((id) => [id, `${label}: ${shortId(id)}`] as const)}
      onChoose={(id) => changeQuery({ [name]: id, at: undefined })}
    />
  );
  return (
    <>
      <header class="row">
        <h1>Compare</h1>
        {ids.length > 2 && (
          <>
            {select('left', 'Left', left)}
            {select('right', 'Right', right)}
          </>
        )}
        <span class="spring" />
        <Button onClick={() => changeQuery({ ...swapped(ids, left, right), at: undefined })}>⇄ Swap</Button>
        <a href={buildHref({ view: 'group', traces: ids.join(',') })}>Steps side by side</a>
      </header>
      {one.data && other.data ? <Compared left={one.data} right={other.data} /> : <Skeleton lines={12} />}
    </>
  );
}

const swapped = (ids: readonly string[], left: string, right: string) =>
  ids.length === 2 ? { traces: `${right},${left}` } : { left: right, right: left };

function Compared({ left, right }: { readonly left: ComparedTrace; readonly right: ComparedTrace }) {
  const changes = useMemo(() => diffItems(left.items, right.items), [left, right]);
  const differences = changes.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <IgnoredParams names={unknownCompareParams(useQuery(), differences)} />
      <ComparedTraces left={left} right={right} />
      {(left.isTruncated || right.isTruncated) && (
        <p class="banner">These traces are long: only their beginnings are compared.</p>
      )}
      <Differences changes={changes} left={left.trace.id} right={right.trace.id} />
    </>
  );
}

interface SelectTwoProps {
  /** Id of the only trace in the address. */
  readonly one: string | undefined;
  /** Set if the address names it more than once. */
  readonly isTwice: boolean;
}

function SelectTwo({ one, isTwice }: SelectTwoProps) {
  const title = isTwice ? 'Both are the same trace' : one === undefined ? 'Choose two traces' : 'Choose another trace';
  return (
    <section class="card notice">
      <h1>{title}</h1>
      <IgnoredParams names={unknownCompareParams(useQuery(), 0)} />
      {one !== undefined && (
        <p>
          {isTwice ? 'A trace cannot be compared with itself: the address names ' : 'The address names only '}
          <code>{one}</code>
          {isTwice && ' twice'}.
        </p>
      )}
      <p>
        Select two traces in the table of a run, then <strong>Compare</strong>; or name them in the address:{' '}
        <code>?view=compare&amp;traces={one ?? 'tr_one'},tr_other</code>
      </p>
      <div class="row">
        {one !== undefined && <ButtonLink href={buildHref({ view: 'trace', trace: one })}>Open this trace</ButtonLink>}
        <ButtonLink href={buildHref({ view: 'runs' })}>All runs</ButtonLink>
      </div>
    </section>
  );
}

/** Row of the table; the row of the differences has no trace. */
interface Side {
  readonly name: string;
  readonly trace?: Trace;
}

/** Shows both traces in a table, with the differences of their numbers. */
function ComparedTraces({ left, right }: { readonly left: ComparedTrace; readonly right: ComparedTrace }) {
  const [one, other] = [left.trace, right.trace];
  const isOneTask = one.task_key === other.task_key && one.environment === other.environment;
  const change = (label: string, field: 'reward_sum' | 'block_count' | 'error_count'): Column<Side> => ({
    label,
    class: 'number',
    cell: ({ trace }) => {
      if (!trace) return difference(one[field], other[field]);
      return field === 'reward_sum' ? <Reward value={trace.reward_sum} /> : formatCount(trace[field]);
    },
  });
  const columns = [
    ...SIDE_COLUMNS,
    change('Reward', 'reward_sum'),
    change('Blocks', 'block_count'),
    change('Failed calls', 'error_count'),
    column('Duration', (trace) => formatTraceDuration(toTraceTimes(trace)), 'number'),
  ];
  return (
    <>
      <Table
        class="compare-sides"
        columns={columns}
        rows={[{ name: 'Left', trace: one }, { name: 'Right', trace: other }, { name: 'Right − left' }]}
        keyOf={({ name }) => name}
        attributesOf={({ trace }) => ({ class: trace ? '' : 'compare-change' })}
      />
      {!isOneTask && <p class="banner">The traces have different tasks.</p>}
    </>
  );
}

const column = (label: string, cell: (trace: Trace) => ComponentChildren, classes = ''): Column<Side> => ({
  label,
  class: classes,
  cell: ({ trace }) => trace && cell(trace),
});

const SIDE_COLUMNS: readonly Column<Side>[] = [
  { label: 'Side', cell: ({ name }) => name },
  column('Trace', ({ id, name }) => <TraceLink id={id} name={name} />, 'name'),
  column('Task', (trace) => (
    <VisibleText text={`${formatTaskName(trace)}${trace.step === null ? '' : `, step ${trace.step}`}`} />
  )),
  column('Run', ({ run }) => (run === null ? '–' : <RunLink run={run} />)),
  column('Model', ({ model }) => <VisibleText text={model ?? '–'} />),
  column('Status', (trace) => <StatusWithReason trace={trace} />),
];

function StatusWithReason({ trace }: { readonly trace: Trace }) {
  const reason = stopReason(trace);
  return (
    <>
      <StatusBadge status={trace.status} />{' '}
      {reason !== undefined && reason !== trace.status && (
        <small>
          <VisibleText text={reason} />
        </small>
      )}
    </>
  );
}

function difference(one: number | null, other: number | null): string {
  if (one === null || other === null) return '–';
  // Removes rounding errors such as 0.1 + 0.2 − 0.3.
  const value = Number((other - one).toPrecision(12));
  return value > 0 ? `+${formatReward(value)}` : formatReward(value);
}

/** Trace with its items. */
interface ComparedTrace {
  readonly trace: Trace;
  readonly items: readonly TraceItem[];
  /** Set if not all of it was read. */
  readonly isTruncated: boolean;
}

/** A page has a few megabytes; two traces of this many pages fit into a tab. */
const PAGES = 12;
const MAX_ITEMS = 20_000;
/** Without a limit, the store returns the whole tree at once. */
const PAGE_MESSAGES = 2000;

async function loadComparedTrace(org: string, traceId: string, signal: AbortSignal): Promise<ComparedTrace> {
  const { pages, isAll } = await collectPages((next) => {
    const params = { path: { org, traceId }, query: { assemble: true, limit: PAGE_MESSAGES, ...next } };
    // Without `fields=skeleton` the response is the whole tree.
    return unwrapResponse(traceApi.stitchedBlocks({ params, signal })) as Promise<StitchedTrace>;
  }, PAGES);
  const trace = pages.at(-1)?.trace;
  if (!trace) throw new Error('the server returned no page of the trace');
  const items = toTraceItems(pages.flatMap(({ messages }) => messages));
  return { trace, items: items.slice(0, MAX_ITEMS), isTruncated: !isAll || items.length > MAX_ITEMS };
}
