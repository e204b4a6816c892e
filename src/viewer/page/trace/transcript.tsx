import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Block, BlockId, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatDuration, stripControls } from '../../../core/index.ts';
import { Reward } from '../parts/badges.tsx';
import { Button } from '../parts/buttons.tsx';
import { Payload } from '../payload/index.ts';
import { HEAD_PX } from './estimate.ts';
import type { TraceFeed } from './feed.ts';
import { rowBlock, rowId, type TranscriptRow } from './outline.ts';
import { BlockLane, rowClasses } from './outline-pane.tsx';
import type { PayloadCache } from './payloads.ts';
import type { Reading } from './use-reading.ts';
import { useScroller } from './use-scroller.ts';
import { blockHref } from './use-view.ts';
import { callDuration, rowBytes, rowHasError, rowLabel, rowPreview, rowReward, sinceStart } from './visible-rows.ts';

interface Props {
  readonly reading: Reading;
  readonly feed: TraceFeed;
  readonly trace: Trace;
  readonly payloads: PayloadCache;
}

/** Shows the messages and calls of a trace in order. Only rows near the view are in the page. */
export function Transcript(props: Props) {
  const { reading, feed } = props;
  const { rows } = reading;
  const list = useScroller(reading, feed);
  const { scroller, scale, from, to, unseen } = list;
  const drawn = rows.slice(from, to + 1);
  useRequests(props, drawn);
  useMark(reading, list);
  return (
    <div class="tr-transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
      <section class="tr-scroll" ref={list.element} onScroll={list.onScroll} tabIndex={0} aria-label="Transcript">
        <div class="tr-rows" role="feed" ref={list.spacer} style={{ height: `${scale.height}px` }}>
          {drawn.map((row, at) => (
            <article
              key={row.id}
              class={`tr-row ${rowClasses(row, reading)}`}
              ref={list.observe}
              data-index={from + at}
              data-row={row.id}
              data-block={row.blocks.at(-1)?.id}
              tabIndex={-1}
              aria-posinset={from + at + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${scroller.topOf(from + at) + scale.shift}px)` }}
            >
              <RowView {...props} row={row} height={scroller.heightOf(from + at)} keeping={list.keeping} />
            </article>
          ))}
        </div>
      </section>
      {unseen > 0 && (
        <Button class="tr-pill primary" onClick={list.toEnd}>
          ↓ {unseen} new
        </Button>
      )}
      <span class="tr-spoken" role="status" aria-live="polite">
        {unseen > 0 ? `${unseen} new blocks of ${feed.state.newBlockCount}` : ''}
      </span>
    </div>
  );
}

/** Requests the payloads of visible rows, the selected one first. */
function useRequests({ payloads, reading: { row: chosen } }: Props, drawn: readonly TranscriptRow[]): void {
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
function useMark({ marked, isWhole, showWhole }: Reading, { element, reveal }: ReturnType<typeof useScroller>): void {
  const done = useRef(0);
  useEffect(() => {
    if (!marked || done.current === marked.round) return;
    const row = element.current?.querySelector(`[data-row="${CSS.escape(marked.row.id)}"]`);
    const mark = row?.querySelector('.tr-body mark');
    const body = mark?.closest('.tr-body');
    if (!row || !mark || !body) return;
    const box = mark.getBoundingClientRect();
    if (box.bottom > body.getBoundingClientRect().bottom && !isWhole(marked.row)) return showWhole(marked.row);
    done.current = marked.round;
    const { top } = row.getBoundingClientRect();
    reveal(marked.row, box.top - top, box.bottom - top);
  });
}

interface RowProps extends Props, Pick<ReturnType<typeof useScroller>, 'keeping'> {
  readonly row: TranscriptRow;
  /** Estimated height, until its body is loaded. */
  readonly height: number;
}

/** Item of the transcript: its header, and below it its payload. */
function RowView(props: RowProps) {
  const { row, reading, payloads, keeping } = props;
  if (row.kind === 'heading') return <OrphanHeading row={row} />;
  if (row.kind === 'gap') return <Gap {...props} />;
  const isClosed = reading.folding.isClosed(row);
  const blocks = row.blocks.flatMap(({ id }) => payloads.get(id) ?? []);
  const isLoaded = blocks.length === row.blocks.length;
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys j and k choose rows */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys j and k choose rows */}
      <div
        class="tr-head"
        onClick={() => {
          reading.chooseRow(row);
          if (row.inner) keeping(row, reading.folding.toggle);
        }}
      >
        <Button
          class="tr-twist"
          tabIndex={-1}
          aria-expanded={!isClosed}
          aria-label={`${isClosed ? 'Open' : 'Close'} ${rowLabel(row)}`}
          onClick={(event) => {
            event.stopPropagation();
            keeping(row, reading.folding.toggle);
          }}
        >
          {isClosed ? '▸' : '▾'}
        </Button>
        <BlockLane row={row} />
        <span class="clipped tr-label">{rowLabel(row)}</span>
        <span class="clipped muted tr-line">{(isClosed || row.inner) && rowPreview(row)}</span>
        <Facts {...props} />
      </div>
      {!isClosed && !row.inner && <Body key={isLoaded} {...props} blocks={blocks} isLoaded={isLoaded} />}
    </>
  );
}

function Facts({ row, trace }: RowProps) {
  const { created_at } = row.blocks.at(-1) ?? rowBlock(row);
  const id = rowId(row) ?? '';
  const reward = rowReward(row);
  const took = callDuration(row);
  return (
    <>
      {rowHasError(row) && <span class="failed">✕ error</span>}
      {reward !== null && <Reward value={reward} />}
      {took !== undefined && (
        <small class="tr-took" title="Time from the call to its last result">
          {formatDuration(took)}
        </small>
      )}
      <small class="tr-size">{formatBytes(rowBytes(row))}</small>
      <small class="tr-time" title={created_at}>
        {sinceStart(created_at, trace.created_at)}
      </small>
      <a class="tr-link" href={blockHref(id)} tabIndex={-1} aria-label={`Link to this ${rowLabel(row)}`} title={id}>
        #
      </a>
    </>
  );
}

interface BodyProps extends RowProps {
  readonly blocks: readonly Block[];
  readonly isLoaded: boolean;
}

function Body({ row, blocks, isLoaded, reading, height, keeping }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const [isClipped, setClipped] = useState(false);
  const isWhole = reading.isWhole(row);
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
    () => isLoaded && <Payload blocks={blocks} isWhole={isWhole} />,
    [row, isLoaded, blocks.length, blocks.at(-1), isWhole],
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
        <Button class="tr-more" onClick={() => keeping(row, reading.showWhole)}>
          Show all ({formatBytes(rowBytes(row))})
        </Button>
      )}
    </div>
  );
}

/** Placeholder that is as tall as the view, with its label at both ends. */
const Gap = ({ row, height }: RowProps) => (
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
