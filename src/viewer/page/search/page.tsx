import { useEffect, useRef } from 'preact/hooks';
import type { BlockHit } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { SERVER_URL } from '../api/store.ts';
import { Reward } from '../parts/badges.tsx';
import { Button, Select, Snippet } from '../parts/buttons.tsx';
import { ErrorCard, IgnoredParams } from '../parts/states.tsx';
import { TraceLink } from '../parts/trace-links.tsx';
import { HighlightContext, HighlightedText, VisibleText } from '../parts/visible-text.tsx';
import { groupHitsByTrace, hasSearchTerm, readSearchQuery, type SearchQuery, unknownSearchParams } from './query.ts';
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
        {requested.run !== undefined && <VisibleText text={` in ${requested.run}`} />}
      </h1>
      <IgnoredParams names={unknownSearchParams(query)} />
      <SearchForm requested={requested} />
      {!hasSearchTerm(requested) && <SearchHints requested={requested} />}
      {hasSearchTerm(requested) && !(failure && hits.length === 0) && (
        <Progress search={search} requested={requested} />
      )}
      {failure && hits.length === 0 && <ErrorCard failure={failure} retry={continueSearch} />}
      <SearchResults hits={hits} q={requested.q ?? ''} />
      {!search.isDone && !search.isSearching && hits.length > 0 && (
        <p>
          <Button onClick={continueSearch}>Continue</Button>
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
    <p class="row line muted search-progress" aria-live="polite">
      {isSearching ? (
        <>
          <progress aria-label="Searching" />
          <span>Searching; {hits.length === 0 ? 'nothing yet' : `${formatCount(hits.length)} found`}</span>
          <Button onClick={stop}>Stop</Button>
        </>
      ) : (
        <>
          <span>
            Found {found}
            {isDone ? (hits.length === 0 ? `: ${where} searched.` : '; that is all.') : '; there may be more.'}
            {failure && ` The search failed: ${failure.message}.`}
          </span>
          {!isDone && <Button onClick={continueSearch}>Continue</Button>}
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

const KINDS = {
  '': 'all blocks',
  MESSAGE: 'messages',
  THINK: 'thoughts',
  TOOL_CALL: 'tool calls',
  TOOL_RESULT: 'results',
};
const FAILED = { '': 'or not', true: 'results that failed', false: 'results that did not' };

/** Search fields; the address has their values. */
function SearchForm({ requested }: { readonly requested: SearchQuery }) {
  const text = useRef<HTMLInputElement>(null);
  useEffect(() => text.current?.focus(), []);
  useShortcuts({ '/': { description: 'focus the search field', run: () => text.current?.focus() } });
  const change = (name: string, value: string) => changeQuery({ [name]: value || undefined });
  const field = (name: 'name' | 'run' | 'trace_id' | 'environment' | 'group_id', label: string) => (
    <label>
      {label}
      <input type="text" value={requested[name] ?? ''} onChange={(event) => change(name, event.currentTarget.value)} />
    </label>
  );
  const select = (name: 'sub_type' | 'has_error', label: string, options: Readonly<Record<string, string>>) => (
    // biome-ignore lint/a11y/noLabelWithoutControl: Select is the control
    <label>
      {label}
      <Select
        value={String(requested[name] ?? '')}
        options={Object.entries(options)}
        onChoose={(value) => change(name, value)}
      />
    </label>
  );
  return (
    <form class="search-form" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
      <label class="search-text">
        Text
        <input
          ref={text}
          type="search"
          maxLength={1_024}
          value={requested.q ?? ''}
          onInput={(event) => change('q', event.currentTarget.value)}
        />
      </label>
      {select('sub_type', 'In', KINDS)}
      {field('name', 'Tool')}
      {select('has_error', 'Failed', FAILED)}
      {field('run', 'Run')}
      {requested.trace_id !== undefined && field('trace_id', 'Trace')}
      {requested.environment !== undefined && field('environment', 'Environment')}
      {requested.group_id !== undefined && field('group_id', 'Group')}
    </form>
  );
}

/** Lists the hits by trace. */
function SearchResults({ hits, q }: { readonly hits: readonly BlockHit[]; readonly q: string }) {
  return (
    <ol class="stack search-results">
      {groupHitsByTrace(hits).map(({ traceId, hits: own }) => (
        <li key={traceId}>
          <h2>
            <TraceLink id={traceId} /> <small>{plural(own.length, 'block')}</small>
          </h2>
          <ul class="raised">
            {own.map((hit) => (
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
          <HighlightContext.Provider value={excerpt === null ? undefined : q}>
            <HighlightedText text={excerpt ?? preview} />
          </HighlightContext.Provider>
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
