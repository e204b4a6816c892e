import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Block, ToolResultBlock } from '../../../../generated/trace.ts';
import { formatBytes, stripControls } from '../../../core/index.ts';
import { Reward } from '../parts/reward.tsx';
import { Payload, ToolResults } from '../payload/index.ts';
import { HEAD_PX } from './estimate.ts';
import { BlockLane } from './lane.tsx';
import { rowBlock, type TranscriptRow } from './outline.ts';
import type { PayloadCache } from './payloads.ts';
import { rowBytes, rowHasError, rowLabel, rowPreview, rowReward, sinceStart } from './row-texts.ts';
import { blockHref } from './use-view.ts';

export interface TranscriptRowProps {
  readonly row: TranscriptRow;
  readonly payloads: PayloadCache;
  readonly start: string;
  readonly isChosen: boolean;
  readonly isClosed: boolean;
  readonly isWhole: boolean;
  readonly isHit: boolean;
  readonly highlight: string;
  /** What its body is expected to need, until it is there. */
  readonly height: number;
  readonly onChoose: (row: TranscriptRow) => void;
  readonly onToggle: (row: TranscriptRow) => void;
  readonly onWhole: (row: TranscriptRow) => void;
}

/** A piece of the transcript: what it is, and under it what it says. */
export function RowView(props: TranscriptRowProps) {
  const { row, isClosed, payloads, onChoose, onToggle } = props;
  if (row.kind === 'heading') return <OrphanHeading row={row} />;
  if (row.kind === 'gap') return <Gap {...props} />;
  const blocks = row.blocks.flatMap(({ id }) => payloads.get(id) ?? []);
  const isThere = blocks.length === row.blocks.length;
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
        <span class="tr-label">{rowLabel(row)}</span>
        <span class="tr-line">{isClosed && rowPreview(row)}</span>
        <Facts {...props} />
      </div>
      {!isClosed && <Body key={isThere} {...props} blocks={blocks} isThere={isThere} />}
    </>
  );
}

function Facts({ row, start }: Pick<TranscriptRowProps, 'row' | 'start'>) {
  const block = row.blocks.at(-1) ?? rowBlock(row);
  const reward = rowReward(row);
  return (
    <>
      {rowHasError(row) && <span class="tr-failed">✕ error</span>}
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
  readonly isThere: boolean;
}

function Body({ row, blocks, isThere, isWhole, highlight, height, onWhole }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  const last = blocks.at(-1);
  useLayoutEffect(() => {
    const element = body.current;
    const inner = element?.firstElementChild;
    if (!element || !inner || isWhole) return setCut(false);
    const look = () => setCut(element.scrollHeight > element.clientHeight + 4);
    const observer = new ResizeObserver(look);
    observer.observe(inner);
    look();
    return () => observer.disconnect();
  }, [isThere, isWhole]);
  const content = useMemo(
    () => isThere && <Content row={row} blocks={blocks} highlight={highlight} isWhole={isWhole} />,
    [row, isThere, blocks.length, last, highlight, isWhole],
  );
  return (
    <div class={`tr-body ${isWhole ? '' : 'tr-limited'} ${isCut ? 'tr-cut' : ''}`} ref={body} data-whole={isThere}>
      {isThere ? (
        <div class="tr-inner">{content}</div>
      ) : (
        <div class="tr-waiting" style={{ height: `${Math.max(0, height - HEAD_PX)}px` }}>
          {row.blocks.map(({ preview }) => stripControls(preview)).join('')}
        </div>
      )}
      {isCut && (
        <button type="button" class="tr-more" onClick={() => onWhole(row)}>
          Show all of it ({formatBytes(rowBytes(row))})
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

/** Told at both ends of its height, which is that of the view. */
const Gap = ({ row, height }: Pick<TranscriptRowProps, 'row' | 'height'>) => (
  <div class="tr-unread" data-whole="false" style={{ height: `${height}px` }}>
    <span>{rowLabel(row)} …</span>
    <span aria-hidden="true">{rowLabel(row)} …</span>
  </div>
);

function OrphanHeading({ row }: { readonly row: TranscriptRow }) {
  return (
    <p class="tr-orphans">
      <strong>Orphans ({row.children.length})</strong> – blocks whose parent is missing or of a wrong kind. A store
      makes none: its data was damaged or restored.
    </p>
  );
}
