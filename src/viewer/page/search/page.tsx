import { useEffect, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import {
  findsBlocks,
  isSearchProblem,
  parseSearch,
  SEARCH_FIELDS,
  type SearchQuery,
  searchTexts,
} from '../../../trace/model/index.ts';
import { useOrganization } from '../api/access.ts';
import { changeQuery, useQuery } from '../api/location.ts';
import { SERVER_URL } from '../api/store.ts';
import { Button, Snippet } from '../parts/buttons.tsx';
import type { SortOrder } from '../parts/list.tsx';
import { ErrorCard } from '../parts/states.tsx';
import { type TraceSortField, TraceTable } from '../parts/trace-table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { FILTER_PARAMS, queryOf, withTerm } from './query.ts';
import { QueryField } from './query-field.tsx';
import { HitsByError, HitsByTrace } from './results.tsx';
import { type SearchState, type TraceOrder, useSearch } from './use-search.ts';
import './search.css';

/** Number of results after which a search pauses, and when errors are grouped. */
const MAX_RESULTS = 200;
const MAX_GROUPED = 2_000;

/** Searches blocks and traces with a query, which the address has. */
export function SearchPage() {
  const params = useQuery();
  const text = queryOf(params);
  const isGrouped = params.get('by') === 'error';
  const parsed = parseSearch(text);
  const query = isSearchProblem(parsed) || parsed.terms.length === 0 ? undefined : parsed;
  const order = query && !findsBlocks(query) ? readOrder(params) : undefined;
  const search = useSearch(query && text.trim(), isGrouped ? MAX_GROUPED : MAX_RESULTS, order);
  const { hits, traces, failure, continueSearch } = search;
  const hasFilters = FILTER_PARAMS.some((name) => params.has(name));
  document.title = `${text || 'Search'} – ors`;
  useEffect(() => {
    const none = Object.fromEntries(FILTER_PARAMS.map((name) => [name, undefined]));
    if (hasFilters) changeQuery({ ...none, q: text || undefined });
  }, [hasFilters, text]);
  const texts = query ? searchTexts(query) : [];
  return (
    <>
      <h1>Search</h1>
      <QueryField query={text} onChange={(changed) => changeQuery({ q: changed || undefined })} />
      {text.trim() === '' && <SearchHelp />}
      {query && findsBlocks(query) && <Grouping text={text} isGrouped={isGrouped} />}
      {query && !(failure && traces.size === 0) && <Progress search={search} isAboutBlocks={findsBlocks(query)} />}
      {failure && traces.size === 0 && <ErrorCard failure={failure} retry={continueSearch} />}
      {query && order && traces.size > 0 && (
        <FoundTraces key={text} query={text} scores={scoreNames(query)} order={order} search={search} />
      )}
      {query && isGrouped && <HitsByError hits={hits} traces={traces} texts={texts} />}
      {query && !isGrouped && <HitsByTrace hits={hits} traces={traces} texts={texts} />}
      {query && !search.isDone && !search.isSearching && traces.size > 0 && (
        <p>
          <Button onClick={continueSearch}>Continue</Button>
        </p>
      )}
    </>
  );
}

/** Reads the order of traces of an address. */
const readOrder = (params: URLSearchParams): TraceOrder => ({
  sort: /^(reward|length|score:.+)$/.exec(params.get('sort') ?? '')?.[0] ?? 'created',
  order: params.get('order') === 'asc' ? 'asc' : 'desc',
});

/** Returns the names of the scores that a query compares. */
const scoreNames = ({ terms }: SearchQuery): readonly string[] => [
  ...new Set(
    terms.flatMap(({ field, key, value, isNegated }) =>
      field === 'score' && !isNegated ? [key ?? String(value)] : [],
    ),
  ),
];

interface FoundTracesProps {
  readonly query: string;
  /** Scores that the traces can be sorted by. */
  readonly scores: readonly string[];
  readonly order: TraceOrder;
  readonly search: SearchState;
}

/** Table of found traces, and actions for the selected ones. */
function FoundTraces({ query, scores, order, search }: FoundTracesProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const traces = [...search.traces.values()];
  const remove = (ids: ReadonlySet<string>) =>
    search.change((known) => new Map([...known].filter(([id]) => !ids.has(id))));
  return (
    <>
      <BulkActions query={query} traces={traces} chosen={chosen} onChoose={setChosen} onDeleted={remove} />
      {scores.length > 0 && (
        <div class="choices">
          {scores.map((name) => {
            const isOrder = order.sort === `score:${name}`;
            const next = isOrder && order.order === 'desc' ? 'asc' : 'desc';
            return (
              <Button
                key={name}
                aria-pressed={isOrder}
                onClick={() => changeQuery({ sort: `score:${name}`, order: next })}
              >
                Sort by {name} {isOrder && (order.order === 'desc' ? '↓' : '↑')}
              </Button>
            );
          })}
        </div>
      )}
      <TraceTable
        traces={traces}
        chosen={chosen}
        onChoose={setChosen}
        // A sort key of no column marks none.
        sorting={order as SortOrder<TraceSortField>}
        onSort={({ sort, order: direction }) => changeQuery({ sort, order: direction })}
      />
    </>
  );
}

/** Switches between hits by trace and by error message. */
const Grouping = ({ text, isGrouped }: { readonly text: string; readonly isGrouped: boolean }) => (
  <div class="choices">
    <Button aria-pressed={!isGrouped} onClick={() => changeQuery({ by: undefined })}>
      By trace
    </Button>
    <Button aria-pressed={isGrouped} onClick={() => changeQuery({ by: 'error', q: withTerm(text, 'error', 'true') })}>
      Errors by message
    </Button>
  </div>
);

function Progress({ search, isAboutBlocks }: { readonly search: SearchState; readonly isAboutBlocks: boolean }) {
  const { hits, traces, isSearching, isDone, failure, stop, continueSearch } = search;
  const ofTraces = plural(traces.size, 'trace');
  const found =
    traces.size === 0 ? 'nothing' : isAboutBlocks ? `${plural(hits.length, 'block')} in ${ofTraces}` : ofTraces;
  return (
    <p class="row line muted search-progress" aria-live="polite">
      {isSearching ? (
        <>
          <progress aria-label="Searching" />
          <span>
            Searching; {traces.size === 0 ? 'nothing yet' : `${formatCount(hits.length || traces.size)} found`}
          </span>
          <Button onClick={stop}>Stop</Button>
        </>
      ) : (
        <>
          <span>
            Found {found}
            {isDone ? (traces.size === 0 ? ': everything was searched.' : '; that is all.') : '; there may be more.'}
            {failure && ` The search failed: ${failure.message}.`}
          </span>
          {!isDone && <Button onClick={continueSearch}>Continue</Button>}
        </>
      )}
    </p>
  );
}

const EXAMPLES = ['tool:bash error:"no such file"', 'model:qwen reward:<0.5 after:7d', 'error:true -tool:submit'];

/** Explains the query language while there is no query. */
function SearchHelp() {
  const org = useOrganization();
  const query = new URLSearchParams({ query: EXAMPLES[0] ?? '' });
  return (
    <section class="card notice">
      <h2>Search with a query</h2>
      <p>
        Words and “quoted phrases” in messages, thoughts, arguments and results, and fields. All terms must match; a
        minus or NOT before a term negates it. Fields of traces alone find traces.
      </p>
      <ul class="choices">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <Button onClick={() => changeQuery({ q: example })}>
              <code>{example}</code>
            </Button>
          </li>
        ))}
      </ul>
      <dl class="search-fields">
        {Object.entries(SEARCH_FIELDS).map(([name, { help }]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
      <p>The same from a terminal:</p>
      <Snippet code={`ors traces search '${EXAMPLES[0]}' --url ${SERVER_URL}`} />
      <Snippet code={`curl -s '${SERVER_URL}/v1/organizations/${org}/search?${query}'`} />
    </section>
  );
}
