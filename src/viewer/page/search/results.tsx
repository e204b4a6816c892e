import type { BlockHit } from '../../../../generated/trace.ts';
import { plural } from '../../../core/index.ts';
import { Reward } from '../parts/reward.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { HighlightedText, VisibleText } from '../payload/shown.tsx';
import { buildHref } from '../shell/location.ts';
import type { TraceHits } from './hits.ts';

interface Props {
  readonly traces: readonly TraceHits[];
  readonly q: string;
}

/** What was found, by trace. */
export function SearchResults({ traces, q }: Props) {
  return (
    <ol class="search-results">
      {traces.map(({ traceId, hits }) => (
        <li key={traceId}>
          <h2>
            <a href={buildHref({ view: 'trace', trace: traceId })} title={traceId}>
              {shortId(traceId)}
            </a>{' '}
            <small>{plural(hits.length, 'block')}</small>
          </h2>
          <ul>
            {hits.map((hit) => (
              <Hit key={hit.block.id} {...{ hit, q }} />
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
        <span class="search-kind">
          <VisibleText text={kindOf(block)} />
        </span>
        <span class="search-excerpt">
          <HighlightedText text={excerpt ?? preview} highlight={excerpt === null ? undefined : q} />
        </span>
        {is_error && <b class="search-error">✗ error</b>}
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
