import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { SERVER } from '../api/store.ts';
import { FailureCard } from '../parts/failure-card.tsx';
import { Ignored } from '../parts/ignored.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { Visible } from '../payload/shown.tsx';
import { useQuery } from '../shell/location.ts';
import { asksForSomething, byTrace, unusableIn, type Wanted, wantedIn } from './hits.ts';
import { Results } from './results.tsx';
import { SearchForm } from './search-form.tsx';
import { type Search, useSearch } from './use-search.ts';
import './search.css';

/** Finds blocks by text, tool or failure, in one run or in all. */
export function SearchPage() {
  const query = useQuery();
  const wanted = wantedIn(query);
  const search = useSearch(wanted);
  const { hits, failure, goOn } = search;
  document.title = `${wanted.q ?? 'Search'} – ors`;
  return (
    <>
      <h1>
        Search
        {wanted.run !== undefined && (
          <>
            {' '}
            in <Visible text={wanted.run} />
          </>
        )}
      </h1>
      <Ignored names={unusableIn(query)} />
      <SearchForm wanted={wanted} />
      {!asksForSomething(wanted) && <Hints wanted={wanted} />}
      {asksForSomething(wanted) && !(failure && hits.length === 0) && <Progress {...{ search, wanted }} />}
      {failure && hits.length === 0 && <FailureCard failure={failure} retry={goOn} />}
      <Results traces={byTrace(hits)} q={wanted.q ?? ''} />
      {!search.isDone && !search.isSearching && hits.length > 0 && (
        <p>
          <button type="button" onClick={goOn}>
            Search on
          </button>
        </p>
      )}
    </>
  );
}

function Progress({ search, wanted }: { readonly search: Search; readonly wanted: Wanted }) {
  const { hits, isSearching, isDone, failure, stop, goOn } = search;
  const traces = new Set(hits.map(({ trace_id }) => trace_id)).size;
  const found = hits.length === 0 ? 'nothing' : `${plural(hits.length, 'block')} in ${plural(traces, 'trace')}`;
  const where = wanted.run === undefined ? 'all runs were' : 'the whole run was';
  return (
    <p class="row search-progress" aria-live="polite">
      {isSearching ? (
        <>
          <progress aria-label="Searching" />
          <span>Searching; {hits.length === 0 ? 'nothing yet' : `${formatCount(hits.length)} found`}</span>
          <button type="button" onClick={stop}>
            Stop
          </button>
        </>
      ) : (
        <>
          <span>
            Found {found}
            {isDone ? (hits.length === 0 ? `: ${where} searched.` : '; that is all.') : '; there may be more.'}
            {failure && ` The search broke off: ${failure.message}.`}
          </span>
          {!isDone && (
            <button type="button" onClick={goOn}>
              Search on
            </button>
          )}
        </>
      )}
    </p>
  );
}

function Hints({ wanted: { run } }: { readonly wanted: Wanted }) {
  const org = useOrganization();
  const query = new URLSearchParams({ ...(run !== undefined && { run }), q: 'division by zero' });
  return (
    <section class="card notice">
      <h2>What to search for</h2>
      <p>
        A text that stands in messages, thoughts, arguments or results; a tool, by its whole name; or results that
        failed. All that is given has to apply.{run === undefined && ' Name a run to search in it alone.'}
      </p>
      <p>The same from a terminal:</p>
      <Snippet code={`curl -s '${SERVER}/v1/organizations/${org}/blocks?${query}'`} />
    </section>
  );
}
