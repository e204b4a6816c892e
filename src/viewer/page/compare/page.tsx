import { useMemo } from 'preact/hooks';
import type { StitchedMessage, StitchedTrace, Trace } from '../../../../generated/trace.ts';
import { formatCount } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, navigate, useQuery, withQuery } from '../api/location.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { formatTraceDuration, Reward, StatusBadge } from '../parts/badges.tsx';
import { formatReward, stopReason } from '../parts/rewards.ts';
import { ErrorCard, IgnoredParams, Skeleton } from '../parts/states.tsx';
import { toTraceTimes } from '../parts/trace-info.ts';
import { formatTaskName, shortId } from '../parts/trace-table.tsx';
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
  return (
    <>
      <header class="row">
        <h1>Compare</h1>
        {ids.length > 2 && (
          <>
            <SideSelect name="left" label="Left" ids={ids} value={left} />
            <SideSelect name="right" label="Right" ids={ids} value={right} />
          </>
        )}
        <span class="spring" />
        <button type="button" onClick={() => navigate(withQuery(swapped(ids, left, right)), { replace: true })}>
          ⇄ Swap
        </button>
        <a href={buildHref({ view: 'group', traces: ids.join(',') })}>Steps side by side</a>
      </header>
      {one.data && other.data ? <Compared left={one.data} right={other.data} /> : <Skeleton lines={12} />}
    </>
  );
}

const swapped = (ids: readonly string[], left: string, right: string) =>
  ids.length === 2 ? { traces: `${right},${left}`, at: undefined } : { left: right, right: left, at: undefined };

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

interface SideSelectProps {
  readonly name: 'left' | 'right';
  readonly label: string;
  readonly ids: readonly string[];
  readonly value: string;
}

const SideSelect = ({ name, label, ids, value }: SideSelectProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={(event) => navigate(withQuery({ [name]: event.currentTarget.value, at: undefined }), { replace: true })}
  >
    {ids.map((id) => (
      <option key={id} value={id}>
        {`${label}: ${shortId(id)}`}
      </option>
    ))}
  </select>
);

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
      <h2>{title}</h2>
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
        {one !== undefined && (
          <a class="button" href={buildHref({ view: 'trace', trace: one })}>
            Open this trace
          </a>
        )}
        <a class="button" href={buildHref({ view: 'runs' })}>
          All runs
        </a>
      </div>
    </section>
  );
}

/** Shows both traces in a table, with the differences of their numbers. */
export function ComparedTraces({ left, right }: { readonly left: ComparedTrace; readonly right: ComparedTrace }) {
  const [one, other] = [left.trace, right.trace];
  const isOneTask = one.task_key === other.task_key && one.environment === other.environment;
  return (
    <>
      <div class="scroll-x">
        <table class="compare-sides">
          <thead>
            <tr>
              <th>Side</th>
              <th>Trace</th>
              <th>Task</th>
              <th>Run</th>
              <th>Model</th>
              <th>Status</th>
              <th class="number">Reward</th>
              <th class="number">Blocks</th>
              <th class="number">Failed calls</th>
              <th class="number">Duration</th>
            </tr>
          </thead>
          <tbody>
            <Row name="Left" trace={one} />
            <Row name="Right" trace={other} />
            <tr class="compare-change">
              <td>Right − left</td>
              <td colSpan={5} />
              <td class="number">{difference(one.reward_sum, other.reward_sum)}</td>
              <td class="number">{difference(one.block_count, other.block_count)}</td>
              <td class="number">{difference(one.error_count, other.error_count)}</td>
              <td />
            </tr>
          </tbody>
        </table>
      </div>
      {!isOneTask && <p class="banner">The traces have different tasks.</p>}
    </>
  );
}

function Row({ name, trace }: { readonly name: string; readonly trace: Trace }) {
  const { id, run, model, status, reward_sum, block_count, error_count } = trace;
  const stop = stopReason(trace);
  return (
    <tr>
      <td>{name}</td>
      <td class="name">
        <a href={buildHref({ view: 'trace', trace: id })} title={id}>
          <VisibleText text={trace.name ?? shortId(id)} />
        </a>
      </td>
      <td>
        <VisibleText text={`${formatTaskName(trace)}${trace.step === null ? '' : `, step ${trace.step}`}`} />
      </td>
      <td>
        {run === null ? (
          '–'
        ) : (
          <a href={buildHref({ view: 'run', run })}>
            <VisibleText text={run} />
          </a>
        )}
      </td>
      <td>
        <VisibleText text={model ?? '–'} />
      </td>
      <td>
        <StatusBadge status={status} />{' '}
        {stop !== undefined && stop !== status && (
          <small>
            <VisibleText text={stop} />
          </small>
        )}
      </td>
      <td class="number">
        <Reward value={reward_sum} />
      </td>
      <td class="number">{formatCount(block_count)}</td>
      <td class="number">{formatCount(error_count)}</td>
      <td class="number">{formatTraceDuration(toTraceTimes(trace))}</td>
    </tr>
  );
}

function difference(one: number | null, other: number | null): string {
  if (one === null || other === null) return '–';
  // Removes rounding errors such as 0.1 + 0.2 − 0.3.
  const value = Number((other - one).toPrecision(12));
  return value > 0 ? `+${formatReward(value)}` : formatReward(value);
}

/** Trace with its items. */
export interface ComparedTrace {
  readonly trace: Trace;
  readonly items: readonly TraceItem[];
  /** Set if not all of it was read. */
  readonly isTruncated: boolean;
}

/** A page has a few megabytes; two traces of this many pages fit into a tab. */
const PAGES = 12;
const MAX_ITEMS = 20_000;

export async function loadComparedTrace(org: string, traceId: string, signal: AbortSignal): Promise<ComparedTrace> {
  const messages: StitchedMessage[] = [];
  let trace: Trace | undefined;
  let isTruncated = false;
  const pages = readPages((cursor) => {
    const params = { path: { org, traceId }, query: { assemble: true, ...cursor } };
    // Without `fields=skeleton` the response is the whole tree.
    return unwrapResponse(traceApi.stitchedBlocks({ params, signal })) as Promise<StitchedTrace>;
  }, PAGES);
  for await (const tree of pages) {
    trace = tree.trace;
    messages.push(...tree.messages);
    isTruncated = tree.page.next_cursor !== null;
  }
  if (!trace) throw new Error('the server returned no page of the trace');
  const items = toTraceItems(messages);
  return { trace, items: items.slice(0, MAX_ITEMS), isTruncated: isTruncated || items.length > MAX_ITEMS };
}
