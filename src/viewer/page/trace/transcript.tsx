import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Block, BlockId, BlockSkeleton, ToolResultBlock } from '../../../../generated/trace.ts';
import { formatBytes, stripControls } from '../../../core/index.ts';
import { Reward } from '../parts/badges.tsx';
import { Payload, ToolResults } from '../payload/index.ts';
import { HEAD_PX } from './estimate.ts';
import { rowBlock, type TranscriptRow } from './outline.ts';
import { BlockLane } from './outline-pane.tsx';
import type { PayloadCache } from './payloads.ts';
import { useScroller } from './use-scroller.ts';
import { blockHref, type ScrollPosition, type ScrollTarget } from './use-view.ts';
import { rowBytes, rowHasError, rowLabel, rowPreview, rowReward, sinceStart } from './visible-rows.ts';

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

/** Shows the messages and calls of a trace in order. Only rows near the view are in the page. */
export function Transcript(props: Props) {
  const { rows, chosen, payloads, isClosed, arrived } = props;
  const list = useScroller(props);
  const { scroller, from, to } = list;
  const drawn = rows.slice(from, to + 1);
  useRequests(props, drawn);
  useMark(props, list);
  const hasHit = (row: TranscriptRow) => row.blocks.some(({ id }) => props.hits.has(id));
  return (
    <div class="tr-transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="tr-scroll" ref={list.element} onScroll={list.onScroll} tabIndex={0} aria-label="Transcript">
        <div class="tr-rows" role="feed" ref={list.spacer} style={{ height: `${scroller.total}px` }}>
          {drawn.map((row, at) => (
            <article
              key={row.id}
              class={`tr-row tr-${row.kind} tr-depth-${row.depth} ${row === chosen ? 'tr-chosen' : ''} ${hasHit(row) ? 'tr-hit' : ''}`}
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
                isHit={hasHit(row)}
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

/** Requests the payloads of visible rows, the selected one first. */
function useRequests({ payloads, chosen }: Props, drawn: readonly TranscriptRow[]): void {
  useEffect(() => {
    const requested = new Map<BlockId, BlockSkeleton>();
    for (const row of [...(chosen ? [chosen] : []), ...drawn])
      for (const block of row.blocks) requested.set(block.id, block);
    payloads.request([...requested.values()]);
  });
}

/**
 * Scrolls the first mark of a row into view once the row is rendered, and expands a row that hides it. Reads only the
 * position of the mark within its row, because rows may not have been rendered yet where the scroller has moved them.
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

export interface TranscriptRowProps {
  readonly row: TranscriptRow;
  readonly payloads: PayloadCache;
  readonly start: string;
  readonly isChosen: boolean;
  readonly isClosed: boolean;
  readonly isWhole: boolean;
  readonly isHit: boolean;
  readonly highlight: string;
  /** Estimated height of its body, until it is loaded. */
  readonly height: number;
  readonly onChoose: (row: TranscriptRow) => void;
  readonly onToggle: (row: TranscriptRow) => void;
  readonly onWhole: (row: TranscriptRow) => void;
}

/** Item of the transcript: its header, and below it its payload. */
export function RowView(props: TranscriptRowProps) {
  const { row, isClosed, payloads, onChoose, onToggle } = props;
  if (row.kind === 'heading') return <OrphanHeading row={row} />;
  if (row.kind === 'gap') return <Gap {...props} />;
  const blocks = row.blocks.flatMap(({ id }) => payloads.get(id) ?? []);
  const isLoaded = blocks.length === row.blocks.length;
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys j and k choose rows */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys j and k choose rows */}
      <div class="tr-head" onClick={() => onChoose(row)}>
        <button
          type="button"
          class="tr-twist"
          tabIndex={-1}
          aria-expanded={!isClosed}
          aria-label={`${isClosed ? 'Open' : 'Close'} ${rowLabel(row)}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row);
          }}
        >
          {isClosed ? '▸' : '▾'}
        </button>
        <BlockLane row={row} />
        <span class="clipped tr-label">{rowLabel(row)}</span>
        <span class="clipped muted tr-line">{isClosed && rowPreview(row)}</span>
        <Facts {...props} />
      </div>
      {!isClosed && <Body key={isLoaded} {...props} blocks={blocks} isLoaded={isLoaded} />}
    </>
  );
}

function Facts({ row, start }: Pick<TranscriptRowProps, 'row' | 'start'>) {
  const block = row.blocks.at(-1) ?? rowBlock(row);
  const reward = rowReward(row);
  return (
    <>
      {rowHasError(row) && <span class="failed">✕ error</span>}
      {reward !== null && <Reward value={reward} />}
      <small class="tr-size">{formatBytes(rowBytes(row))}</small>
      <small class="tr-time" title={block.created_at}>
        {sinceStart(block.created_at, start)}
      </small>
      <a
        class="tr-link"
        href={blockHref(block.id)}
        tabIndex={-1}
        aria-label={`Link to this ${rowLabel(row)}`}
        title={block.id}
      >
        #
      </a>
    </>
  );
}

interface BodyProps extends TranscriptRowProps {
  readonly blocks: readonly Block[];
  readonly isLoaded: boolean;
}

function Body({ row, blocks, isLoaded, isWhole, highlight, height, onWhole }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const [isClipped, setClipped] = useState(false);
  const last = blocks.at(-1);
  useLayoutEffect(() => {
    const element = body.current;
    const inner = element?.firstElementChild;
    if (!element || !inner || isWhole) return setClipped(false);
    const measure = () => setClipped(element.scrollHeight > element.clientHeight + 4);
    const observer = new ResizeObserver(measure);
    observer.observe(inner);
    measure();
    return () => observer.disconnect();
  }, [isLoaded, isWhole]);
  const content = useMemo(
    () => isLoaded && <Content row={row} blocks={blocks} highlight={highlight} isWhole={isWhole} />,
    [row, isLoaded, blocks.length, last, highlight, isWhole],
  );
  return (
    <div class={`tr-body ${isWhole ? '' : 'tr-limited'} ${isClipped ? 'tr-cut' : ''}`} ref={body} data-whole={isLoaded}>
      {isLoaded ? (
        <div class="tr-inner">{content}</div>
      ) : (
        <div class="tr-waiting" style={{ height: `${Math.max(0, height - HEAD_PX)}px` }}>
          {row.blocks.map(({ preview }) => stripControls(preview)).join('')}
        </div>
      )}
      {isClipped && (
        <button type="button" class="tr-more" onClick={() => onWhole(row)}>
          Show all ({formatBytes(rowBytes(row))})
        </button>
      )}
    </div>
  );
}

function Content({ row, blocks, highlight, isWhole }: Pick<BodyProps, 'row' | 'blocks' | 'highlight' | 'isWhole'>) {
  if (row.kind === 'results')
    return <ToolResults results={blocks as readonly ToolResultBlock[]} highlight={highlight} />;
  return (
    <>
      {blocks.map((block) => (
        <Payload key={block.id} block={block} highlight={highlight} isWhole={isWhole} />
      ))}
    </>
  );
}

/** Has text at both ends of its height, which is that of the view. */
const Gap = ({ row, height }: Pick<TranscriptRowProps, 'row' | 'height'>) => (
  <div class="stack muted tr-unread" data-whole="false" style={{ height: `${height}px` }}>
    <span>{rowLabel(row)} …</span>
    <span aria-hidden="true">{rowLabel(row)} …</span>
  </div>
);

function OrphanHeading({ row }: { readonly row: TranscriptRow }) {
  return (
    <p class="clipped tr-orphans">
      <strong>Orphans ({row.children.length})</strong> – blocks whose parent is missing or has the wrong kind. A store
      never creates them: its data was damaged or restored.
    </p>
  );
}
