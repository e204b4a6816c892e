import { useRef, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { parseNumber, plural } from '../../../core/index.ts';
import { useCanWrite, useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { asRequestError } from '../api/request-error.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { usePagedList } from '../api/use-load.ts';
import { Button, ButtonLink, QuietButton } from '../parts/buttons.tsx';
import { Banner, Loaded } from '../parts/states.tsx';
import { TraceLink, TraceSummary } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { findFilterProblem, parseFilter, type QueryFilter, quoteValue } from '../search/query.ts';
import { FilterField } from '../search/query-filter.tsx';
import { Conversation } from './conversation.tsx';
import { addScore, deleteScore, useAuthor } from './panel.tsx';
import './scores.css';

const DEFAULT_NAME = 'quality';
const DEFAULT_OPTIONS = '1,2,3,4,5';
const PAGE = 50;
/** Number of traces ahead at which the next page is loaded. */
const AHEAD = 5;

/** Queue of the traces of a query without a score of a name, which a person rates one by one. */
export function RatePage() {
  const params = useQuery();
  const name = params.get('name') || DEFAULT_NAME;
  const query = params.get('q') ?? '';
  const options = (params.get('options') || DEFAULT_OPTIONS)
    .split(',')
    .flatMap((option) => option.trim() || [])
    .slice(0, 9);
  const filter = parseFilter(query);
  document.title = `Rate ${name} – ors`;
  const field = (param: 'name' | 'options', label: string, value: string) => (
    <label>
      {label}
      <input
        type="text"
        value={value}
        onChange={(event) => changeQuery({ [param]: event.currentTarget.value || undefined })}
      />
    </label>
  );
  return (
    <>
      <h1>Rate traces</h1>
      <form class="row score-form" aria-label="Queue" onSubmit={(event) => event.preventDefault()}>
        <div class="rate-query">
          Traces that match
          <FilterField label="Name, id or query of traces to rate" />
        </div>
        {field('name', 'Criterion', name)}
        {field('options', 'Numbers or labels', options.join(', '))}
      </form>
      {filter ? (
        <Queue key={`${query} ${name}`} filter={filter} query={query} name={name} options={options} />
      ) : (
        <UnusableQuery query={query} />
      )}
    </>
  );
}

/** Shows which part of a query the queue cannot use. */
function UnusableQuery({ query }: { readonly query: string }) {
  const { position = 0, expected, advice } = findFilterProblem(query) ?? {};
  const [term = ''] = /^\S*/.exec(query.slice(position)) ?? [];
  return (
    <Banner>
      <span>
        The queue cannot use {term === '' ? 'this query' : <code>{term}</code>}: expected {expected}; {advice}. It finds
        no texts of blocks; the <a href={buildHref({ view: 'search', q: query })}>Search page</a> does.
      </span>
    </Banner>
  );
}

interface QueueProps {
  readonly filter: QueryFilter;
  /** Text of the filter. */
  readonly query: string;
  readonly name: string;
  readonly options: readonly string[];
}

function Queue({ filter, query, name, options }: QueueProps) {
  const org = useOrganization();
  const waiting = { ...filter, query: `${filter.query ?? ''} -score:${quoteValue(name)}`.trim() };
  const list = usePagedList(`rate ${JSON.stringify(waiting)}`, async (next, signal) => {
    const params = { path: { org }, query: { ...waiting, limit: PAGE, ...next } };
    const { traces, page } = await unwrapResponse(traceApi.listTraces({ params, signal }));
    return { items: traces, page };
  });
  /** Ids of scores by trace; null for skipped traces. */
  const [done, setDone] = useState<ReadonlyMap<string, string | null>>(new Map());
  const left = (list.data ?? []).filter(({ id }) => !done.has(id));
  if (left.length < AHEAD && list.hasMore && !list.isLoading) list.loadMore();
  const [current] = left;
  const rated = [...done.values()].filter((score) => score !== null).length;
  const finish = (id: string, score: string | null) => setDone((before) => new Map([...before, [id, score]]));
  const undo = async () => {
    const last = [...done].at(-1);
    if (!last) return;
    if (last[1] !== null) await deleteScore(org, last[1]);
    setDone((before) => new Map([...before].slice(0, -1)));
  };
  return (
    <Loaded state={list} lines={8}>
      {() => (
        <>
          <p class="line muted rate-progress" aria-live="polite">
            {plural(rated, 'trace')} rated, {left.length}
            {list.hasMore ? ' or more' : ''} left{filter.q !== undefined && `, with “${filter.q}” in the name or id`}
          </p>
          {current ? (
            <RatedTrace key={current.id} trace={current} name={name} options={options} onDone={finish} onUndo={undo} />
          ) : (
            !list.hasMore && (
              <section class="card notice">
                <h2>Nothing is left to rate</h2>
                <p>Every trace of this query has a score with the name {name}, or was skipped.</p>
                <ButtonLink href={buildHref({ view: 'search', q: `${query} score:${quoteValue(name)}`.trim() })}>
                  Show the rated traces
                </ButtonLink>
                <QuietButton onClick={undo}>Undo the last rating</QuietButton>
              </section>
            )
          )}
        </>
      )}
    </Loaded>
  );
}

interface RatedTraceProps {
  readonly trace: Trace;
  readonly name: string;
  readonly options: readonly string[];
  /** Called with the id of the score; null if the trace was skipped. */
  readonly onDone: (trace: string, score: string | null) => void;
  readonly onUndo: () => Promise<void>;
}

function RatedTrace({ trace, name, options, onDone, onUndo }: RatedTraceProps) {
  const org = useOrganization();
  const canWrite = useCanWrite();
  const [author, setAuthor] = useAuthor();
  const [comment, setComment] = useState('');
  const [message, setMessage] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const attempt = async (work: () => Promise<void>) => {
    if (isSaving) return;
    setSaving(true);
    await work().catch((error: unknown) => setMessage(`Not saved: ${asRequestError(error).message}`));
    setSaving(false);
  };
  const rate = (option: string | undefined) =>
    option !== undefined &&
    canWrite &&
    attempt(async () => {
      const number = parseNumber(option);
      const value = number === undefined ? { label: option } : { value: number };
      const text = { comment: comment.trim() || null, author: author.trim() || null };
      const { id } = await addScore(org, { trace_id: trace.id, name, ...value, ...text });
      onDone(trace.id, id);
    });
  const keys = options.map((option, index) => [
    String(index + 1),
    { description: `rate ${name}: ${option}`, run: () => void rate(options[index]) },
  ]);
  useShortcuts({
    ...Object.fromEntries(keys),
    s: { description: 'skip the trace', run: () => onDone(trace.id, null) },
    u: { description: 'undo the last rating', run: () => void attempt(onUndo) },
    c: { description: 'write a comment', run: () => field.current?.focus() },
    e: { description: 'go to the end', run: () => scrollTo(0, document.body.scrollHeight) },
  });
  return (
    <article class="stack">
      <header class="row">
        <h2>
          <TraceLink id={trace.id} name={trace.name} />
        </h2>
        <TraceSummary trace={trace} />
      </header>
      <Conversation trace={trace} />
      <div class="raised row rate-bar">
        <strong>
          <VisibleText text={name} />
        </strong>
        <OptionButtons options={options} isDisabled={isSaving || !canWrite} onChoose={rate} />
        <textarea
          ref={field}
          class="spring"
          rows={1}
          aria-label="Comment"
          placeholder="Comment (c)"
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <input
          type="text"
          aria-label="Author"
          placeholder="Author"
          value={author}
          onInput={(event) => setAuthor(event.currentTarget.value)}
        />
        <QuietButton title="Skip: s" onClick={() => onDone(trace.id, null)}>
          Skip
        </QuietButton>
        <QuietButton title="Undo: u" onClick={() => attempt(onUndo)}>
          Undo
        </QuietButton>
        {message && <small role="status">{message}</small>}
      </div>
    </article>
  );
}

interface OptionButtonsProps {
  readonly options: readonly string[];
  readonly isDisabled: boolean;
  readonly onChoose: (option: string) => void;
}

const OptionButtons = ({ options, isDisabled, onChoose }: OptionButtonsProps) =>
  options.map((option, index) => (
    <Button key={option} class="rate-option" disabled={isDisabled} onClick={() => onChoose(option)}>
      <kbd>{index + 1}</kbd> {option}
    </Button>
  ));
