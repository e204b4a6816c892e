import type { SearchHit, Trace } from '../../../../generated/trace.ts';
import { formatCount, groupBy, plural } from '../../../core/index.ts';
import { groupErrors } from '../../../trace/model/index.ts';
import { buildHref } from '../api/location.ts';
import { Reward } from '../parts/badges.tsx';
import { findHits, splitAtHits } from '../parts/text-segments.ts';
import { formatTaskName } from '../parts/trace-info.ts';
import { TraceLink, TraceSummary } from '../parts/trace-links.tsx';
import { TextPiece, VisibleText } from '../parts/visible-text.tsx';

interface Props {
  readonly hits: readonly SearchHit[];
  readonly traces: ReadonlyMap<string, Trace>;
  /** Texts to mark. */
  readonly texts: readonly string[];
}

/** Lists hits by trace, in the order of their first hits. */
export const HitsByTrace = ({ hits, traces, texts }: Props) => (
  <ol class="stack search-results">
    {Array.from(
      groupBy(hits, ({ trace_id }) => trace_id),
      ([id, own]) => (
        <li key={id}>
          <TraceHead id={id} trace={traces.get(id)} count={own.length} />
          <ul class="raised">
            {own.map((hit) => (
              <Hit key={hit.block.id} hit={hit} texts={texts} />
            ))}
          </ul>
        </li>
      ),
    )}
  </ol>
);

interface TraceHeadProps {
  readonly id: string;
  readonly trace: Trace | undefined;
  readonly count: number;
}

function TraceHead({ id, trace, count }: TraceHeadProps) {
  return (
    <header class="row search-trace">
      <h2>
        <TraceLink id={id} name={trace?.name ?? null} />
      </h2>
      {trace && <TraceSummary trace={trace} />}
      <small>{plural(count, 'block')}</small>
    </header>
  );
}

interface HitProps {
  readonly hit: SearchHit;
  readonly texts: readonly string[];
  /** Trace of the hit, if its line shows it. */
  readonly trace?: Trace | undefined;
}

function Hit({ hit: { trace_id, block, tool, text, error }, texts, trace }: HitProps) {
  const { id, reward, is_error } = block;
  return (
    <li>
      <a class="search-hit" href={`${buildHref({ view: 'trace', trace: trace_id })}#${id}`}>
        <span class="clipped muted search-kind">
          <VisibleText text={kindOf(block, tool)} />
        </span>
        <span class="clipped search-excerpt">
          <MarkedText text={text || (error ?? '')} texts={texts} />
        </span>
        {is_error && <b class="failed">✗ error</b>}
        {trace && (
          <small class="clipped">
            <VisibleText text={[trace.run, formatTaskName(trace), trace.model].filter(Boolean).join(' · ')} />
          </small>
        )}
        {reward !== null && <Reward value={reward} />}
      </a>
    </li>
  );
}

function kindOf({ sub_type, role }: SearchHit['block'], tool: string | null): string {
  if (sub_type === 'TOOL_CALL') return `call ${tool ?? ''}`;
  if (sub_type === 'TOOL_RESULT') return tool === null ? 'result' : `result ${tool}`;
  return sub_type === 'THINK' ? 'thought' : (role ?? 'message');
}

/** Renders a text with every occurrence of several texts marked. */
function MarkedText({ text, texts }: { readonly text: string; readonly texts: readonly string[] }) {
  const found = texts.flatMap((each) => findHits(text, each)).sort((one, other) => one.start - other.start);
  // Only the first of overlapping hits is marked.
  const ranges = found.filter(({ start }, at) => found.slice(0, at).every((before) => before.end <= start));
  return splitAtHits([{ text }], ranges).map((piece, index) => <TextPiece key={index} {...piece} />);
}

/** Number of hits that are listed for a message. */
const LISTED = 50;

/** Lists failed results by message, the most frequent first. */
export function HitsByError({ hits, traces, texts }: Props) {
  const groups = groupErrors(hits);
  if (groups.length === 0) return null;
  return (
    <ol class="stack search-errors">
      {groups.map(({ message, hits: own, traceCount, tools }) => (
        <li key={message}>
          <details class="raised">
            <summary class="row">
              <strong class="search-count">{formatCount(own.length)}</strong>
              <span class="search-message">
                <MarkedText text={message} texts={texts} />
              </span>
              <small>
                {tools.slice(0, 2).join(', ')} in {plural(traceCount, 'trace')}
              </small>
            </summary>
            <ul>
              {own.slice(0, LISTED).map((hit) => (
                <Hit key={hit.block.id} hit={hit} texts={texts} trace={traces.get(hit.trace_id)} />
              ))}
            </ul>
            {own.length > LISTED && <p class="muted search-more">The first {LISTED} are listed.</p>}
          </details>
        </li>
      ))}
    </ol>
  );
}
