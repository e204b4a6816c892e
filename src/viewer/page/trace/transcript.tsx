import { useEffect, useRef } from 'preact/hooks';
import type { BlockId, BlockSkeleton } from '../../../../generated/trace.ts';
import type { TranscriptRow } from './outline.ts';
import type { PayloadCache } from './payloads.ts';
import { RowView } from './row-view.tsx';
import { useScroller } from './use-scroller.ts';
import type { ScrollPosition, ScrollTarget } from './use-view.ts';

interface Props {
  readonly rows: readonly TranscriptRow[];
  readonly rowOf: (id: BlockId) => TranscriptRow | undefined;
  readonly payloads: PayloadCache;
  readonly start: string;
  readonly chosen: TranscriptRow | undefined;
  readonly jump: ScrollTarget | undefined;
  readonly highlight: string;
  readonly hits: ReadonlySet<BlockId>;
  /** Row whose first mark is scrolled into view; `round` counts the requests. */
  readonly marked: { readonly row: TranscriptRow; readonly round: number } | undefined;
  readonly isClosed: (row: TranscriptRow) => boolean;
  readonly isWhole: (row: TranscriptRow) => boolean;
  /** Set if rows are still being added. */
  readonly isGrowing: boolean;
  /** Number of blocks that were added since the page was opened. */
  readonly arrived: number;
  readonly onChoose: (row: TranscriptRow) => void;
  readonly onToggle: (row: TranscriptRow) => void;
  readonly onWhole: (row: TranscriptRow) => void;
  readonly onStand: (place: ScrollPosition) => void;
}

/** The messages and calls of a trace in order. Only rows near the view are in the page. */
export function Transcript(props: Props) {
  const { rows, chosen, payloads, isClosed, arrived } = props;
  const list = useScroller(props);
  const { scroller, from, to } = list;
  const drawn = rows.slice(from, to + 1);
  useWanted(props, drawn);
  useMark(props, list);
  const isNear = (row: TranscriptRow) => row.blocks.some(({ id }) => props.hits.has(id));
  return (
    <div class="tr-transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="tr-scroll" ref={list.element} onScroll={list.onScroll} tabIndex={0} aria-label="Transcript">
        <div class="tr-rows" role="feed" ref={list.spacer} style={{ height: `${scroller.total}px` }}>
          {drawn.map((row, at) => (
            <article
              key={row.id}
              class={`tr-row tr-${row.kind} tr-depth-${row.depth} ${row === chosen ? 'tr-chosen' : ''} ${isNear(row) ? 'tr-hit' : ''}`}
              ref={list.observe}
              data-index={from + at}
              data-row={row.id}
              data-block={row.blocks.at(-1)?.id}
              tabIndex={-1}
              aria-posinset={from + at + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${scroller.topOf(from + at)}px)` }}
            >
              <RowView
                {...props}
                row={row}
                payloads={payloads}
                isChosen={row === chosen}
                isClosed={isClosed(row)}
                isWhole={props.isWhole(row)}
                isHit={isNear(row)}
                height={scroller.heightOf(from + at)}
                onToggle={list.keeping(props.onToggle)}
                onWhole={list.keeping(props.onWhole)}
              />
            </article>
          ))}
        </div>
      </section>
      {list.unseen > 0 && (
        <button type="button" class="tr-pill primary" onClick={list.toEnd}>
          ↓ {list.unseen} new
        </button>
      )}
      <span class="tr-spoken" role="status" aria-live="polite">
        {list.unseen > 0 ? `${list.unseen} new blocks of ${arrived}` : ''}
      </span>
    </div>
  );
}

/** Has the payloads read of what is seen, that which is chosen first. */
function useWanted({ payloads, chosen }: Props, drawn: readonly TranscriptRow[]): void {
  useEffect(() => {
    const requested = new Map<BlockId, BlockSkeleton>();
    for (const row of [...(chosen ? [chosen] : []), ...drawn])
      for (const block of row.blocks) requested.set(block.id, block);
    payloads.request([...requested.values()]);
  });
}

/**
 * Scrolls the first mark of a row into view once the row is drawn, and expands a row that hides it. Only the position of the
 * mark in its row is read from the page: rows may not have been drawn yet where the scroller has moved them.
 */
function useMark({ marked, isWhole, onWhole }: Props, { element, reveal }: ReturnType<typeof useScroller>): void {
  const done = useRef(0);
  useEffect(() => {
    if (!marked || done.current === marked.round) return;
    const row = element.current?.querySelector(`[data-row="${CSS.escape(marked.row.id)}"]`);
    const mark = row?.querySelector('.tr-body mark');
    const body = mark?.closest('.tr-body');
    if (!row || !mark || !body) return;
    const place = mark.getBoundingClientRect();
    if (place.bottom > body.getBoundingClientRect().bottom && !isWhole(marked.row)) return onWhole(marked.row);
    done.current = marked.round;
    const { top } = row.getBoundingClientRect();
    reveal(marked.row, place.top - top, place.bottom - top);
  });
}
