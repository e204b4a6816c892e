import { useMemo } from 'preact/hooks';
import { useOrganization } from '../api/access.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { readComparedIds, unknownCompareParams } from './address.ts';
import { diffItems } from './changes.ts';
import { Differences } from './differences.tsx';
import { type ComparedTrace, loadComparedTrace } from './load-trace.ts';
import { ComparedTraces } from './sides.tsx';
import './compare.css';

/** Two traces held against each other; of more than two, those that are chosen. */
export function ComparePage() {
  const org = useOrganization();
  const query = useQuery();
  const { ids, left, right, isTwice } = readComparedIds(query);
  document.title = 'Compare – ors';
  const one = useLoad(left, (signal) => loadComparedTrace(org, left ?? '', signal));
  const other = useLoad(right, (signal) => loadComparedTrace(org, right ?? '', signal));
  if (left === undefined || right === undefined) return <NotTwo one={left} isTwice={isTwice} />;
  for (const { failure, data, reload } of [one, other])
    if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  return (
    <>
      <header class="row">
        <h1>Compare</h1>
        {ids.length > 2 && (
          <>
            <Pick name="left" label="Left" ids={ids} value={left} />
            <Pick name="right" label="Right" ids={ids} value={right} />
          </>
        )}
        <span class="spring" />
        <button type="button" onClick={() => navigate(withQuery(swapped(ids, left, right)), { replace: true })}>
          ⇄ Swap
        </button>
        <a href={buildHref({ view: 'group', traces: ids.join(',') })}>Side by side, step by step</a>
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
      <ComparedTraces {...{ left, right }} />
      {(left.isTruncated || right.isTruncated) && (
        <p class="banner">These traces are long: only their beginnings are held against each other.</p>
      )}
      <Differences changes={changes} left={left.trace.id} right={right.trace.id} />
    </>
  );
}

interface PickProps {
  readonly name: 'left' | 'right';
  readonly label: string;
  readonly ids: readonly string[];
  readonly value: string;
}

const Pick = ({ name, label, ids, value }: PickProps) => (
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

interface NotTwoProps {
  /** The trace that the address names. */
  readonly one: string | undefined;
  /** Whether it names it more than once. */
  readonly isTwice: boolean;
}

function NotTwo({ one, isTwice }: NotTwoProps) {
  const title = isTwice ? 'Both are the same trace' : one === undefined ? 'Choose two traces' : 'Choose another trace';
  return (
    <section class="card notice">
      <h2>{title}</h2>
      <IgnoredParams names={unknownCompareParams(useQuery(), 0)} />
      {one !== undefined && (
        <p>
          {isTwice ? 'A trace does not differ from itself: the address names ' : 'The address names only '}
          <code>{one}</code>
          {isTwice && ' twice'}.
        </p>
      )}
      <p>
        Tick two traces in the table of a run, and then <strong>Compare</strong>; or name them in the address:{' '}
        <code>?view=compare&amp;traces={one ?? 'tr_one'},tr_other</code>
      </p>
      <div class="row">
        {one !== undefined && (
          <a class="button" href={buildHref({ view: 'trace', trace: one })}>
            Look at this trace
          </a>
        )}
        <a class="button" href={buildHref({ view: 'runs' })}>
          Look at all runs
        </a>
      </div>
    </section>
  );
}
