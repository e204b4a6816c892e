import { useMemo } from 'preact/hooks';
import { useOrganization } from '../api/access.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { FailureCard } from '../parts/failure-card.tsx';
import { Ignored } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { href, navigate, useQuery, withQuery } from '../shell/location.ts';
import { pairIn, unusableIn } from './address.ts';
import { changesBetween } from './changes.ts';
import { Differences } from './differences.tsx';
import { loadTrace, type Side } from './load-trace.ts';
import { Sides } from './sides.tsx';
import './compare.css';

/** Two traces held against each other; of more than two, those that are chosen. */
export function ComparePage() {
  const org = useOrganization();
  const query = useQuery();
  const { ids, left, right, isTwice } = pairIn(query);
  document.title = 'Compare – ors';
  const one = useLoaded(left, (signal) => loadTrace(org, left ?? '', signal));
  const other = useLoaded(right, (signal) => loadTrace(org, right ?? '', signal));
  if (left === undefined || right === undefined) return <NotTwo one={left} isTwice={isTwice} />;
  for (const { failure, data, reload } of [one, other])
    if (failure && !data) return <FailureCard failure={failure} retry={reload} />;
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
        <a href={href({ view: 'group', traces: ids.join(',') })}>Side by side, step by step</a>
      </header>
      {one.data && other.data ? <Compared left={one.data} right={other.data} /> : <Skeleton lines={12} />}
    </>
  );
}

const swapped = (ids: readonly string[], left: string, right: string) =>
  ids.length === 2 ? { traces: `${right},${left}`, at: undefined } : { left: right, right: left, at: undefined };

function Compared({ left, right }: { readonly left: Side; readonly right: Side }) {
  const changes = useMemo(() => changesBetween(left.items, right.items), [left, right]);
  const differences = changes.filter(({ kind }) => kind !== 'same').length;
  return (
    <>
      <Ignored names={unusableIn(useQuery(), differences)} />
      <Sides {...{ left, right }} />
      {(left.isCut || right.isCut) && (
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
      <Ignored names={unusableIn(useQuery(), 0)} />
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
          <a class="button" href={href({ view: 'trace', trace: one })}>
            Look at this trace
          </a>
        )}
        <a class="button" href={href({ view: 'runs' })}>
          Look at all runs
        </a>
      </div>
    </section>
  );
}
