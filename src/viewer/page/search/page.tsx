import { useEffect, useRef } from 'preact/hooks';
import type { BlockHit } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, navigate, useQuery, withQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { SERVER_URL } from '../api/store.ts';
import { Reward } from '../parts/badges.tsx';
import { Snippet } from '../parts/buttons.tsx';
import { ErrorCard, IgnoredParams } from '../parts/states.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { HighlightedText, VisibleText } from '../parts/visible-text.tsx';
import {
  groupHitsByTrace,
  hasSearchTerm,
  readSearchQuery,
  type SearchQuery,
  SUB_TYPES,
  type TraceHits,
  unknownSearchParams,
} from './query.ts';
import { type SearchState, useSearch } from './use-search.ts';
import './search.css';

/** Searches blocks by text, tool or failure, in one run or in all. */
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
      <SearchForm requested={requested} />
      {!hasSearchTerm(requested) && <SearchHints requested={requested} />}
      {hasSearchTerm(requested) && !(failure && hits.length === 0) && (
        <Progress search={search} requested={requested} />
      )}
      {failure && hits.length === 0 && <ErrorCard failure={failure} retry={continueSearch} />}
      <SearchResults traces={groupHitsByTrace(hits)} q={requested.q ?? ''} />
      {!search.isDone && !search.isSearching && hits.length > 0 && (
        <p>
          <button type="button" onClick={continueSearch}>
            Continue
          </button>
        </p>
      )}
    </>
  );
}

function Progress({ search, requested }: { readonly search: SearchState; readonly requested: SearchQuery }) {
  const { hits, isSearching, isDone, failure, stop, continueSearch } = search;
  const traces = new Set(hits.map(({ trace_id }) => trace_id)).size;
  const found = hits.length === 0 ? 'nothing' : `${plural(hits.length, 'block')} in ${plural(traces, 'trace')}`;
  const where = requested.run === undefined ? 'all runs were' : 'the whole run was';
  return (
    <p class="row search-progress muted" aria-live="polite">
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
            {failure && ` The search failed: ${failure.message}.`}
          </span>
          {!isDone && (
            <button type="button" onClick={continueSearch}>
              Continue
            </button>
          )}
        </>
      )}
    </p>
  );
}

function SearchHints({ requested: { run } }: { readonly requested: SearchQuery }) {
  const org = useOrganization();
  const query = new URLSearchParams({ ...(run !== undefined && { run }), q: 'division by zero' });
  return (
    <section class="card notice">
      <h2>What to search</h2>
      <p>
        A text in messages, thoughts, arguments or results; the full name of a tool; or results that failed. A block
        must match all of them.{run === undefined && ' Enter a run to search only its traces.'}
      </p>
      <p>The same from a terminal:</p>
      <Snippet code={`curl -s '${SERVER_URL}/v1/organizations/${org}/blocks?${query}'`} />
    </section>
  );
}

const KINDS = { MESSAGE: 'messages', THINK: 'thoughts', TOOL_CALL: 'tool calls', TOOL_RESULT: 'results' } as const;

/** Search fields; the address has their values. */
export function SearchForm({ requested }: { readonly requested: SearchQuery }) {
  const text = useRef<HTMLInputElement>(null);
  // Searching is the purpose of the page.
  useEffect(() => text.current?.focus(), []);
  useShortcuts({ '/': { does: 'focus the search field', run: () => text.current?.focus() } });
  const change = (name: string) => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement | HTMLSelectElement;
    navigate(withQuery({ [name]: value || undefined }), { replace: true });
  };
  const field = (name: 'name' | 'run' | 'trace_id' | 'environment' | 'group_id', label: string) => (
    <label>
      {label}
      <input type="text" value={requested[name] ?? ''} onChange={change(name)} />
    </label>
  );
  return (
    <form class="search-form" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
      <label class="search-text">
        Text
        <input ref={text} type="search" maxLength={1_024} value={requested.q ?? ''} onInput={change('q')} />
      </label>
      <label>
        In
        <select value={requested.sub_type ?? ''} onChange={change('sub_type')}>
          <option value="">all blocks</option>
          {SUB_TYPES.map((type) => (
            <option key={type} value={type}>
              {KINDS[type]}
            </option>
          ))}
        </select>
      </label>
      {field('name', 'Tool')}
      <label>
        Failed
        <select
          value={requested.has_error === undefined ? '' : String(requested.has_error)}
          onChange={change('has_error')}
        >
          <option value="">or not</option>
          <option value="true">results that failed</option>
          <option value="false">results that did not</option>
        </select>
      </label>
      {field('run', 'Run')}
      {requested.trace_id !== undefined && field('trace_id', 'Trace')}
      {requested.environment !== undefined && field('environment', 'Environment')}
      {requested.group_id !== undefined && field('group_id', 'Group')}
    </form>
  );
}

interface Props {
  readonly traces: readonly TraceHits[];
  readonly q: string;
}

/** Lists the hits by trace. */
export function SearchResults({ traces, q }: Props) {
  return (
    <ol class="stack search-results">
      {traces.map(({ traceId, hits }) => (
        <li key={traceId}>
          <h2>
            <a href={buildHref({ view: 'trace', trace: traceId })} title={traceId}>
              {shortId(traceId)}
            </a>{' '}
            <small>{plural(hits.length, 'block')}</small>
          </h2>
          <ul class="raised">
            {hits.map((hit) => (
              <Hit key={hit.block.id} hit={hit} q={q} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function Hit({ hit: { trace_id, block, excerpt }, q }: { readonly hit: BlockHit; readonly q: string }) {
  const { id, reward, is_error, preview } = block;
  return (
    <li>
      <a class="search-hit" href={`${buildHref({ view: 'trace', trace: trace_id })}#${id}`}>
        <span class="clipped muted search-kind">
          <VisibleText text={kindOf(block)} />
        </span>
        <span class="clipped search-excerpt">
          <HighlightedText text={excerpt ?? preview} highlight={excerpt === null ? undefined : q} />
        </span>
        {is_error && <b class="failed">✗ error</b>}
        {reward !== null && <Reward value={reward} />}
      </a>
    </li>
  );
}

function kindOf({ sub_type, name, role }: BlockHit['block']): string {
  if (sub_type === 'TOOL_CALL') return `call ${name ?? ''}`;
  if (sub_type === 'TOOL_RESULT') return 'result';
  return sub_type === 'THINK' ? 'thought' : (role ?? 'message');
}
