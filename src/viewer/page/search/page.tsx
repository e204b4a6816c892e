import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { SERVER_URL } from '../api/store.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { useQuery } from '../shell/location.ts';
import { groupHitsByTrace, hasSearchTerm, readSearchQuery, type SearchQuery, unknownSearchParams } from './hits.ts';
import { SearchResults } from './results.tsx';
import { SearchForm } from './search-form.tsx';
import { type SearchState, useSearch } from './use-search.ts';
import './search.css';

/** Finds blocks by text, tool or failure, in one run or in all. */
export function SearchPage() {
  const query = useQuery();
  const requested = readSearchQuery(query);
  const search = useSearch(requested);
  const { hits, failure, continueSearch } = search;
  document.title = `${requested.q ?? 'Search'} – ors`;
  return (
    <>
      <h1>
        Search
        {requested.run !== undefined && (
          <>
            {' '}
            in <VisibleText text={requested.run} />
          </>
        )}
      </h1>
      <IgnoredParams names={unknownSearchParams(query)} />
      <SearchForm wanted={requested} />
      {!hasSearchTerm(requested) && <Hints wanted={requested} />}
      {hasSearchTerm(requested) && !(failure && hits.length === 0) && <Progress {...{ search, wanted: requested }} />}
      {failure && hits.length === 0 && <ErrorCard failure={failure} retry={continueSearch} />}
      <SearchResults traces={groupHitsByTrace(hits)} q={requested.q ?? ''} />
      {!search.isDone && !search.isSearching && hits.length > 0 && (
        <p>
          <button type="button" onClick={continueSearch}>
            Search on
          </button>
        </p>
      )}
    </>
  );
}

function Progress({ search, wanted: requested }: { readonly search: SearchState; readonly wanted: SearchQuery }) {
  const { hits, isSearching, isDone, failure, stop, continueSearch } = search;
  const traces = new Set(hits.map(({ trace_id }) => trace_id)).size;
  const found = hits.length === 0 ? 'nothing' : `${plural(hits.length, 'block')} in ${plural(traces, 'trace')}`;
  const where = requested.run === undefined ? 'all runs were' : 'the whole run was';
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
            <button type="button" onClick={continueSearch}>
              Search on
            </button>
          )}
        </>
      )}
    </p>
  );
}

function Hints({ wanted: { run } }: { readonly wanted: SearchQuery }) {
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
      <Snippet code={`curl -s '${SERVER_URL}/v1/organizations/${org}/blocks?${query}'`} />
    </section>
  );
}
